/* Calls the portable library as a host does on an old system: each allocation of a call fails once, so that
 * std::bad_alloc is thrown and caught inside; then pages in legacy charsets, threads, and a forked child.
 * Prints nothing and returns 0 if all is as ndcapi.h says. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ndcapi.h"

static _Atomic long left = -1; /* allocations until one fails; negative: none does */

static int fails(void) {
  return left >= 0 && left-- == 0;
}
static void* take(size_t size, void* unused) {
  (void)unused;
  return fails() ? NULL : malloc(size);
}
static void* resize(void* memory, size_t size, void* unused) {
  (void)unused;
  return fails() ? NULL : realloc(memory, size);
}
static void give(void* memory, void* unused) {
  (void)unused;
  free(memory);
}

static const char kText[] =
    "<html><body><p>The quick brown fox jumps over the lazy dog while seven wizards brew a potion of old "
    "leaves.</p>";

static nd_status check_text(nd_engine* engine, const char* url, const char* body, const char* content_type,
                            nd_result* result) {
  nd_page page = ND_PAGE_INIT;
  page.url = url;
  page.url_size = strlen(url);
  page.body = body;
  page.body_size = strlen(body);
  page.content_type = content_type;
  page.content_type_size = strlen(content_type);
  return nd_check_page(engine, &page, result);
}

static nd_status check(nd_engine* engine, const char* url, nd_result* result) {
  return check_text(engine, url, kText, "text/html; charset=koi8-r", result);
}

static void* many(void* engine) {
  for (int i = 0; i < 200; ++i) {
    nd_result result = ND_RESULT_INIT;
    if (check(engine, "http://thread.example/", &result) != ND_OK) return engine;
  }
  return NULL;
}

/* The first article of the Universal Declaration of Human Rights: in UTF-8, then in other charsets of its
 * language. */
static const struct {
  const char* content_type;
  const char* body;
} kArticles[] = {
    {"text/html; charset=utf-8",
     "<p>\320\222\321\201\320\265 \320\273\321\216\320\264\320\270 \321\200\320\276\320\266\320\264\320\260"
     "\321\216\321\202\321\201\321\217 \321\201\320\262\320\276\320\261\320\276\320\264\320\275\321\213\320"
     "\274\320\270 \320\270 \321\200\320\260\320\262\320\275\321\213\320\274\320\270 \320\262 \321\201\320"
     "\262\320\276\320\265\320\274 \320\264\320\276\321\201\321\202\320\276\320\270\320\275\321\201\321\202"
     "\320\262\320\265 \320\270 \320\277\321\200\320\260\320\262\320\260\321\205. \320\236\320\275\320\270"
     " \320\275\320\260\320\264\320\265\320\273\320\265\320\275\321\213 \321\200\320\260\320\267\321\203\320"
     "\274\320\276\320\274 \320\270 \321\201\320\276\320\262\320\265\321\201\321\202\321\214\321\216.</p>"},
    {"text/html; charset=koi8-r",
     "<p>\367\323\305 \314\300\304\311 \322\317\326\304\301\300\324\323\321 \323\327\317\302\317\304\316\331"
     "\315\311 \311 \322\301\327\316\331\315\311 \327 \323\327\317\305\315 \304\317\323\324\317\311\316\323"
     "\324\327\305 \311 \320\322\301\327\301\310. \357\316\311 \316\301\304\305\314\305\316\331 \322\301\332"
     "\325\315\317\315 \311 \323\317\327\305\323\324\330\300.</p>"},
    {"text/html; charset=windows-1251",
     "<p>\302\361\345 \353\376\344\350 \360\356\346\344\340\376\362\361\377 \361\342\356\341\356\344\355\373"
     "\354\350 \350 \360\340\342\355\373\354\350 \342 \361\342\356\345\354 \344\356\361\362\356\350\355\361"
     "\362\342\345 \350 \357\360\340\342\340\365. \316\355\350 \355\340\344\345\353\345\355\373 \360\340\347"
     "\363\354\356\354 \350 \361\356\342\345\361\362\374\376.</p>"},
    {"text/html; charset=ibm866",
     "<p>\202\341\245 \253\356\244\250 \340\256\246\244\240\356\342\341\357 \341\242\256\241\256\244\255\353"
     "\254\250 \250 \340\240\242\255\353\254\250 \242 \341\242\256\245\254 \244\256\341\342\256\250\255\341"
     "\342\242\245 \250 \257\340\240\242\240\345. \216\255\250 \255\240\244\245\253\245\255\353 \340\240\247"
     "\343\254\256\254 \250 \341\256\242\245\341\342\354\356.</p>"},
    {"text/html; charset=utf-8",
     "<p>\344\272\272\344\272\272\347\224\237\350\200\214\350\207\252\347\224\261,\345\234\250\345\260\212"
     "\344\270\245\345\222\214\346\235\203\345\210\251\344\270\212\344\270\200\345\276\213\345\271\263\347"
     "\255\211\343\200\202\344\273\226\344\273\254\350\265\213\346\234\211\347\220\206\346\200\247\345\222"
     "\214\350\211\257\345\277\203,\345\271\266\345\272\224\344\273\245\345\205\204\345\274\237\345\205\263"
     "\347\263\273\347\232\204\347\262\276\347\245\236\347\233\270\345\257\271\345\276\205\343\200\202</p"
     ">"},
    {"text/html; charset=gb18030",
     "<p>\310\313\310\313\311\372\266\370\327\324\323\311,\324\332\327\360\321\317\272\315\310\250\300\373"
     "\311\317\322\273\302\311\306\275\265\310\241\243\313\373\303\307\270\263\323\320\300\355\320\324\272"
     "\315\301\274\320\304,\262\242\323\246\322\324\320\326\265\334\271\330\317\265\265\304\276\253\311\361"
     "\317\340\266\324\264\375\241\243</p>"},
    {"text/html; charset=utf-8",
     "<p>\343\201\231\343\201\271\343\201\246\343\201\256\344\272\272\351\226\223\343\201\257\343\200\201"
     "\347\224\237\343\201\276\343\202\214\343\201\252\343\201\214\343\202\211\343\201\253\343\201\227\343"
     "\201\246\350\207\252\347\224\261\343\201\247\343\201\202\343\202\212\343\200\201\343\201\213\343\201"
     "\244\343\200\201\345\260\212\345\216\263\343\201\250\346\250\251\345\210\251\343\201\250\343\201\253"
     "\343\201\244\343\201\204\343\201\246\345\271\263\347\255\211\343\201\247\343\201\202\343\202\213\343"
     "\200\202</p>"},
    {"text/html; charset=shift_jis",
     "<p>\202\267\202\327\202\304\202\314\220l\212\324\202\315\201A\220\266\202\334\202\352\202\310\202\252"
     "\202\347\202\311\202\265\202\304\216\251\227R\202\305\202\240\202\350\201A\202\251\202\302\201A\221"
     "\270\214\265\202\306\214\240\227\230\202\306\202\311\202\302\202\242\202\304\225\275\223\231\202\305"
     "\202\240\202\351\201B</p>"},
    {"text/html; charset=euc-jp",
     "<p>\244\271\244\331\244\306\244\316\277\315\264\326\244\317\241\242\300\270\244\336\244\354\244\312"
     "\244\254\244\351\244\313\244\267\244\306\274\253\315\263\244\307\244\242\244\352\241\242\244\253\244"
     "\304\241\242\302\272\270\267\244\310\270\242\315\370\244\310\244\313\244\304\244\244\244\306\312\277"
     "\305\371\244\307\244\242\244\353\241\243</p>"},
    {"text/html; charset=iso-2022-jp",
     "<p>\033$B$9$Y$F$N\077M4V$O!\042@8$^$l$J$,$i$K$7$F<+M3$G$\042$j!\042$+$D!\042B:87$H8\042Mx$H$K$D$$$F"
     "J\077Ey$G$\042$k!#\033(B</p>"},
};

static int fail(const char* what) {
  fprintf(stderr, "old_glibc_caller: %s\n", what);
  return 1;
}

int main(void) {
  nd_allocator allocator = ND_ALLOCATOR_INIT;
  allocator.malloc_fn = take;
  allocator.realloc_fn = resize;
  allocator.free_fn = give;
  if (nd_set_allocator(&allocator) != ND_OK) return fail("nd_set_allocator");
  nd_engine* engine = NULL;
  if (nd_open(NULL, NULL, &engine) != ND_OK) return fail("nd_open");

  nd_result result = ND_RESULT_INIT;
  long failures = 0;
  nd_status status = ND_ERR_NO_MEMORY;
  for (long at = 0; status != ND_OK && at < 100000; ++at) {
    left = at;
    status = check(engine, "http://first.example/", &result);
    left = -1;
    if (status != ND_OK && status != ND_ERR_NO_MEMORY) return fail("want of memory is another status");
    failures += status == ND_ERR_NO_MEMORY;
  }
  if (status != ND_OK || failures == 0) return fail("no allocation failed, or all");
  if (check(engine, "http://second.example/", &result) != ND_OK || result.verdict != ND_EXACT)
    return fail("the copy is not exact");

  for (size_t i = 0; i < sizeof kArticles / sizeof *kArticles; ++i) {
    const int is_first = strstr(kArticles[i].content_type, "utf-8") != NULL;
    if (check_text(engine, "http://article.example/", kArticles[i].body, kArticles[i].content_type,
                   &result) != ND_OK)
      return fail(kArticles[i].content_type);
    if ((result.verdict == ND_UNCHANGED) == is_first) return fail(kArticles[i].content_type);
  }

  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    if (pthread_create(&threads[i], NULL, many, engine) != 0) return fail("pthread_create");
  for (int i = 0; i < 4; ++i) {
    void* failed = NULL;
    if (pthread_join(threads[i], &failed) != 0 || failed != NULL) return fail("a thread's call failed");
  }

  const pid_t child = fork();
  if (child == 0) {
    nd_engine* own = NULL;
    const int refused = check(engine, "http://child.example/", &result) == ND_ERR_INVALID_ARGUMENT;
    const int opened = nd_open(NULL, NULL, &own) == ND_OK &&
                       check(own, "http://child.example/", &result) == ND_OK && nd_close(own) == ND_OK;
    _exit(refused && opened ? 0 : 1);
  }
  int ended = 0;
  if (child < 0 || waitpid(child, &ended, 0) != child || ended != 0) return fail("the forked child");
  return nd_close(engine) == ND_OK ? 0 : fail("nd_close");
}
