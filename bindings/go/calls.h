/* What cgo cannot say about ndcapi.h: structures that point to the strings of Go, and callbacks. */
#ifndef NDC_GO_CALLS_H
#define NDC_GO_CALLS_H

#include <ndcapi.h>
#include <stdlib.h>

static inline nd_page ndgo_page(_GoString_ url, const char *body, size_t body_size, _GoString_ content_type,
                                int64_t fetched_at_ms, uint32_t flags) {
  const nd_page page = {sizeof(nd_page), flags,     _GoStringPtr(url),          _GoStringLen(url),
                        body,            body_size, _GoStringPtr(content_type), _GoStringLen(content_type),
                        fetched_at_ms};
  return page;
}

enum { NDGO_CHECK, NDGO_QUERY, NDGO_OWN_TEXT, NDGO_CHECK_WITH_TEXT };

static inline nd_status ndgo_engine_page(nd_engine *engine, int call, _GoString_ url, const char *body,
                                         size_t body_size, _GoString_ content_type, int64_t fetched_at_ms,
                                         uint32_t flags, nd_result *result, nd_buffer *text) {
  const nd_page page = ndgo_page(url, body, body_size, content_type, fetched_at_ms, flags);
  switch (call) {
    case NDGO_CHECK: return nd_check_page(engine, &page, result);
    case NDGO_QUERY: return nd_query_page(engine, &page, result);
    case NDGO_OWN_TEXT: return nd_own_text(engine, &page, text);
    default: return nd_check_page_text(engine, &page, result, text);
  }
}

enum { NDGO_EXTRACT, NDGO_FEATURES, NDGO_SIGNATURE };

/* A signature takes the place of the buffer's bytes: it goes to `signature`, of ND_SIGNATURE_MAX_SIZE. */
static inline nd_status ndgo_reader_page(nd_reader *reader, int call, _GoString_ url, const char *body,
                                         size_t body_size, _GoString_ content_type, int64_t fetched_at_ms,
                                         uint32_t flags, nd_buffer *out, uint8_t *signature, size_t *signature_size) {
  const nd_page page = ndgo_page(url, body, body_size, content_type, fetched_at_ms, flags);
  switch (call) {
    case NDGO_EXTRACT: return nd_reader_extract(reader, &page, out);
    case NDGO_FEATURES: return nd_reader_features(reader, &page, out);
    default: return nd_reader_signature(reader, &page, signature, signature_size);
  }
}

static inline nd_status ndgo_remove_matching(nd_engine *engine, _GoString_ prefix, _GoString_ site,
                                             int64_t fetched_before_ms, uint32_t flags, uint64_t *removed) {
  const nd_filter filter = {sizeof(nd_filter),  flags,
                            _GoStringPtr(prefix), _GoStringLen(prefix),
                            _GoStringPtr(site),   _GoStringLen(site),
                            fetched_before_ms};
  return nd_remove_matching(engine, &filter, removed);
}

#endif /* NDC_GO_CALLS_H */
