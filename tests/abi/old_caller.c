/* A program as it was written for an earlier version: compiled against each header that is kept (headers/),
 * linked with today's library. Every struct and buffer that it passes ends where its memory ends, so that the
 * library cannot read or write one byte beyond the size that this header gives it. Compiled against the
 * newest header as well, so that nothing rots. What a kept header lacks stands below #if of its version.
 * Usage: old_caller DIRECTORY, which must not be there. */
#define _GNU_SOURCE
#include <ndcapi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fenced_memory.h"

#define HEADER_VERSION ((ND_VERSION_MAJOR << 16) | (ND_VERSION_MINOR << 8) | ND_VERSION_PATCH)
_Static_assert(HEADER_VERSION == NDC_EXPECTED_VERSION, "compiled against another header than meant");

#define MILL                                                                                             \
  "<p>The old mill by the river turns again. Volunteers have spent four summers on its wheel, cut new "  \
  "paddles "                                                                                             \
  "of larch, and taught the miller's grandson how the stones are dressed.</p>"                           \
  "<p>Flour will be sold on Saturdays from a table in the yard, as long as the water in the upper pond " \
  "stands "                                                                                              \
  "higher than the red mark.</p>"
#define BEES                                                                                            \
  "<p>A swarm left the school garden on Thursday and settled under the roof of the post office, where " \
  "nobody "                                                                                             \
  "dared to open a window until the beekeeper came with his ladder.</p>"                                \
  "<p>She says that the hive had become too small for them, and that the children may name the new "    \
  "queen.</p>"

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "old caller, header %d.%d.%d: %s; last error: \"%s\"\n", ND_VERSION_MAJOR, ND_VERSION_MINOR,
          ND_VERSION_PATCH, what, nd_last_error());
  exit(1);
}

static nd_page* page_of(const char* url, const char* body) {
  const nd_page start = ND_PAGE_INIT;
  nd_page* page = fenced_copy(&start, sizeof start);
  page->url_size = strlen(url);
  page->url = fenced_copy(url, page->url_size);
  page->body_size = strlen(body);
  page->body = fenced_copy(body, page->body_size);
  page->fetched_at_ms = 1000000000000;
  return page;
}

static nd_result* empty_result(void) {
  const nd_result start = ND_RESULT_INIT;
  return fenced_copy(&start, sizeof start);
}

static nd_buffer* empty_buffer(void) {
  const nd_buffer start = ND_BUFFER_INIT;
  return fenced_copy(&start, sizeof start);
}

static nd_result* check(nd_engine* engine, const char* url, const char* body) {
  nd_result* result = empty_result();
  require(nd_check_page(engine, page_of(url, body), result) == ND_OK, url);
  require(result->struct_size == sizeof *result && result->page_id != 0 && result->group_id != 0,
          "an answer in its place");
  return result;
}

static nd_stats* stats_of(nd_engine* engine) {
  const nd_stats start = ND_STATS_INIT;
  nd_stats* stats = fenced_copy(&start, sizeof start);
  require(nd_get_stats(engine, stats) == ND_OK, "statistics of this header's size");
  return stats;
}

static const char* const kMill = "http://mill.example/again";
static const char* const kCopy = "http://paper.example/the-mill";
static const char* const kBees = "http://garden.example/swarm";
static const char* const kImage = "http://garden.example/queen.png";

static const char* const kMillText = "<html><title>Mill</title><body>" MILL "</body></html>";
static const char* const kCopyText =
    "<html><title>Mill</title><body>" MILL "<p>More in our next issue.</p></body></html>";
static const char* const kBeesText = "<html><title>Bees</title><body>" BEES "</body></html>";

static void use_versions(void) {
  require(nd_version() >= (uint32_t)HEADER_VERSION, "the library is not older than the header");
  require(nd_version_string()[0] == (char)('0' + (nd_version() >> 16)), "the version as text");
  require(nd_status_string(ND_ERR_LOCKED)[0] != 0 && nd_status_string(-4711)[0] != 0,
          "a name of each status");
}

static void use_options(nd_options** options_out) {
  nd_options* options = NULL;
  size_t index;
  require(nd_options_new(&options) == ND_OK, "options");
  for (index = 0;; ++index) {
    const nd_option_info start = ND_OPTION_INFO_INIT;
    nd_option_info* info = fenced_copy(&start, sizeof start);
    const nd_status status = nd_options_describe(index, info);
    size_t size = 0;
    char* value;
    if (status == ND_ERR_NOT_FOUND) break;
    require(status == ND_OK && info->key[0] && info->type[0] && info->help[0], "an option tells what it is");
    require(nd_options_get(options, info->key, NULL, &size) == ND_OK, "how long a value is");
    size += 1;
    value = fenced_zeros(size);
    require(nd_options_get(options, info->key, value, &size) == ND_OK && value[0], info->key);
    require(nd_options_set(options, info->key, info->default_value) == ND_OK, "a default can be set");
  }
  require(index > 10, "there are options");
  require(nd_options_set(options, "memory_budget_bytes", "100000000") == ND_OK, "an option is set");
  require(nd_options_set(options, "no_such_key", "1") < 0 && nd_last_error()[0] != 0,
          "an unknown key is an error");
  *options_out = options;
}

static void use_checks(nd_engine* engine) {
  nd_result* founder = check(engine, kMill, kMillText);
  nd_result* copy = check(engine, kCopy, kCopyText);
  nd_result* bees = check(engine, kBees, kBeesText);
  nd_result* image = check(engine, kImage, "\x89PNG\r\n\x1a\n\x01\x02\x03");
  nd_result* again = check(engine, kMill, kMillText);
  nd_result* asked = empty_result();
  nd_buffer* text = empty_buffer();
  require(founder->verdict == ND_NEW && founder->group_id == founder->page_id,
          "the first page founds a group");
  require(copy->verdict == ND_NEAR && copy->group_id == founder->group_id, "its copy joins it");
  require(copy->matched_page_id == founder->page_id && copy->resemblance > .5 && copy->containment > .9 &&
              copy->page_coverage > .5 && copy->matched_coverage > .9 &&
              (copy->flags & ND_FLAG_UNVERIFIED) == 0,
          "verified, with its ratios");
  require(bees->verdict == ND_NEW && bees->group_id != founder->group_id,
          "another text founds another group");
  require(image->verdict == ND_NO_TEXT, "an image has no text");
  require(again->verdict == ND_UNCHANGED && again->page_id == founder->page_id &&
              (again->flags & ND_FLAG_RECRAWL),
          "a recrawl");
  require(nd_query_page(engine, page_of("http://third.example/", kMillText), asked) == ND_OK, "a query");
  require(asked->verdict == ND_EXACT && asked->page_id == 0 && asked->group_id == founder->group_id,
          "finds the group");
  require(nd_own_text(engine, page_of(kMill, kMillText), text) == ND_OK && text->size > 100, "its own text");
  require(nd_check_page_text(engine, page_of(kMill, kMillText), again, text) == ND_OK && text->size > 100 &&
              again->verdict == ND_UNCHANGED,
          "a check with it");
  nd_buffer_free(text);
}

struct walk {
  uint64_t groups, pages, members, events, similar;
};

static int32_t count_group(const nd_group_info* info, void* walk) {
  ((struct walk*)walk)->groups += 1;
  ((struct walk*)walk)->pages += info->page_count;
  return info->struct_size < sizeof *info;
}

static int32_t count_member(const nd_page_info* info, const char* url, size_t url_size, void* walk) {
  ((struct walk*)walk)->members +=
      url_size == strlen(kMill) && memcmp(url, kMill, url_size) == 0 && info->verdict == ND_NEW;
  ((struct walk*)walk)->members +=
      url_size == strlen(kCopy) && memcmp(url, kCopy, url_size) == 0 && info->verdict == ND_NEAR;
  return info->struct_size < sizeof *info;
}

static int32_t count_event(const nd_event* event, void* walk) {
  ((struct walk*)walk)->events += event->kind == ND_EVENT_REMOVED && event->sequence != 0;
  return event->struct_size < sizeof *event;
}

static int32_t count_similar(const nd_similar_page* similar, const char* url, size_t url_size, void* walk) {
  ((struct walk*)walk)->similar +=
      url_size == strlen(kCopy) && memcmp(url, kCopy, url_size) == 0 && similar->score > 0.5;
  return similar->struct_size < sizeof *similar;
}

static const nd_page_info* kept_page(nd_engine* engine, uint64_t group_id, int32_t rule) {
  const nd_page_info start = ND_PAGE_INFO_INIT;
  nd_page_info* info = fenced_copy(&start, sizeof start);
  require(nd_kept_page(engine, group_id, rule, info, NULL, NULL) == ND_OK, "a page is kept");
  return info;
}

static int choose_second(void) {
  nd_copy copies[2] = {ND_COPY_INIT, ND_COPY_INIT};
  copies[1].text_width = 10;
  const nd_copy* fenced = fenced_copy(copies, sizeof copies);
  size_t* index = fenced_zeros(sizeof *index);
  return nd_choose_copy(fenced, 2, ND_KEEP_LONGEST, index) == ND_OK && *index == 1;
}

static nd_page_info* info_of(nd_engine* engine, const char* url) {
  const nd_page_info start = ND_PAGE_INFO_INIT;
  nd_page_info* info = fenced_copy(&start, sizeof start);
  require(nd_find_page(engine, url, strlen(url), info) == ND_OK && info->page_id != 0, url);
  return info;
}

static void use_views(nd_engine* engine) {
  const nd_page_info* mill = info_of(engine, kMill);
  const nd_page_info* copy = info_of(engine, kCopy);
  const nd_page_info start = ND_PAGE_INFO_INIT;
  nd_page_info* by_id = fenced_copy(&start, sizeof start);
  size_t url_size = strlen(kCopy) + 1;
  char* url = fenced_zeros(url_size);
  nd_buffer* text = empty_buffer();
  struct walk walk = {0, 0, 0, 0, 0};
  const nd_stats* stats;

  require(mill->verdict == ND_NEW && mill->last_fetched_at_ms == 1000000000000 && mill->text_width > 200,
          "what is known of a page");
  require(nd_get_page(engine, copy->page_id, by_id, url, &url_size) == ND_OK && !strcmp(url, kCopy),
          "a page of an id");
  require(by_id->group_id == mill->group_id && copy->verdict == ND_NEAR, "in its group");
  require(
      copy->text_hash != mill->text_hash && copy->matched_page_id == mill->page_id && copy->resemblance > .5,
      "what a check keeps");
  require(nd_each_group(engine, count_group, &walk) == ND_OK && walk.groups == 3 && walk.pages == 4,
          "all groups");
  require(nd_each_page(engine, mill->group_id, count_member, &walk) == ND_OK && walk.members == 2,
          "both members");
  const nd_page_info* kept = kept_page(engine, mill->group_id, ND_KEEP_FIRST);
  require(kept->page_id == mill->page_id, "the first is kept");
  require(choose_second(), "the longer copy is kept");

  require(nd_explain(engine, mill->page_id, copy->page_id, text) == ND_OK &&
              strstr(text->data, "\"verdict\":\"near\""),
          "explained");
  nd_result* compared = empty_result();
  require(nd_compare_pages(engine, mill->page_id, copy->page_id, compared) == ND_OK &&
              compared->verdict == ND_NEAR && compared->matched_page_id == mill->page_id,
          "compared");
  require(nd_similar_pages(engine, mill->page_id, 10, count_similar, &walk) == ND_OK && walk.similar == 1,
          "the copy is similar");
  require(nd_metrics(engine, text) == ND_OK && strstr(text->data, "ndc_"), "metrics");
  require(
      nd_extract(page_of(kMill, kMillText), NULL, text) == ND_OK && strstr(text->data, "\"kind\":\"html\""),
      "extracted");
  nd_buffer_free(text);

  stats = stats_of(engine);
  require(stats->pages == 4 && stats->groups == 3 && stats->checks == 6 && stats->queries == 1, "counts");
  require(stats->verdict_new == 2 && stats->verdict_near == 1 && stats->verdict_no_text == 1 &&
              stats->verdict_unchanged == 2,
          "verdicts");
  require(stats->recrawls == 2 && stats->keys > 0 && stats->bytes_total > 0 && stats->verifications > 0,
          "more counts");
}

typedef struct record {
  const void* data;
  size_t size;
} record;

static record features_of(const char* url, const char* body) {
  nd_buffer* buffer = empty_buffer();
  record bytes;
  require(nd_features_compute(page_of(url, body), NULL, buffer) == ND_OK && buffer->size > 100, "features");
  bytes.data = fenced_copy(buffer->data, buffer->size);
  bytes.size = buffer->size;
  nd_buffer_free(buffer);
  return bytes;
}

static uint64_t* numbers_of(nd_status (*call)(const void*, size_t, uint64_t*, size_t*), record features,
                            size_t* count) {
  uint64_t* numbers;
  *count = 0;
  require(call(features.data, features.size, NULL, count) == ND_OK && *count > 0, "how many numbers");
  numbers = fenced_zeros(*count * sizeof *numbers);
  require(call(features.data, features.size, numbers, count) == ND_OK, "the numbers");
  return numbers;
}

static void use_features(void) {
  record* all = fenced_zeros(3 * sizeof *all);
  nd_result* compared = empty_result();
  nd_buffer* saved = empty_buffer();
  nd_buffer* on_site = empty_buffer();
  nd_buffer* kept = empty_buffer();
  nd_record_info* info = fenced_zeros(sizeof *info);
  nd_site_model* site = NULL;
  nd_engine* engine = NULL;
  uint64_t* parts;
  size_t count = 0;
  int i;
  info->struct_size = sizeof *info;
  all[0] = features_of(kMill, kMillText);
  all[1] = features_of(kCopy, kCopyText);
  all[2] = features_of(kBees, kBeesText);
  (void)numbers_of(nd_features_keys, all[0], &count);
  parts = numbers_of(nd_features_parts, all[1], &count);
  require(nd_site_model_new(&site) == ND_OK, "a site");
  require(nd_site_model_learn(site, parts, count) == ND_OK, "a page learned");
  require(nd_site_model_save(site, NULL, 0, saved) == ND_OK, "a site saved");
  require(nd_site_model_merge(site, saved->data, saved->size) == ND_OK, "a site merged");
  require(nd_site_model_forget(site, parts, count) == ND_OK, "a page forgotten");
  require(nd_features_with_site(all[1].data, all[1].size, saved->data, saved->size, on_site) == ND_OK,
          "a page with its site");
  nd_site_model_free(site);
  require(nd_features_decide(all[0].data, all[0].size, on_site->data, on_site->size, NULL, compared) == ND_OK,
          "decided");
  require(compared->verdict == ND_NEAR || compared->verdict == ND_EXACT, "still near");
  require(nd_features_representative(on_site->data, on_site->size, saved->data, saved->size, kept) == ND_OK,
          "a representative");
  require(nd_features_info(kept->data, kept->size, info) == ND_OK, "what it says");
  require(info->contents == ND_RECORD_TEXT && info->site_pages == 1, "the page alone with its site");
  nd_buffer_free(kept);
  nd_buffer_free(saved);
  nd_buffer_free(on_site);

  require(nd_open(NULL, NULL, &engine) == ND_OK, "an engine in memory");
  for (i = 0; i < 3; ++i) {
    require(nd_query_features(engine, all[i].data, all[i].size, compared) == ND_OK,
            "features are asked about");
    require(nd_check_features(engine, all[i].data, all[i].size, compared) == ND_OK, "features are checked");
    require(compared->verdict == (i == 1 ? ND_NEAR : ND_NEW), "as their page is");
  }
  require(nd_snapshot(engine) == ND_ERR_INVALID_ARGUMENT, "an engine in memory has no snapshots");
  require(nd_settle(engine, NULL, NULL) == ND_OK, "settled");
  require(nd_close(engine) == ND_OK, "closed");
}

static void use_readers(void) {
  nd_reader** reader = fenced_zeros(sizeof *reader);
  nd_buffer* out = empty_buffer();
  uint8_t* signature = fenced_zeros(ND_SIGNATURE_MAX_SIZE);
  size_t size = ND_SIGNATURE_MAX_SIZE;
  const record mill = features_of(kMill, kMillText);
  require(nd_reader_new(NULL, reader) == ND_OK && *reader != NULL, "a reader");
  require(nd_reader_features(*reader, page_of(kMill, kMillText), out) == ND_OK, "features by it");
  require(out->size == mill.size && memcmp(out->data, mill.data, mill.size) == 0, "the same features");
  require(nd_reader_extract(*reader, page_of(kMill, kMillText), out) == ND_OK && out->size > 0,
          "a report by it");
  require(nd_reader_signature(*reader, page_of(kMill, kMillText), signature, &size) == ND_OK && size > 0,
          "a signature by it");
  nd_buffer_free(out);
  nd_reader_free(*reader);
  nd_reader_free(NULL);
}

static size_t signature_of(const char* body, uint8_t* signature) {
  size_t size = ND_SIGNATURE_MAX_SIZE;
  require(nd_signature_compute(page_of(kMill, body), NULL, signature, &size) == ND_OK && size > 0,
          "a signature");
  return size;
}

static void use_signatures(void) {
  uint8_t* mill = fenced_zeros(ND_SIGNATURE_MAX_SIZE);
  uint8_t* copy = fenced_zeros(ND_SIGNATURE_MAX_SIZE);
  const size_t mill_size = signature_of(kMillText, mill);
  const size_t copy_size = signature_of(kCopyText, copy);
  uint64_t* keys = fenced_zeros(32 * sizeof *keys);
  size_t count = 32;
  double* similarity = fenced_zeros(sizeof *similarity);
  require(nd_signature_keys(mill, mill_size, keys, &count) == ND_OK && count > 0, "keys of a signature");
  require(nd_signature_compare(mill, mill_size, copy, copy_size, similarity) == ND_OK && *similarity > .3,
          "signatures are alike");
}

static int32_t count_fault(const nd_store_fault* fault, void* count) {
  *(int*)count += fault->offset < UINT64_MAX;
  return 0;
}

/* What was checked is there again, in the order of a caller that stops and goes on. */
struct merged_rows {
  uint64_t count;
  int same; /* every page has the ids that it had */
};

static int32_t add_merged_row(const nd_merged_page* page, const char* url, size_t url_size, void* ctx) {
  struct merged_rows* rows = ctx;
  (void)url;
  rows->same = (rows->count++ == 0 || rows->same) && page->kind == ND_MERGED_OLDER && url_size > 0 &&
               page->old_page_id == page->page_id && page->old_group_id == page->group_id;
  return 0;
}

static void use_store(const char* path, const nd_options* options, nd_engine* engine) {
  nd_engine* other = NULL;
  nd_options* reading = NULL;
  nd_buffer* place = empty_buffer();
  const nd_page_info* before = info_of(engine, kCopy);
  require(nd_open(path, options, &other) == ND_ERR_LOCKED && other == NULL, "a store has one writer");
  require(nd_set_bookmark(engine, "archive", "7:4096", 6) == ND_OK && nd_snapshot(engine) == ND_OK,
          "a snapshot");
  require(nd_compact(engine) == ND_OK, "compacted");
  require(stats_of(engine)->generation > 0 && stats_of(engine)->bytes_disk > 0, "what is counted of a store");
  require(nd_options_new(&reading) == ND_OK && nd_options_set(reading, "read_only", "true") == ND_OK,
          "a reader's options");
  require(nd_open(path, reading, &other) == ND_OK && nd_refresh(other) == ND_OK,
          "a reader beside the writer");
  require(info_of(other, kCopy)->group_id == before->group_id, "sees the same");
  require(nd_remove_page(other, kCopy, strlen(kCopy)) == ND_ERR_READ_ONLY, "and changes nothing");
  require(nd_close(other) == ND_OK && nd_close(engine) == ND_OK, "both close");
  nd_options_free(reading);
  {
    int faults = 0;
    require(nd_verify_store(path, count_fault, &faults) == ND_OK && faults == 0, "a store without faults");
  }
  {
    const nd_repair_counts start = ND_REPAIR_COUNTS_INIT;
    nd_repair_counts* repair = fenced_copy(&start, sizeof start);
    int losses = 0;
    char saved[1024];
    snprintf(saved, sizeof saved, "%s.saved", path);
    require(nd_repair_store(path, saved, count_fault, &losses, repair) == ND_OK && losses == 0,
            "nothing is lost of a whole store");
    require(repair->pages > 0 && repair->pages_lost == 0 && repair->losses == 0, "what was saved");
    {
      const nd_merge_counts none = ND_MERGE_COUNTS_INIT;
      nd_merge_counts* merge = fenced_copy(&none, sizeof none);
      struct merged_rows rows = {0, 0};
      char merged[1100];
      snprintf(merged, sizeof merged, "%s.merged", path);
      require(nd_merge_stores(path, saved, merged, options, add_merged_row, &rows, merge) == ND_OK,
              "a store and its copy become one");
      require(merge->pages == repair->pages && merge->older == rows.count && rows.count > 0 && rows.same,
              "whose pages are those of the store");
    }
  }
  require(nd_open(path, options, &engine) == ND_OK, "opened again");
  require(info_of(engine, kCopy)->page_id == before->page_id, "a page has its id still");
  require(nd_get_bookmark(engine, "archive", place) == ND_OK && place->size == 6 &&
              !memcmp(place->data, "7:4096", 6),
          "the bookmark");
  require(check(engine, kCopy, kCopyText)->verdict == ND_UNCHANGED, "known from before");
  nd_buffer_free(place);
  require(nd_close(engine) == ND_OK, "closed");
}

static void use_removal(nd_engine* engine) {
  const nd_filter start = ND_FILTER_INIT;
  nd_filter* filter = fenced_copy(&start, sizeof start);
  uint64_t* removed = fenced_zeros(sizeof *removed);
  struct walk walk = {0, 0, 0, 0, 0};
  require(check(engine, kMill, kMillText)->verdict == ND_NEW &&
              check(engine, kBees, kBeesText)->verdict == ND_NEW,
          "two pages");
  require(nd_remove_page(engine, kMill, strlen(kMill)) == ND_OK, "removed");
  require(nd_remove_page(engine, kMill, strlen(kMill)) == ND_ERR_NOT_FOUND, "once");
  filter->site = "garden.example";
  filter->site_size = strlen(filter->site);
  require(nd_remove_matching(engine, filter, removed) == ND_OK && *removed == 1, "removed by site");
  require(nd_each_event(engine, 0, count_event, &walk) == ND_OK && walk.events == 2, "an event each");
  require(stats_of(engine)->pages == 0 && stats_of(engine)->removed == 2, "nothing is left");
}

static void* allocate(size_t size, void* ctx) {
  *(size_t*)ctx += 1;
  return malloc(size);
}

static void* reallocate(void* memory, size_t size, void* ctx) {
  *(size_t*)ctx += 1;
  return realloc(memory, size);
}

static void release(void* memory, void* ctx) {
  (void)ctx;
  free(memory);
}

static void count_line(int32_t level, const char* message, size_t message_size, void* ctx) {
  *(int*)ctx += level >= ND_LOG_ERROR && message != NULL && message_size > 0;
}

int main(int argc, char** argv) {
  static size_t allocations = 0;
  static int lines = 0;
  const nd_allocator start = ND_ALLOCATOR_INIT;
  nd_allocator* allocator = fenced_copy(&start, sizeof start);
  nd_options* options = NULL;
  nd_engine* engine = NULL;
  require(argc == 2, "usage: old_caller DIRECTORY");

  allocator->malloc_fn = allocate;
  allocator->realloc_fn = reallocate;
  allocator->free_fn = release;
  allocator->ctx = &allocations;
  require(nd_set_allocator(allocator) == ND_OK, "its own memory");
  use_versions();
  use_options(&options);
  require(nd_options_set_logger(options, count_line, &lines) == ND_OK, "the log of what it opens");
  require(nd_open(argv[1], options, &engine) == ND_OK, "a store is made");
  require(nd_set_logger(engine, count_line, &lines) == ND_OK, "its log");
  use_checks(engine);
  use_views(engine);
  use_store(argv[1], options, engine);
  use_features();
  use_readers();
  use_signatures();
  require(nd_open(NULL, options, &engine) == ND_OK, "an engine in memory");
  use_removal(engine);
  require(nd_close(engine) == ND_OK && nd_close(NULL) == ND_OK, "closed");
  nd_options_free(options);
  require(allocations > 0, "its memory was used");
  require(fences_stand(), "a byte before what was passed has changed");
  printf("header %d.%d.%d, library %s\n", ND_VERSION_MAJOR, ND_VERSION_MINOR, ND_VERSION_PATCH,
         nd_version_string());
  return 0;
}
