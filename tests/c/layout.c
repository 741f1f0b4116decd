/* What compiled programs hold fast: the place of every field that callers were compiled against, and the
 * value of every code. A structure may grow at its end; nothing here may change. Sizes are those of 64-bit
 * platforms. */
#include <ndcapi.h>

#define FIELD(type, field, at) _Static_assert(offsetof(type, field) == (at), #type "." #field " moved")
#define VALUE(name, value) _Static_assert((name) == (value), #name " changed")

_Static_assert(sizeof(void*) == 8 && sizeof(size_t) == 8, "the offsets below are for 64-bit platforms");
_Static_assert(sizeof(nd_status) == 4 && (nd_status)-1 < 0, "nd_status is int32_t");

FIELD(nd_page, struct_size, 0);
FIELD(nd_page, flags, 4);
FIELD(nd_page, url, 8);
FIELD(nd_page, url_size, 16);
FIELD(nd_page, body, 24);
FIELD(nd_page, body_size, 32);
FIELD(nd_page, content_type, 40);
FIELD(nd_page, content_type_size, 48);
FIELD(nd_page, fetched_at_ms, 56);
_Static_assert(sizeof(nd_page) >= 64, "nd_page shrank");

FIELD(nd_result, struct_size, 0);
FIELD(nd_result, verdict, 4);
FIELD(nd_result, flags, 8);
FIELD(nd_result, reserved, 12);
FIELD(nd_result, page_id, 16);
FIELD(nd_result, group_id, 24);
FIELD(nd_result, matched_page_id, 32);
FIELD(nd_result, resemblance, 40);
FIELD(nd_result, containment, 48);
FIELD(nd_result, page_coverage, 56);
FIELD(nd_result, matched_coverage, 64);
_Static_assert(sizeof(nd_result) >= 72, "nd_result shrank");
_Static_assert(ND_RESULT_MIN_SIZE == offsetof(nd_result, containment) + sizeof(double),
               "the smallest result ends with containment");

FIELD(nd_buffer, struct_size, 0);
FIELD(nd_buffer, reserved, 4);
FIELD(nd_buffer, data, 8);
FIELD(nd_buffer, size, 16);
FIELD(nd_buffer, capacity, 24);

FIELD(nd_allocator, struct_size, 0);
FIELD(nd_allocator, reserved, 4);
FIELD(nd_allocator, malloc_fn, 8);
FIELD(nd_allocator, realloc_fn, 16);
FIELD(nd_allocator, free_fn, 24);
FIELD(nd_allocator, ctx, 32);

FIELD(nd_option_info, struct_size, 0);
FIELD(nd_option_info, persistent, 4);
FIELD(nd_option_info, key, 8);
FIELD(nd_option_info, type, 16);
FIELD(nd_option_info, default_value, 24);
FIELD(nd_option_info, range, 32);
FIELD(nd_option_info, help, 40);

FIELD(nd_filter, struct_size, 0);
FIELD(nd_filter, flags, 4);
FIELD(nd_filter, url_prefix, 8);
FIELD(nd_filter, url_prefix_size, 16);
FIELD(nd_filter, site, 24);
FIELD(nd_filter, site_size, 32);
FIELD(nd_filter, fetched_before_ms, 40);

FIELD(nd_page_info, struct_size, 0);
FIELD(nd_page_info, verdict, 4);
FIELD(nd_page_info, flags, 8);
FIELD(nd_page_info, page_id, 16);
FIELD(nd_page_info, group_id, 24);
FIELD(nd_page_info, first_fetched_at_ms, 32);
FIELD(nd_page_info, last_fetched_at_ms, 40);
FIELD(nd_page_info, text_width, 48);
FIELD(nd_page_info, text_hash, 56);
FIELD(nd_page_info, matched_page_id, 64);
FIELD(nd_page_info, resemblance, 72);
FIELD(nd_page_info, containment, 80);

FIELD(nd_group_info, struct_size, 0);
FIELD(nd_group_info, tombstone, 4);
FIELD(nd_group_info, group_id, 8);
FIELD(nd_group_info, representative_page_id, 16);
FIELD(nd_group_info, page_count, 24);

FIELD(nd_event, struct_size, 0);
FIELD(nd_event, kind, 4);
FIELD(nd_event, sequence, 8);
FIELD(nd_event, page_id, 16);
FIELD(nd_event, old_group_id, 24);
FIELD(nd_event, new_group_id, 32);
FIELD(nd_event, at_ms, 40);

FIELD(nd_stats, struct_size, 0);
FIELD(nd_stats, pages, 8);
FIELD(nd_stats, groups, 16);

FIELD(nd_bytes, data, 0);
FIELD(nd_bytes, size, 8);
_Static_assert(sizeof(nd_bytes) == 16, "nd_bytes is an array's element and cannot grow");

VALUE(ND_OK, 0);
VALUE(ND_ERR_INVALID_ARGUMENT, -1);
VALUE(ND_ERR_NO_MEMORY, -2);
VALUE(ND_ERR_IO, -3);
VALUE(ND_ERR_CORRUPT, -4);
VALUE(ND_ERR_UNSUPPORTED_VERSION, -5);
VALUE(ND_ERR_LOCKED, -6);
VALUE(ND_ERR_READ_ONLY, -7);
VALUE(ND_ERR_NOT_FOUND, -8);
VALUE(ND_ERR_LIMIT, -9);
VALUE(ND_ERR_INTERNAL, -10);

VALUE(ND_PAGE_TRUNCATED, 1);

VALUE(ND_NEW, 1);
VALUE(ND_UNCHANGED, 2);
VALUE(ND_EXACT, 3);
VALUE(ND_NEAR, 4);
VALUE(ND_NO_TEXT, 5);

VALUE(ND_FLAG_RECRAWL, 1);
VALUE(ND_FLAG_CHANGED, 2);
VALUE(ND_FLAG_REGROUPED, 4);
VALUE(ND_FLAG_TRUNCATED, 8);
VALUE(ND_FLAG_LIMIT, 16);
VALUE(ND_FLAG_SHORT, 32);
VALUE(ND_FLAG_CONTAINS, 64);
VALUE(ND_FLAG_CONTAINED, 128);
VALUE(ND_FLAG_UNVERIFIED, 256);

VALUE(ND_EVENT_REGROUPED, 1);
VALUE(ND_EVENT_REMOVED, 2);
VALUE(ND_EVENT_REELECTED, 3);
VALUE(ND_EVENT_LIMIT, 4);

VALUE(ND_LOG_ERROR, 1);
VALUE(ND_LOG_WARNING, 2);
VALUE(ND_LOG_INFO, 3);

VALUE(ND_SIGNATURE_MAX_SIZE, 127);

int main(void) {
  return 0;
}
