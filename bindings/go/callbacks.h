/* The callbacks of ndcapi.h, in C: rows are collected here, so that no function of Go runs inside of a call; a line of
 * the log alone goes to Go at once. */
#ifndef NDC_GO_CALLBACKS_H
#define NDC_GO_CALLBACKS_H

#include <ndcapi.h>
#include <stdlib.h>

/* Rows one behind the other: a structure, the size of its text, the text, filled up to 8 bytes. */
typedef struct ndgo_rows {
  char *data;
  size_t size, capacity;
  int32_t no_memory;
} ndgo_rows;

int32_t ndgo_page_row(const nd_page_info *info, const char *url, size_t url_size, void *rows);
int32_t ndgo_group_row(const nd_group_info *info, void *rows);
int32_t ndgo_event_row(const nd_event *event, void *rows);
int32_t ndgo_similar_row(const nd_similar_page *similar, const char *url, size_t url_size, void *rows);
int32_t ndgo_settled_row(const nd_result *result, const char *url, size_t url_size, void *rows);
/* Of a fault the row is its offset, and the text its file and, after a NUL, its sentence. */
int32_t ndgo_fault_row(const nd_store_fault *fault, void *rows);

/* `log` is a handle of Go. */
nd_status ndgo_set_logger(nd_options *options, uintptr_t log);

#endif /* NDC_GO_CALLBACKS_H */
