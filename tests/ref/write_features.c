/* write_features URL BODY FEATURES LEARNED [KEY=VALUE]...: computes the features of the page in the file
 * BODY, with what a site knows that has learned the page so many times if LEARNED is not 0, writes them to
 * the file FEATURES and prints the keys, then the parts, as the library reads them: one a line, "key" or
 * "part" and 16 hex digits. */
#include <inttypes.h>
#include <ndcapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop_on(nd_status status) {
  if (status == ND_OK) return;
  fprintf(stderr, "%s: %s\n", nd_status_string(status), nd_last_error());
  exit(1);
}

static char* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  char* bytes = NULL;
  long end;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0) exit(1);
  rewind(file);
  bytes = malloc((size_t)end + 1);
  if (bytes == NULL || fread(bytes, 1, (size_t)end, file) != (size_t)end) exit(1);
  fclose(file);
  *size = (size_t)end;
  return bytes;
}

typedef nd_status (*read_numbers)(const void* features, size_t size, uint64_t* out, size_t* count);

static uint64_t* numbers_of(read_numbers read, const nd_buffer* features, size_t* count) {
  uint64_t* numbers;
  *count = 0;
  stop_on(read(features->data, features->size, NULL, count));
  numbers = malloc((*count + 1) * sizeof *numbers);
  if (numbers == NULL) exit(1);
  if (*count > 0) stop_on(read(features->data, features->size, numbers, count));
  return numbers;
}

static void add_site(int learned, nd_buffer* features) {
  nd_site_model* site = NULL;
  nd_buffer saved = ND_BUFFER_INIT;
  nd_buffer on_site = ND_BUFFER_INIT;
  size_t count;
  uint64_t* parts = numbers_of(nd_features_parts, features, &count);
  stop_on(nd_site_model_new(&site));
  while (learned-- > 0)
    stop_on(nd_site_model_learn(site, parts, count));
  stop_on(nd_site_model_save(site, parts, count, &saved));
  stop_on(nd_features_with_site(features->data, features->size, saved.data, saved.size, &on_site));
  nd_site_model_free(site);
  nd_buffer_free(&saved);
  nd_buffer_free(features);
  free(parts);
  *features = on_site;
}

static void print_numbers(const char* name, read_numbers read, const nd_buffer* features) {
  size_t count;
  size_t i;
  uint64_t* numbers = numbers_of(read, features, &count);
  for (i = 0; i < count; ++i)
    printf("%s %016" PRIx64 "\n", name, numbers[i]);
  free(numbers);
}

int main(int argc, char** argv) {
  nd_page page = ND_PAGE_INIT;
  nd_buffer features = ND_BUFFER_INIT;
  nd_options* options = NULL;
  char* body;
  FILE* out;
  int i;
  if (argc < 5) return 2;
  stop_on(nd_options_new(&options));
  for (i = 5; i < argc; ++i) {
    char* equals = strchr(argv[i], '=');
    if (equals == NULL) return 2;
    *equals = '\0';
    stop_on(nd_options_set(options, argv[i], equals + 1));
  }
  body = read_file(argv[2], &page.body_size);
  page.url = argv[1];
  page.url_size = strlen(argv[1]);
  page.body = body;
  page.fetched_at_ms = 1700000000000;
  stop_on(nd_features_compute(&page, options, &features));
  if (atoi(argv[4]) > 0) add_site(atoi(argv[4]), &features);
  out = fopen(argv[3], "wb");
  if (out == NULL || fwrite(features.data, 1, features.size, out) != features.size || fclose(out) != 0)
    return 1;
  print_numbers("key", nd_features_keys, &features);
  print_numbers("part", nd_features_parts, &features);
  nd_buffer_free(&features);
  nd_options_free(options);
  free(body);
  return 0;
}
