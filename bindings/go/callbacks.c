/* Rows are copied as they come, since what they point to lives until the callback returns. */
#include "callbacks.h"

#include <string.h>

/* Room for a row with a text; NULL ends the rows. */
static char *add_row(ndgo_rows *rows, const void *row, size_t row_size, size_t text_size) {
  const uint64_t size = text_size;
  const size_t needed = rows->size + row_size + sizeof(size) + ((text_size + 7) & ~(size_t)7);
  if (needed > rows->capacity) {
    char *grown = realloc(rows->data, 2 * needed);
    if (grown == NULL) {
      rows->no_memory = 1;
      return NULL;
    }
    rows->data = grown;
    rows->capacity = 2 * needed;
  }
  char *place = rows->data + rows->size;
  memcpy(place, row, row_size);
  memcpy(place + row_size, &size, sizeof(size));
  rows->size = needed;
  return place + row_size + sizeof(size);
}

static int32_t add_row_with_text(void *rows, const void *row, size_t row_size, const char *text, size_t text_size) {
  char *place = add_row(rows, row, row_size, text_size);
  if (place != NULL && text_size != 0) memcpy(place, text, text_size);
  return place == NULL;
}

int32_t ndgo_page_row(const nd_page_info *info, const char *url, size_t url_size, void *rows) {
  return add_row_with_text(rows, info, sizeof(*info), url, url_size);
}

int32_t ndgo_group_row(const nd_group_info *info, void *rows) {
  return add_row_with_text(rows, info, sizeof(*info), NULL, 0);
}

int32_t ndgo_event_row(const nd_event *event, void *rows) {
  return add_row_with_text(rows, event, sizeof(*event), NULL, 0);
}

int32_t ndgo_similar_row(const nd_similar_page *similar, const char *url, size_t url_size, void *rows) {
  return add_row_with_text(rows, similar, sizeof(*similar), url, url_size);
}

int32_t ndgo_settled_row(const nd_result *result, const char *url, size_t url_size, void *rows) {
  return add_row_with_text(rows, result, sizeof(*result), url, url_size);
}

int32_t ndgo_fault_row(const nd_store_fault *fault, void *rows) {
  const size_t file_size = strlen(fault->file) + 1, sentence_size = strlen(fault->sentence);
  char *place = add_row(rows, &fault->offset, sizeof(fault->offset), file_size + sentence_size);
  if (place == NULL) return 1;
  memcpy(place, fault->file, file_size);
  memcpy(place + file_size, fault->sentence, sentence_size);
  return 0;
}

/* Exported by log.go. */
extern void ndgoLogLine(int32_t level, char *message, size_t message_size, uintptr_t log);

static void log_line(int32_t level, const char *message, size_t message_size, void *log) {
  ndgoLogLine(level, (char *)message, message_size, (uintptr_t)log);
}

nd_status ndgo_set_logger(nd_options *options, uintptr_t log) {
  return nd_options_set_logger(options, log_line, (void *)log);
}
