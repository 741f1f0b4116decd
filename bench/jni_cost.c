/* The C side of bench/jni_cost: checks one page again and again.
 *
 *   jni_cost_c PAGE
 *
 * For each line "c COUNT" of its input it checks the page COUNT times and prints the nanoseconds that took: of the
 * thread's CPU, of the wall clock. */
#include <ndcapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long long nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv) {
  static char body[1 << 22];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  nd_page page = ND_PAGE_INIT;
  page.body = body;
  page.body_size = fread(body, 1, sizeof(body), file);
  fclose(file);
  page.url = "http://a.example/";
  page.url_size = strlen(page.url);
  page.content_type = "text/html; charset=utf-8";
  page.content_type_size = strlen(page.content_type);
  nd_engine *engine = NULL;
  if (nd_open(NULL, NULL, &engine) != ND_OK) return 1;
  int count = 0;
  while (scanf(" c %d", &count) == 1) {
    const long long cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    const long long wall = nanoseconds(CLOCK_MONOTONIC);
    for (int i = 0; i < count; ++i) {
      nd_result result = ND_RESULT_INIT;
      if (nd_check_page(engine, &page, &result) != ND_OK || result.verdict == ND_NO_TEXT) return 1;
    }
    printf("%lld %lld\n", nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu, nanoseconds(CLOCK_MONOTONIC) - wall);
    fflush(stdout);
  }
  return nd_close(engine) == ND_OK ? 0 : 1;
}
