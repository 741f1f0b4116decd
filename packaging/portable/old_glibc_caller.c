/* Calls the portable library as a host does on an old system: each allocation of a call fails once, so that
 * std::bad_alloc is thrown and caught inside; then threads, and a forked child. Prints nothing and returns 0
 * if all is as ndcapi.h says. */
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

static nd_status check(nd_engine* engine, const char* url, nd_result* result) {
  nd_page page = ND_PAGE_INIT;
  page.url = url;
  page.url_size = strlen(url);
  page.body = kText;
  page.body_size = sizeof kText - 1;
  page.content_type = "text/html; charset=koi8-r";
  page.content_type_size = strlen(page.content_type);
  return nd_check_page(engine, &page, result);
}

static void* many(void* engine) {
  for (int i = 0; i < 200; ++i) {
    nd_result result = ND_RESULT_INIT;
    if (check(engine, "http://thread.example/", &result) != ND_OK) return engine;
  }
  return NULL;
}

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
