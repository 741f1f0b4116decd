/* What compiled programs hold fast: the place of every field that callers were compiled against, and the
 * value of every code. A structure may grow at its end, its SIZE with it; nothing else here may change. Sizes
 * are those of 64-bit platforms. tests/abi/layout_test.py finds what is missing. */
#include <ndcapi.h>

#define FIELD(type, field, at, size)                                        \
  _Static_assert(offsetof(type, field) == (at), #type "." #field " moved"); \
  _Static_assert(sizeof((*(const type*)0).field) == (size), #type "." #field " has another size")
#define SIZE(type, size) \
  _Static_assert(sizeof(type) == (size), #type " has another size: if it grew at its end, write it here")
#define VALUE(name, value) _Static_assert((name) == (value), #name " changed")

_Static_assert(sizeof(void*) == 8 && sizeof(size_t) == 8, "the offsets below are for 64-bit platforms");
_Static_assert(sizeof(nd_status) == 4 && (nd_status)-1 < 0, "nd_status is int32_t");

FIELD(nd_page, struct_size, 0, 4);
FIELD(nd_page, flags, 4, 4);
FIELD(nd_page, url, 8, 8);
FIELD(nd_page, url_size, 16, 8);
FIELD(nd_page, body, 24, 8);
FIELD(nd_page, body_size, 32, 8);
FIELD(nd_page, content_type, 40, 8);
FIELD(nd_page, content_type_size, 48, 8);
FIELD(nd_page, fetched_at_ms, 56, 8);
SIZE(nd_page, 64);

FIELD(nd_result, struct_size, 0, 4);
FIELD(nd_result, verdict, 4, 4);
FIELD(nd_result, flags, 8, 4);
FIELD(nd_result, reserved, 12, 4);
FIELD(nd_result, page_id, 16, 8);
FIELD(nd_result, group_id, 24, 8);
FIELD(nd_result, matched_page_id, 32, 8);
FIELD(nd_result, resemblance, 40, 8);
FIELD(nd_result, containment, 48, 8);
FIELD(nd_result, page_coverage, 56, 8);
FIELD(nd_result, matched_coverage, 64, 8);
FIELD(nd_result, probability, 72, 8);
FIELD(nd_result, related_group_id, 80, 8);
SIZE(nd_result, 88);
_Static_assert((ND_FLAGS_CAUTION & 0xffff) == (ND_FLAG_TRUNCATED | ND_FLAG_LIMIT | ND_FLAG_CONTAINS |
                                               ND_FLAG_CONTAINED | ND_FLAG_UNCERTAIN),
               "those that are named today");

FIELD(nd_buffer, struct_size, 0, 4);
FIELD(nd_buffer, reserved, 4, 4);
FIELD(nd_buffer, data, 8, 8);
FIELD(nd_buffer, size, 16, 8);
FIELD(nd_buffer, capacity, 24, 8);
SIZE(nd_buffer, 32);

FIELD(nd_allocator, struct_size, 0, 4);
FIELD(nd_allocator, reserved, 4, 4);
FIELD(nd_allocator, malloc_fn, 8, 8);
FIELD(nd_allocator, realloc_fn, 16, 8);
FIELD(nd_allocator, free_fn, 24, 8);
FIELD(nd_allocator, ctx, 32, 8);
SIZE(nd_allocator, 40);

FIELD(nd_option_info, struct_size, 0, 4);
FIELD(nd_option_info, persistent, 4, 4);
FIELD(nd_option_info, key, 8, 8);
FIELD(nd_option_info, type, 16, 8);
FIELD(nd_option_info, default_value, 24, 8);
FIELD(nd_option_info, range, 32, 8);
FIELD(nd_option_info, help, 40, 8);
FIELD(nd_option_info, needs, 48, 8);
FIELD(nd_option_info, acts_on, 56, 8);
SIZE(nd_option_info, 64);

FIELD(nd_filter, struct_size, 0, 4);
FIELD(nd_filter, flags, 4, 4);
FIELD(nd_filter, url_prefix, 8, 8);
FIELD(nd_filter, url_prefix_size, 16, 8);
FIELD(nd_filter, site, 24, 8);
FIELD(nd_filter, site_size, 32, 8);
FIELD(nd_filter, fetched_before_ms, 40, 8);
SIZE(nd_filter, 48);

FIELD(nd_store_fault, struct_size, 0, 4);
FIELD(nd_store_fault, reserved, 4, 4);
FIELD(nd_store_fault, file, 8, 8);
FIELD(nd_store_fault, offset, 16, 8);
FIELD(nd_store_fault, sentence, 24, 8);
SIZE(nd_store_fault, 32);

FIELD(nd_repair_counts, struct_size, 0, 4);
FIELD(nd_repair_counts, reserved, 4, 4);
FIELD(nd_repair_counts, pages, 8, 8);
FIELD(nd_repair_counts, groups, 16, 8);
FIELD(nd_repair_counts, pages_lost, 24, 8);
FIELD(nd_repair_counts, losses, 32, 8);
SIZE(nd_repair_counts, 40);

FIELD(nd_merged_page, struct_size, 0, 4);
FIELD(nd_merged_page, kind, 4, 4);
FIELD(nd_merged_page, old_page_id, 8, 8);
FIELD(nd_merged_page, old_group_id, 16, 8);
FIELD(nd_merged_page, page_id, 24, 8);
FIELD(nd_merged_page, group_id, 32, 8);
SIZE(nd_merged_page, 40);

FIELD(nd_merge_counts, struct_size, 0, 4);
FIELD(nd_merge_counts, reserved, 4, 4);
FIELD(nd_merge_counts, pages, 8, 8);
FIELD(nd_merge_counts, groups, 16, 8);
FIELD(nd_merge_counts, added, 24, 8);
FIELD(nd_merge_counts, newer, 32, 8);
FIELD(nd_merge_counts, older, 40, 8);
FIELD(nd_merge_counts, withheld, 48, 8);
FIELD(nd_merge_counts, joined, 56, 8);
SIZE(nd_merge_counts, 64);

FIELD(nd_page_info, struct_size, 0, 4);
FIELD(nd_page_info, verdict, 4, 4);
FIELD(nd_page_info, flags, 8, 4);
FIELD(nd_page_info, reserved, 12, 4);
FIELD(nd_page_info, page_id, 16, 8);
FIELD(nd_page_info, group_id, 24, 8);
FIELD(nd_page_info, first_fetched_at_ms, 32, 8);
FIELD(nd_page_info, last_fetched_at_ms, 40, 8);
FIELD(nd_page_info, text_width, 48, 8);
FIELD(nd_page_info, text_hash, 56, 8);
FIELD(nd_page_info, matched_page_id, 64, 8);
FIELD(nd_page_info, resemblance, 72, 8);
FIELD(nd_page_info, containment, 80, 8);
FIELD(nd_page_info, page_coverage, 88, 8);
FIELD(nd_page_info, matched_coverage, 96, 8);
FIELD(nd_page_info, probability, 104, 8);
FIELD(nd_page_info, related_group_id, 112, 8);
SIZE(nd_page_info, 120);

FIELD(nd_similar_page, struct_size, 0, 4);
FIELD(nd_similar_page, flags, 4, 4);
FIELD(nd_similar_page, page_id, 8, 8);
FIELD(nd_similar_page, group_id, 16, 8);
FIELD(nd_similar_page, score, 24, 8);
SIZE(nd_similar_page, 32);

FIELD(nd_copy, struct_size, 0, 4);
FIELD(nd_copy, flags, 4, 4);
FIELD(nd_copy, url, 8, 8);
FIELD(nd_copy, url_size, 16, 8);
FIELD(nd_copy, canonical_url, 24, 8);
FIELD(nd_copy, canonical_url_size, 32, 8);
FIELD(nd_copy, fetched_at_ms, 40, 8);
FIELD(nd_copy, text_width, 48, 8);
SIZE(nd_copy, 56);

FIELD(nd_record_info, struct_size, 0, 4);
FIELD(nd_record_info, format, 4, 4);
FIELD(nd_record_info, contents, 8, 4);
FIELD(nd_record_info, flags, 12, 4);
FIELD(nd_record_info, url, 16, 8);
FIELD(nd_record_info, url_size, 24, 8);
FIELD(nd_record_info, site, 32, 8);
FIELD(nd_record_info, site_size, 40, 8);
FIELD(nd_record_info, fetched_at_ms, 48, 8);
FIELD(nd_record_info, text_width, 56, 8);
FIELD(nd_record_info, text_hash, 64, 8);
FIELD(nd_record_info, made_with, 72, 8);
FIELD(nd_record_info, fingerprint_count, 80, 4);
FIELD(nd_record_info, key_count, 84, 4);
FIELD(nd_record_info, site_pages, 88, 4);
FIELD(nd_record_info, reserved, 92, 4);
SIZE(nd_record_info, 96);

FIELD(nd_group_info, struct_size, 0, 4);
FIELD(nd_group_info, tombstone, 4, 4);
FIELD(nd_group_info, group_id, 8, 8);
FIELD(nd_group_info, representative_page_id, 16, 8);
FIELD(nd_group_info, page_count, 24, 8);
SIZE(nd_group_info, 32);

FIELD(nd_event, struct_size, 0, 4);
FIELD(nd_event, kind, 4, 4);
FIELD(nd_event, sequence, 8, 8);
FIELD(nd_event, page_id, 16, 8);
FIELD(nd_event, old_group_id, 24, 8);
FIELD(nd_event, new_group_id, 32, 8);
FIELD(nd_event, at_ms, 40, 8);
SIZE(nd_event, 48);

FIELD(nd_stats, struct_size, 0, 4);
FIELD(nd_stats, reserved, 4, 4);
FIELD(nd_stats, pages, 8, 8);
FIELD(nd_stats, groups, 16, 8);
FIELD(nd_stats, checks, 24, 8);
FIELD(nd_stats, queries, 32, 8);
FIELD(nd_stats, body_bytes, 40, 8);
FIELD(nd_stats, verdict_new, 48, 8);
FIELD(nd_stats, verdict_unchanged, 56, 8);
FIELD(nd_stats, verdict_exact, 64, 8);
FIELD(nd_stats, verdict_near, 72, 8);
FIELD(nd_stats, verdict_no_text, 80, 8);
FIELD(nd_stats, recrawls, 88, 8);
FIELD(nd_stats, changed, 96, 8);
FIELD(nd_stats, reverified, 104, 8);
FIELD(nd_stats, regrouped, 112, 8);
FIELD(nd_stats, removed, 120, 8);
FIELD(nd_stats, expired, 128, 8);
FIELD(nd_stats, without_own_text, 136, 8);
FIELD(nd_stats, candidates, 144, 8);
FIELD(nd_stats, verifications, 152, 8);
FIELD(nd_stats, rejected_by_sketch, 160, 8);
FIELD(nd_stats, retried_commits, 168, 8);
FIELD(nd_stats, keys, 176, 8);
FIELD(nd_stats, hot_keys_deleted, 184, 8);
FIELD(nd_stats, limit_page_bytes, 192, 8);
FIELD(nd_stats, limit_markup, 200, 8);
FIELD(nd_stats, limit_tokens, 208, 8);
FIELD(nd_stats, limit_candidates, 216, 8);
FIELD(nd_stats, limit_verifications, 224, 8);
FIELD(nd_stats, limit_work, 232, 8);
FIELD(nd_stats, limit_memory, 240, 8);
FIELD(nd_stats, limit_index, 248, 8);
FIELD(nd_stats, limit_spots, 256, 8);
FIELD(nd_stats, limit_sites, 264, 8);
FIELD(nd_stats, bytes_total, 272, 8);
FIELD(nd_stats, bytes_index, 280, 8);
FIELD(nd_stats, bytes_features, 288, 8);
FIELD(nd_stats, bytes_pages, 296, 8);
FIELD(nd_stats, bytes_events, 304, 8);
FIELD(nd_stats, bytes_scratch, 312, 8);
FIELD(nd_stats, bytes_spots, 320, 8);
FIELD(nd_stats, generation, 328, 8);
FIELD(nd_stats, snapshots, 336, 8);
FIELD(nd_stats, bytes_disk, 344, 8);
FIELD(nd_stats, bytes_journal, 352, 8);
SIZE(nd_stats, 360);

FIELD(nd_bytes, data, 0, 8);
FIELD(nd_bytes, size, 8, 8);
SIZE(nd_bytes, 16);
_Static_assert(sizeof(nd_bytes) == 16, "nd_bytes has no struct_size and cannot grow");

FIELD(nd_join_match, page, 0, 8);
FIELD(nd_join_match, score, 8, 8);
FIELD(nd_join_match, containment, 16, 8);
SIZE(nd_join_match, 24);
_Static_assert(sizeof(nd_join_match) == 24, "nd_join_match has no struct_size and cannot grow");

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
VALUE(ND_REMOVE_PURGE, 1);

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
VALUE(ND_FLAG_UNCERTAIN, 512);

VALUE(ND_RECORD_TEXT, 1);
VALUE(ND_RECORD_KEYS, 2);

VALUE(ND_EVENT_REGROUPED, 1);
VALUE(ND_EVENT_REMOVED, 2);
VALUE(ND_EVENT_REELECTED, 3);
VALUE(ND_EVENT_LIMIT, 4);

VALUE(ND_MERGED_ADDED, 1);
VALUE(ND_MERGED_NEWER, 2);
VALUE(ND_MERGED_OLDER, 3);
VALUE(ND_MERGED_WITHHELD, 4);

VALUE(ND_KEEP_FIRST, 1);
VALUE(ND_KEEP_LONGEST, 2);
VALUE(ND_KEEP_NEWEST, 3);
VALUE(ND_KEEP_CANONICAL, 4);
VALUE(ND_COPY_WITHOUT_CONTENT, 1);

VALUE(ND_LOG_ERROR, 1);
VALUE(ND_LOG_WARNING, 2);

VALUE(ND_SIGNATURE_MAX_SIZE, 127);
VALUE(ND_FLAGS_CAUTION, 16712408);
VALUE(ND_BOOKMARK_MAX_SIZE, 4096);
VALUE(ND_BOOKMARK_NAME_MAX_SIZE, 255);
VALUE(ND_SIMILAR_PAGES_MAX, 1000);

int main(void) {
  return 0;
}
