/* check_folder STORE FOLDER [PAGE PAGE]: checks each file of a folder against a store of pages, which it makes if there
 * is none, says what each is, and then why two of them are, or are not, near-duplicates. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <ndcapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop_on(nd_status status) {
  if (status == ND_OK) return;
  fprintf(stderr, "check_folder: %s\n", nd_last_error());
  exit(1);
}

/* The bytes of a file; the caller frees them. */
static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  size_t capacity = 0;
  *size = 0;
  while (file != NULL && !ferror(file) && !feof(file)) {
    capacity = 2 * capacity + 65536;
    bytes = realloc(bytes, capacity);
    if (bytes == NULL) break;
    *size += fread(bytes + *size, 1, capacity - *size, file);
  }
  if (file == NULL || bytes == NULL || ferror(file)) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

static void print_url(nd_engine *engine, uint64_t page_id) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  char url[4096];
  size_t size = sizeof url;
  stop_on(nd_get_page(engine, page_id, &info, url, &size));
  printf("%s", url);
}

static void check(nd_engine *engine, const char *folder, const char *name) {
  nd_page page = ND_PAGE_INIT;
  nd_result result = ND_RESULT_INIT;
  char path[4096];
  char *bytes;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
    fprintf(stderr, "check_folder: the path of %s is too long\n", name);
    exit(1);
  }
  bytes = read_file(path, &page.body_size);
  page.body = bytes;
  page.url = name; /* here names are what pages are known by */
  page.url_size = strlen(name);
  stop_on(nd_check_page(engine, &page, &result));
  free(bytes);
  printf("%s: ", name);
  switch (result.verdict) {
    case ND_UNCHANGED: printf("unchanged"); break;
    case ND_EXACT:
    case ND_NEAR:
      printf(result.verdict == ND_EXACT ? "exact" : "near");
      if (result.matched_page_id != 0) {
        printf(", like ");
        print_url(engine, result.matched_page_id);
      }
      break;
    case ND_NO_TEXT: printf("no text"); break;
    default: printf("new");
  }
  printf("\n");
}

static uint64_t page_of(nd_engine *engine, const char *name) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  stop_on(nd_find_page(engine, name, strlen(name), &info));
  return info.page_id;
}

static void explain(nd_engine *engine, const char *first, const char *second) {
  uint64_t a = page_of(engine, first);
  uint64_t b = page_of(engine, second);
  nd_result pair = ND_RESULT_INIT;
  nd_buffer json = ND_BUFFER_INIT;
  const char *rule;
  stop_on(nd_compare_pages(engine, a, b, &pair));
  stop_on(nd_explain(engine, a, b, &json)); /* all there is to know; a program with a JSON parser reads more of it */
  rule = strstr(json.data, "\"rule\":\"");
  rule = rule == NULL ? "" : rule + strlen("\"rule\":\"");
  printf("%s and %s: resemblance %.2f, decided by %.*s\n", first, second, pair.resemblance, (int)strcspn(rule, "\""),
         rule);
  nd_buffer_free(&json);
}

static int is_file_name(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

int main(int argc, char **argv) {
  nd_engine *engine = NULL;
  struct dirent **entries;
  int count, i;
  if (argc != 3 && argc != 5) {
    fprintf(stderr, "usage: check_folder STORE FOLDER [PAGE PAGE]\n");
    return 2;
  }
  count = scandir(argv[2], &entries, is_file_name, alphasort);
  if (count < 0) {
    perror(argv[2]);
    return 1;
  }
  stop_on(nd_open(argv[1], NULL, &engine));
  for (i = 0; i < count; ++i) {
    check(engine, argv[2], entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  if (argc == 5) explain(engine, argv[3], argv[4]);
  stop_on(nd_close(engine)); /* all is on the disk when it returns */
  return 0;
}
