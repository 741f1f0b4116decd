// A C program that is built against the installed package, as a user's would be.
#include <ndcapi.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const char kText[] =
      "<html><body><p>The harbour council voted on Tuesday to rebuild the old lighthouse, which has stood "
      "dark "
      "since the winter storm tore off its lantern room three years ago. Work begins in spring, when the "
      "rocks "
      "are dry enough for the crane.</p></body></html>";
  static const char* const kUrls[] = {"http://one.example/", "http://two.example/"};
  nd_result results[2] = {ND_RESULT_INIT, ND_RESULT_INIT};
  nd_engine* engine = NULL;
  int i;

  if (nd_open(NULL, NULL, &engine) != ND_OK) return 1;
  for (i = 0; i < 2; ++i) {
    nd_page page = ND_PAGE_INIT;
    page.url = kUrls[i];
    page.url_size = strlen(kUrls[i]);
    page.body = kText;
    page.body_size = sizeof(kText) - 1;
    if (nd_check_page(engine, &page, &results[i]) != ND_OK) return 1;
  }
  printf("%s %d %d\n", nd_version_string(), (int)results[0].verdict, (int)results[1].verdict);
  if (results[0].verdict != ND_NEW || results[1].verdict != ND_EXACT) return 1;
  if (results[0].group_id != results[1].group_id) return 1;
  return nd_close(engine) == ND_OK ? 0 : 1;
}
