/* A C program of the plainest kind: opens an engine in memory, checks three pages, walks over the groups,
 * closes. */
#include <ndcapi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORY                                                                                              \
  "<p>The harbour council voted on Tuesday to rebuild the old lighthouse, which has stood dark since the " \
  "winter "                                                                                                \
  "storm tore off its lantern room three years ago. Fishermen had asked for the light to return ever "     \
  "since.</p>"                                                                                             \
  "<p>Work will begin in spring, when the rocks are dry enough for the crane, and the tower is to be lit " \
  "again "                                                                                                 \
  "before the first autumn gales. The council expects the repair to cost less than a new beacon on the "   \
  "pier.</p>"                                                                                              \
  "<p>The keeper's house beside it becomes a small museum of the rescue boats, whose crews still meet "    \
  "there.</p>"

#define RECIPE                                                                                             \
  "<p>Rinse the lentils until the water runs clear, then let them simmer with a bay leaf and half an "     \
  "onion. Salt "                                                                                           \
  "goes in at the end, because salted water keeps their skins hard for much longer than anybody likes to " \
  "wait.</p>"                                                                                              \
  "<p>Meanwhile brown the carrots in butter, add a spoonful of mustard, and stir the drained lentils in. " \
  "They are "                                                                                              \
  "best eaten warm with bread, though many people say that the salad improves over a night in the "        \
  "cellar.</p>"

static void require(int holds, const char* what) {
  if (!holds) {
    fprintf(stderr, "smoke: %s; last error: \"%s\"\n", what, nd_last_error());
    exit(1);
  }
}

static nd_result check(nd_engine* engine, const char* url, const char* body) {
  nd_page page = ND_PAGE_INIT;
  nd_result result = ND_RESULT_INIT;
  page.url = url;
  page.url_size = strlen(url);
  page.body = body;
  page.body_size = strlen(body);
  page.content_type = "text/html; charset=utf-8";
  page.content_type_size = strlen(page.content_type);
  require(nd_check_page(engine, &page, &result) == ND_OK, url);
  require(result.page_id != 0 && result.group_id != 0, "every page has an id and a group");
  return result;
}

struct walk {
  uint64_t groups;
  uint64_t pages;
};

static int32_t count_group(const nd_group_info* info, void* ctx) {
  struct walk* walk = ctx;
  walk->groups += 1;
  walk->pages += info->page_count;
  return 0;
}

static int32_t count_page(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  require(info->page_id != 0 && url != NULL && url_size > 0, "a member has an id and a URL");
  *(uint64_t*)ctx += 1;
  return 0;
}

int main(void) {
  const char* first_body = "<html><head><title>Lighthouse</title></head><body>" STORY "</body></html>";
  const char* copy_body = "<html><head><title>Lighthouse</title></head><body><div class=main>" STORY
                          "<p>Our reporter was there.</p></div></body></html>";
  const char* other_body = "<html><head><title>Lentils</title></head><body>" RECIPE "</body></html>";

  nd_engine* engine = NULL;
  require(nd_version() == ((ND_VERSION_MAJOR << 16) | (ND_VERSION_MINOR << 8) | ND_VERSION_PATCH),
          "header and library agree");
  require(nd_open(NULL, NULL, &engine) == ND_OK && engine != NULL, "an engine in memory opens");

  nd_result first = check(engine, "http://coast.example/lighthouse", first_body);
  nd_result copy = check(engine, "http://news.example/harbour", copy_body);
  nd_result other = check(engine, "http://kitchen.example/lentils", other_body);
  require(first.verdict == ND_NEW && first.group_id == first.page_id, "the first page founds a group");
  require(copy.verdict == ND_NEAR, "its copy with one more sentence is a near-duplicate");
  require(copy.group_id == first.group_id && copy.matched_page_id == first.page_id,
          "and joins the first page's group");
  require(copy.page_id != first.page_id, "under an id of its own");
  require(copy.resemblance > 0.8 && copy.resemblance < 1.0 && copy.containment <= 1.0,
          "with plausible ratios");
  require(other.verdict == ND_NEW && other.group_id != first.group_id, "another text founds another group");

  struct walk walk = {0, 0};
  require(nd_each_group(engine, count_group, &walk) == ND_OK, "groups can be walked over");
  require(walk.groups == 2 && walk.pages == 3, "two groups, three pages");
  uint64_t members = 0;
  require(nd_each_page(engine, first.group_id, count_page, &members) == ND_OK && members == 2, "two members");

  require(nd_check_page(engine, NULL, &first) == ND_ERR_INVALID_ARGUMENT, "NULL is refused");
  require(strlen(nd_last_error()) > 0, "with a text");
  require(nd_close(engine) == ND_OK, "the engine closes");
  return 0;
}
