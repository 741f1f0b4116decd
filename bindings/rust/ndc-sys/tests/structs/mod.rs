// The structs of include/ndcapi.h, whose layout a C compiler confirms: bindings/rust/generate writes this file.

use ndc_sys::*;
use std::mem::{size_of, MaybeUninit};
use std::ptr::addr_of;

pub const SIZES: &[(&str, usize)] = &[
    ("nd_buffer", size_of::<nd_buffer>()),
    ("nd_allocator", size_of::<nd_allocator>()),
    ("nd_option_info", size_of::<nd_option_info>()),
    ("nd_page", size_of::<nd_page>()),
    ("nd_result", size_of::<nd_result>()),
    ("nd_filter", size_of::<nd_filter>()),
    ("nd_store_fault", size_of::<nd_store_fault>()),
    ("nd_page_info", size_of::<nd_page_info>()),
    ("nd_copy", size_of::<nd_copy>()),
    ("nd_group_info", size_of::<nd_group_info>()),
    ("nd_event", size_of::<nd_event>()),
    ("nd_similar_page", size_of::<nd_similar_page>()),
    ("nd_stats", size_of::<nd_stats>()),
    ("nd_record_info", size_of::<nd_record_info>()),
    ("nd_repair_counts", size_of::<nd_repair_counts>()),
    ("nd_merged_page", size_of::<nd_merged_page>()),
    ("nd_merge_counts", size_of::<nd_merge_counts>()),
    ("nd_bytes", size_of::<nd_bytes>()),
    ("nd_join_match", size_of::<nd_join_match>()),
];

pub fn offsets() -> Vec<(&'static str, &'static str, usize)> {
    let nd_buffer = MaybeUninit::<nd_buffer>::uninit();
    let nd_buffer = nd_buffer.as_ptr();
    let nd_allocator = MaybeUninit::<nd_allocator>::uninit();
    let nd_allocator = nd_allocator.as_ptr();
    let nd_option_info = MaybeUninit::<nd_option_info>::uninit();
    let nd_option_info = nd_option_info.as_ptr();
    let nd_page = MaybeUninit::<nd_page>::uninit();
    let nd_page = nd_page.as_ptr();
    let nd_result = MaybeUninit::<nd_result>::uninit();
    let nd_result = nd_result.as_ptr();
    let nd_filter = MaybeUninit::<nd_filter>::uninit();
    let nd_filter = nd_filter.as_ptr();
    let nd_store_fault = MaybeUninit::<nd_store_fault>::uninit();
    let nd_store_fault = nd_store_fault.as_ptr();
    let nd_page_info = MaybeUninit::<nd_page_info>::uninit();
    let nd_page_info = nd_page_info.as_ptr();
    let nd_copy = MaybeUninit::<nd_copy>::uninit();
    let nd_copy = nd_copy.as_ptr();
    let nd_group_info = MaybeUninit::<nd_group_info>::uninit();
    let nd_group_info = nd_group_info.as_ptr();
    let nd_event = MaybeUninit::<nd_event>::uninit();
    let nd_event = nd_event.as_ptr();
    let nd_similar_page = MaybeUninit::<nd_similar_page>::uninit();
    let nd_similar_page = nd_similar_page.as_ptr();
    let nd_stats = MaybeUninit::<nd_stats>::uninit();
    let nd_stats = nd_stats.as_ptr();
    let nd_record_info = MaybeUninit::<nd_record_info>::uninit();
    let nd_record_info = nd_record_info.as_ptr();
    let nd_repair_counts = MaybeUninit::<nd_repair_counts>::uninit();
    let nd_repair_counts = nd_repair_counts.as_ptr();
    let nd_merged_page = MaybeUninit::<nd_merged_page>::uninit();
    let nd_merged_page = nd_merged_page.as_ptr();
    let nd_merge_counts = MaybeUninit::<nd_merge_counts>::uninit();
    let nd_merge_counts = nd_merge_counts.as_ptr();
    let nd_bytes = MaybeUninit::<nd_bytes>::uninit();
    let nd_bytes = nd_bytes.as_ptr();
    let nd_join_match = MaybeUninit::<nd_join_match>::uninit();
    let nd_join_match = nd_join_match.as_ptr();
    // SAFETY: addresses of fields, none of which is read.
    unsafe {
        vec![
            ("nd_buffer", "struct_size", addr_of!((*nd_buffer).struct_size) as usize - nd_buffer as usize),
            ("nd_buffer", "reserved", addr_of!((*nd_buffer).reserved) as usize - nd_buffer as usize),
            ("nd_buffer", "data", addr_of!((*nd_buffer).data) as usize - nd_buffer as usize),
            ("nd_buffer", "size", addr_of!((*nd_buffer).size) as usize - nd_buffer as usize),
            ("nd_buffer", "capacity", addr_of!((*nd_buffer).capacity) as usize - nd_buffer as usize),
            ("nd_allocator", "struct_size", addr_of!((*nd_allocator).struct_size) as usize - nd_allocator as usize),
            ("nd_allocator", "reserved", addr_of!((*nd_allocator).reserved) as usize - nd_allocator as usize),
            ("nd_allocator", "malloc_fn", addr_of!((*nd_allocator).malloc_fn) as usize - nd_allocator as usize),
            ("nd_allocator", "realloc_fn", addr_of!((*nd_allocator).realloc_fn) as usize - nd_allocator as usize),
            ("nd_allocator", "free_fn", addr_of!((*nd_allocator).free_fn) as usize - nd_allocator as usize),
            ("nd_allocator", "ctx", addr_of!((*nd_allocator).ctx) as usize - nd_allocator as usize),
            ("nd_option_info", "struct_size", addr_of!((*nd_option_info).struct_size) as usize - nd_option_info as usize),
            ("nd_option_info", "persistent", addr_of!((*nd_option_info).persistent) as usize - nd_option_info as usize),
            ("nd_option_info", "key", addr_of!((*nd_option_info).key) as usize - nd_option_info as usize),
            ("nd_option_info", "type", addr_of!((*nd_option_info).r#type) as usize - nd_option_info as usize),
            ("nd_option_info", "default_value", addr_of!((*nd_option_info).default_value) as usize - nd_option_info as usize),
            ("nd_option_info", "range", addr_of!((*nd_option_info).range) as usize - nd_option_info as usize),
            ("nd_option_info", "help", addr_of!((*nd_option_info).help) as usize - nd_option_info as usize),
            ("nd_option_info", "needs", addr_of!((*nd_option_info).needs) as usize - nd_option_info as usize),
            ("nd_option_info", "acts_on", addr_of!((*nd_option_info).acts_on) as usize - nd_option_info as usize),
            ("nd_page", "struct_size", addr_of!((*nd_page).struct_size) as usize - nd_page as usize),
            ("nd_page", "flags", addr_of!((*nd_page).flags) as usize - nd_page as usize),
            ("nd_page", "url", addr_of!((*nd_page).url) as usize - nd_page as usize),
            ("nd_page", "url_size", addr_of!((*nd_page).url_size) as usize - nd_page as usize),
            ("nd_page", "body", addr_of!((*nd_page).body) as usize - nd_page as usize),
            ("nd_page", "body_size", addr_of!((*nd_page).body_size) as usize - nd_page as usize),
            ("nd_page", "content_type", addr_of!((*nd_page).content_type) as usize - nd_page as usize),
            ("nd_page", "content_type_size", addr_of!((*nd_page).content_type_size) as usize - nd_page as usize),
            ("nd_page", "fetched_at_ms", addr_of!((*nd_page).fetched_at_ms) as usize - nd_page as usize),
            ("nd_result", "struct_size", addr_of!((*nd_result).struct_size) as usize - nd_result as usize),
            ("nd_result", "verdict", addr_of!((*nd_result).verdict) as usize - nd_result as usize),
            ("nd_result", "flags", addr_of!((*nd_result).flags) as usize - nd_result as usize),
            ("nd_result", "reserved", addr_of!((*nd_result).reserved) as usize - nd_result as usize),
            ("nd_result", "page_id", addr_of!((*nd_result).page_id) as usize - nd_result as usize),
            ("nd_result", "group_id", addr_of!((*nd_result).group_id) as usize - nd_result as usize),
            ("nd_result", "matched_page_id", addr_of!((*nd_result).matched_page_id) as usize - nd_result as usize),
            ("nd_result", "resemblance", addr_of!((*nd_result).resemblance) as usize - nd_result as usize),
            ("nd_result", "containment", addr_of!((*nd_result).containment) as usize - nd_result as usize),
            ("nd_result", "page_coverage", addr_of!((*nd_result).page_coverage) as usize - nd_result as usize),
            ("nd_result", "matched_coverage", addr_of!((*nd_result).matched_coverage) as usize - nd_result as usize),
            ("nd_result", "probability", addr_of!((*nd_result).probability) as usize - nd_result as usize),
            ("nd_result", "related_group_id", addr_of!((*nd_result).related_group_id) as usize - nd_result as usize),
            ("nd_filter", "struct_size", addr_of!((*nd_filter).struct_size) as usize - nd_filter as usize),
            ("nd_filter", "flags", addr_of!((*nd_filter).flags) as usize - nd_filter as usize),
            ("nd_filter", "url_prefix", addr_of!((*nd_filter).url_prefix) as usize - nd_filter as usize),
            ("nd_filter", "url_prefix_size", addr_of!((*nd_filter).url_prefix_size) as usize - nd_filter as usize),
            ("nd_filter", "site", addr_of!((*nd_filter).site) as usize - nd_filter as usize),
            ("nd_filter", "site_size", addr_of!((*nd_filter).site_size) as usize - nd_filter as usize),
            ("nd_filter", "fetched_before_ms", addr_of!((*nd_filter).fetched_before_ms) as usize - nd_filter as usize),
            ("nd_store_fault", "struct_size", addr_of!((*nd_store_fault).struct_size) as usize - nd_store_fault as usize),
            ("nd_store_fault", "reserved", addr_of!((*nd_store_fault).reserved) as usize - nd_store_fault as usize),
            ("nd_store_fault", "file", addr_of!((*nd_store_fault).file) as usize - nd_store_fault as usize),
            ("nd_store_fault", "offset", addr_of!((*nd_store_fault).offset) as usize - nd_store_fault as usize),
            ("nd_store_fault", "sentence", addr_of!((*nd_store_fault).sentence) as usize - nd_store_fault as usize),
            ("nd_page_info", "struct_size", addr_of!((*nd_page_info).struct_size) as usize - nd_page_info as usize),
            ("nd_page_info", "verdict", addr_of!((*nd_page_info).verdict) as usize - nd_page_info as usize),
            ("nd_page_info", "flags", addr_of!((*nd_page_info).flags) as usize - nd_page_info as usize),
            ("nd_page_info", "reserved", addr_of!((*nd_page_info).reserved) as usize - nd_page_info as usize),
            ("nd_page_info", "page_id", addr_of!((*nd_page_info).page_id) as usize - nd_page_info as usize),
            ("nd_page_info", "group_id", addr_of!((*nd_page_info).group_id) as usize - nd_page_info as usize),
            ("nd_page_info", "first_fetched_at_ms", addr_of!((*nd_page_info).first_fetched_at_ms) as usize - nd_page_info as usize),
            ("nd_page_info", "last_fetched_at_ms", addr_of!((*nd_page_info).last_fetched_at_ms) as usize - nd_page_info as usize),
            ("nd_page_info", "text_width", addr_of!((*nd_page_info).text_width) as usize - nd_page_info as usize),
            ("nd_page_info", "text_hash", addr_of!((*nd_page_info).text_hash) as usize - nd_page_info as usize),
            ("nd_page_info", "matched_page_id", addr_of!((*nd_page_info).matched_page_id) as usize - nd_page_info as usize),
            ("nd_page_info", "resemblance", addr_of!((*nd_page_info).resemblance) as usize - nd_page_info as usize),
            ("nd_page_info", "containment", addr_of!((*nd_page_info).containment) as usize - nd_page_info as usize),
            ("nd_page_info", "page_coverage", addr_of!((*nd_page_info).page_coverage) as usize - nd_page_info as usize),
            ("nd_page_info", "matched_coverage", addr_of!((*nd_page_info).matched_coverage) as usize - nd_page_info as usize),
            ("nd_page_info", "probability", addr_of!((*nd_page_info).probability) as usize - nd_page_info as usize),
            ("nd_page_info", "related_group_id", addr_of!((*nd_page_info).related_group_id) as usize - nd_page_info as usize),
            ("nd_copy", "struct_size", addr_of!((*nd_copy).struct_size) as usize - nd_copy as usize),
            ("nd_copy", "flags", addr_of!((*nd_copy).flags) as usize - nd_copy as usize),
            ("nd_copy", "url", addr_of!((*nd_copy).url) as usize - nd_copy as usize),
            ("nd_copy", "url_size", addr_of!((*nd_copy).url_size) as usize - nd_copy as usize),
            ("nd_copy", "canonical_url", addr_of!((*nd_copy).canonical_url) as usize - nd_copy as usize),
            ("nd_copy", "canonical_url_size", addr_of!((*nd_copy).canonical_url_size) as usize - nd_copy as usize),
            ("nd_copy", "fetched_at_ms", addr_of!((*nd_copy).fetched_at_ms) as usize - nd_copy as usize),
            ("nd_copy", "text_width", addr_of!((*nd_copy).text_width) as usize - nd_copy as usize),
            ("nd_group_info", "struct_size", addr_of!((*nd_group_info).struct_size) as usize - nd_group_info as usize),
            ("nd_group_info", "tombstone", addr_of!((*nd_group_info).tombstone) as usize - nd_group_info as usize),
            ("nd_group_info", "group_id", addr_of!((*nd_group_info).group_id) as usize - nd_group_info as usize),
            ("nd_group_info", "representative_page_id", addr_of!((*nd_group_info).representative_page_id) as usize - nd_group_info as usize),
            ("nd_group_info", "page_count", addr_of!((*nd_group_info).page_count) as usize - nd_group_info as usize),
            ("nd_event", "struct_size", addr_of!((*nd_event).struct_size) as usize - nd_event as usize),
            ("nd_event", "kind", addr_of!((*nd_event).kind) as usize - nd_event as usize),
            ("nd_event", "sequence", addr_of!((*nd_event).sequence) as usize - nd_event as usize),
            ("nd_event", "page_id", addr_of!((*nd_event).page_id) as usize - nd_event as usize),
            ("nd_event", "old_group_id", addr_of!((*nd_event).old_group_id) as usize - nd_event as usize),
            ("nd_event", "new_group_id", addr_of!((*nd_event).new_group_id) as usize - nd_event as usize),
            ("nd_event", "at_ms", addr_of!((*nd_event).at_ms) as usize - nd_event as usize),
            ("nd_similar_page", "struct_size", addr_of!((*nd_similar_page).struct_size) as usize - nd_similar_page as usize),
            ("nd_similar_page", "flags", addr_of!((*nd_similar_page).flags) as usize - nd_similar_page as usize),
            ("nd_similar_page", "page_id", addr_of!((*nd_similar_page).page_id) as usize - nd_similar_page as usize),
            ("nd_similar_page", "group_id", addr_of!((*nd_similar_page).group_id) as usize - nd_similar_page as usize),
            ("nd_similar_page", "score", addr_of!((*nd_similar_page).score) as usize - nd_similar_page as usize),
            ("nd_stats", "struct_size", addr_of!((*nd_stats).struct_size) as usize - nd_stats as usize),
            ("nd_stats", "reserved", addr_of!((*nd_stats).reserved) as usize - nd_stats as usize),
            ("nd_stats", "pages", addr_of!((*nd_stats).pages) as usize - nd_stats as usize),
            ("nd_stats", "groups", addr_of!((*nd_stats).groups) as usize - nd_stats as usize),
            ("nd_stats", "checks", addr_of!((*nd_stats).checks) as usize - nd_stats as usize),
            ("nd_stats", "queries", addr_of!((*nd_stats).queries) as usize - nd_stats as usize),
            ("nd_stats", "body_bytes", addr_of!((*nd_stats).body_bytes) as usize - nd_stats as usize),
            ("nd_stats", "verdict_new", addr_of!((*nd_stats).verdict_new) as usize - nd_stats as usize),
            ("nd_stats", "verdict_unchanged", addr_of!((*nd_stats).verdict_unchanged) as usize - nd_stats as usize),
            ("nd_stats", "verdict_exact", addr_of!((*nd_stats).verdict_exact) as usize - nd_stats as usize),
            ("nd_stats", "verdict_near", addr_of!((*nd_stats).verdict_near) as usize - nd_stats as usize),
            ("nd_stats", "verdict_no_text", addr_of!((*nd_stats).verdict_no_text) as usize - nd_stats as usize),
            ("nd_stats", "recrawls", addr_of!((*nd_stats).recrawls) as usize - nd_stats as usize),
            ("nd_stats", "changed", addr_of!((*nd_stats).changed) as usize - nd_stats as usize),
            ("nd_stats", "reverified", addr_of!((*nd_stats).reverified) as usize - nd_stats as usize),
            ("nd_stats", "regrouped", addr_of!((*nd_stats).regrouped) as usize - nd_stats as usize),
            ("nd_stats", "removed", addr_of!((*nd_stats).removed) as usize - nd_stats as usize),
            ("nd_stats", "expired", addr_of!((*nd_stats).expired) as usize - nd_stats as usize),
            ("nd_stats", "without_own_text", addr_of!((*nd_stats).without_own_text) as usize - nd_stats as usize),
            ("nd_stats", "candidates", addr_of!((*nd_stats).candidates) as usize - nd_stats as usize),
            ("nd_stats", "verifications", addr_of!((*nd_stats).verifications) as usize - nd_stats as usize),
            ("nd_stats", "rejected_by_sketch", addr_of!((*nd_stats).rejected_by_sketch) as usize - nd_stats as usize),
            ("nd_stats", "retried_commits", addr_of!((*nd_stats).retried_commits) as usize - nd_stats as usize),
            ("nd_stats", "keys", addr_of!((*nd_stats).keys) as usize - nd_stats as usize),
            ("nd_stats", "hot_keys_deleted", addr_of!((*nd_stats).hot_keys_deleted) as usize - nd_stats as usize),
            ("nd_stats", "limit_page_bytes", addr_of!((*nd_stats).limit_page_bytes) as usize - nd_stats as usize),
            ("nd_stats", "limit_markup", addr_of!((*nd_stats).limit_markup) as usize - nd_stats as usize),
            ("nd_stats", "limit_tokens", addr_of!((*nd_stats).limit_tokens) as usize - nd_stats as usize),
            ("nd_stats", "limit_candidates", addr_of!((*nd_stats).limit_candidates) as usize - nd_stats as usize),
            ("nd_stats", "limit_verifications", addr_of!((*nd_stats).limit_verifications) as usize - nd_stats as usize),
            ("nd_stats", "limit_work", addr_of!((*nd_stats).limit_work) as usize - nd_stats as usize),
            ("nd_stats", "limit_memory", addr_of!((*nd_stats).limit_memory) as usize - nd_stats as usize),
            ("nd_stats", "limit_index", addr_of!((*nd_stats).limit_index) as usize - nd_stats as usize),
            ("nd_stats", "limit_spots", addr_of!((*nd_stats).limit_spots) as usize - nd_stats as usize),
            ("nd_stats", "limit_sites", addr_of!((*nd_stats).limit_sites) as usize - nd_stats as usize),
            ("nd_stats", "bytes_total", addr_of!((*nd_stats).bytes_total) as usize - nd_stats as usize),
            ("nd_stats", "bytes_index", addr_of!((*nd_stats).bytes_index) as usize - nd_stats as usize),
            ("nd_stats", "bytes_features", addr_of!((*nd_stats).bytes_features) as usize - nd_stats as usize),
            ("nd_stats", "bytes_pages", addr_of!((*nd_stats).bytes_pages) as usize - nd_stats as usize),
            ("nd_stats", "bytes_events", addr_of!((*nd_stats).bytes_events) as usize - nd_stats as usize),
            ("nd_stats", "bytes_scratch", addr_of!((*nd_stats).bytes_scratch) as usize - nd_stats as usize),
            ("nd_stats", "bytes_spots", addr_of!((*nd_stats).bytes_spots) as usize - nd_stats as usize),
            ("nd_stats", "generation", addr_of!((*nd_stats).generation) as usize - nd_stats as usize),
            ("nd_stats", "snapshots", addr_of!((*nd_stats).snapshots) as usize - nd_stats as usize),
            ("nd_stats", "bytes_disk", addr_of!((*nd_stats).bytes_disk) as usize - nd_stats as usize),
            ("nd_stats", "bytes_journal", addr_of!((*nd_stats).bytes_journal) as usize - nd_stats as usize),
            ("nd_record_info", "struct_size", addr_of!((*nd_record_info).struct_size) as usize - nd_record_info as usize),
            ("nd_record_info", "format", addr_of!((*nd_record_info).format) as usize - nd_record_info as usize),
            ("nd_record_info", "contents", addr_of!((*nd_record_info).contents) as usize - nd_record_info as usize),
            ("nd_record_info", "flags", addr_of!((*nd_record_info).flags) as usize - nd_record_info as usize),
            ("nd_record_info", "url", addr_of!((*nd_record_info).url) as usize - nd_record_info as usize),
            ("nd_record_info", "url_size", addr_of!((*nd_record_info).url_size) as usize - nd_record_info as usize),
            ("nd_record_info", "site", addr_of!((*nd_record_info).site) as usize - nd_record_info as usize),
            ("nd_record_info", "site_size", addr_of!((*nd_record_info).site_size) as usize - nd_record_info as usize),
            ("nd_record_info", "fetched_at_ms", addr_of!((*nd_record_info).fetched_at_ms) as usize - nd_record_info as usize),
            ("nd_record_info", "text_width", addr_of!((*nd_record_info).text_width) as usize - nd_record_info as usize),
            ("nd_record_info", "text_hash", addr_of!((*nd_record_info).text_hash) as usize - nd_record_info as usize),
            ("nd_record_info", "made_with", addr_of!((*nd_record_info).made_with) as usize - nd_record_info as usize),
            ("nd_record_info", "fingerprint_count", addr_of!((*nd_record_info).fingerprint_count) as usize - nd_record_info as usize),
            ("nd_record_info", "key_count", addr_of!((*nd_record_info).key_count) as usize - nd_record_info as usize),
            ("nd_record_info", "site_pages", addr_of!((*nd_record_info).site_pages) as usize - nd_record_info as usize),
            ("nd_record_info", "reserved", addr_of!((*nd_record_info).reserved) as usize - nd_record_info as usize),
            ("nd_repair_counts", "struct_size", addr_of!((*nd_repair_counts).struct_size) as usize - nd_repair_counts as usize),
            ("nd_repair_counts", "reserved", addr_of!((*nd_repair_counts).reserved) as usize - nd_repair_counts as usize),
            ("nd_repair_counts", "pages", addr_of!((*nd_repair_counts).pages) as usize - nd_repair_counts as usize),
            ("nd_repair_counts", "groups", addr_of!((*nd_repair_counts).groups) as usize - nd_repair_counts as usize),
            ("nd_repair_counts", "pages_lost", addr_of!((*nd_repair_counts).pages_lost) as usize - nd_repair_counts as usize),
            ("nd_repair_counts", "losses", addr_of!((*nd_repair_counts).losses) as usize - nd_repair_counts as usize),
            ("nd_merged_page", "struct_size", addr_of!((*nd_merged_page).struct_size) as usize - nd_merged_page as usize),
            ("nd_merged_page", "kind", addr_of!((*nd_merged_page).kind) as usize - nd_merged_page as usize),
            ("nd_merged_page", "old_page_id", addr_of!((*nd_merged_page).old_page_id) as usize - nd_merged_page as usize),
            ("nd_merged_page", "old_group_id", addr_of!((*nd_merged_page).old_group_id) as usize - nd_merged_page as usize),
            ("nd_merged_page", "page_id", addr_of!((*nd_merged_page).page_id) as usize - nd_merged_page as usize),
            ("nd_merged_page", "group_id", addr_of!((*nd_merged_page).group_id) as usize - nd_merged_page as usize),
            ("nd_merge_counts", "struct_size", addr_of!((*nd_merge_counts).struct_size) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "reserved", addr_of!((*nd_merge_counts).reserved) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "pages", addr_of!((*nd_merge_counts).pages) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "groups", addr_of!((*nd_merge_counts).groups) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "added", addr_of!((*nd_merge_counts).added) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "newer", addr_of!((*nd_merge_counts).newer) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "older", addr_of!((*nd_merge_counts).older) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "withheld", addr_of!((*nd_merge_counts).withheld) as usize - nd_merge_counts as usize),
            ("nd_merge_counts", "joined", addr_of!((*nd_merge_counts).joined) as usize - nd_merge_counts as usize),
            ("nd_bytes", "data", addr_of!((*nd_bytes).data) as usize - nd_bytes as usize),
            ("nd_bytes", "size", addr_of!((*nd_bytes).size) as usize - nd_bytes as usize),
            ("nd_join_match", "page", addr_of!((*nd_join_match).page) as usize - nd_join_match as usize),
            ("nd_join_match", "score", addr_of!((*nd_join_match).score) as usize - nd_join_match as usize),
            ("nd_join_match", "containment", addr_of!((*nd_join_match).containment) as usize - nd_join_match as usize),
        ]
    }
}
