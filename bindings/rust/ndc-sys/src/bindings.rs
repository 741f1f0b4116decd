//! The declarations of include/ndcapi.h, one for one: bindings/rust/generate writes this file.

use std::os::raw::{c_char, c_void};

pub const ND_VERSION_MAJOR: u32 = 2;
pub const ND_VERSION_MINOR: u32 = 0;
pub const ND_VERSION_PATCH: u32 = 0;
pub const ND_OK: i32 = 0;
pub const ND_ERR_INVALID_ARGUMENT: i32 = -1;
pub const ND_ERR_NO_MEMORY: i32 = -2;
pub const ND_ERR_IO: i32 = -3;
pub const ND_ERR_CORRUPT: i32 = -4;
pub const ND_ERR_UNSUPPORTED_VERSION: i32 = -5;
pub const ND_ERR_LOCKED: i32 = -6;
pub const ND_ERR_READ_ONLY: i32 = -7;
pub const ND_ERR_NOT_FOUND: i32 = -8;
pub const ND_ERR_LIMIT: i32 = -9;
pub const ND_ERR_INTERNAL: i32 = -10;
pub const ND_PAGE_TRUNCATED: u32 = 1 << 0;
pub const ND_NEW: i32 = 1;
pub const ND_UNCHANGED: i32 = 2;
pub const ND_EXACT: i32 = 3;
pub const ND_NEAR: i32 = 4;
pub const ND_NO_TEXT: i32 = 5;
pub const ND_FLAG_RECRAWL: u32 = 1 << 0;
pub const ND_FLAG_CHANGED: u32 = 1 << 1;
pub const ND_FLAG_REGROUPED: u32 = 1 << 2;
pub const ND_FLAG_TRUNCATED: u32 = 1 << 3;
pub const ND_FLAG_LIMIT: u32 = 1 << 4;
pub const ND_FLAG_SHORT: u32 = 1 << 5;
pub const ND_FLAG_CONTAINS: u32 = 1 << 6;
pub const ND_FLAG_CONTAINED: u32 = 1 << 7;
pub const ND_FLAG_UNVERIFIED: u32 = 1 << 8;
pub const ND_FLAG_UNCERTAIN: u32 = 1 << 9;
pub const ND_FLAGS_CAUTION: u32 = 0x00ff02d8;
pub const ND_REMOVE_PURGE: u32 = 1 << 0;
pub const ND_BOOKMARK_MAX_SIZE: usize = 4096;
pub const ND_BOOKMARK_NAME_MAX_SIZE: usize = 255;
pub const ND_KEEP_FIRST: i32 = 1;
pub const ND_KEEP_LONGEST: i32 = 2;
pub const ND_KEEP_NEWEST: i32 = 3;
pub const ND_KEEP_CANONICAL: i32 = 4;
pub const ND_COPY_WITHOUT_CONTENT: u32 = 1 << 0;
pub const ND_EVENT_REGROUPED: i32 = 1;
pub const ND_EVENT_REMOVED: i32 = 2;
pub const ND_EVENT_REELECTED: i32 = 3;
pub const ND_EVENT_LIMIT: i32 = 4;
pub const ND_SIMILAR_PAGES_MAX: usize = 1000;
pub const ND_RECORD_TEXT: u32 = 1 << 0;
pub const ND_RECORD_KEYS: u32 = 1 << 1;
pub const ND_SIGNATURE_MAX_SIZE: usize = 127;
pub const ND_LOG_ERROR: i32 = 1;
pub const ND_LOG_WARNING: i32 = 2;
pub const ND_MERGED_ADDED: i32 = 1;
pub const ND_MERGED_NEWER: i32 = 2;
pub const ND_MERGED_OLDER: i32 = 3;
pub const ND_MERGED_WITHHELD: i32 = 4;

pub type nd_status = i32;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_buffer {
    pub struct_size: u32,
    pub reserved: u32,
    pub data: *mut c_char,
    pub size: usize,
    pub capacity: usize,
}

impl Default for nd_buffer {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_allocator {
    pub struct_size: u32,
    pub reserved: u32,
    pub malloc_fn: Option<unsafe extern "C" fn(size: usize, ctx: *mut c_void) -> *mut c_void>,
    pub realloc_fn: Option<unsafe extern "C" fn(memory: *mut c_void, size: usize, ctx: *mut c_void) -> *mut c_void>,
    pub free_fn: Option<unsafe extern "C" fn(memory: *mut c_void, ctx: *mut c_void)>,
    pub ctx: *mut c_void,
}

impl Default for nd_allocator {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
pub struct nd_options {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_option_info {
    pub struct_size: u32,
    pub persistent: u32,
    pub key: *const c_char,
    pub r#type: *const c_char,
    pub default_value: *const c_char,
    pub range: *const c_char,
    pub help: *const c_char,
    pub needs: *const c_char,
    pub acts_on: *const c_char,
}

impl Default for nd_option_info {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
pub struct nd_engine {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_page {
    pub struct_size: u32,
    pub flags: u32,
    pub url: *const c_char,
    pub url_size: usize,
    pub body: *const c_void,
    pub body_size: usize,
    pub content_type: *const c_char,
    pub content_type_size: usize,
    pub fetched_at_ms: i64,
}

impl Default for nd_page {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_result {
    pub struct_size: u32,
    pub verdict: i32,
    pub flags: u32,
    pub reserved: u32,
    pub page_id: u64,
    pub group_id: u64,
    pub matched_page_id: u64,
    pub resemblance: f64,
    pub containment: f64,
    pub page_coverage: f64,
    pub matched_coverage: f64,
    pub probability: f64,
    pub related_group_id: u64,
}

impl Default for nd_result {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_filter {
    pub struct_size: u32,
    pub flags: u32,
    pub url_prefix: *const c_char,
    pub url_prefix_size: usize,
    pub site: *const c_char,
    pub site_size: usize,
    pub fetched_before_ms: i64,
}

impl Default for nd_filter {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_store_fault {
    pub struct_size: u32,
    pub reserved: u32,
    pub file: *const c_char,
    pub offset: u64,
    pub sentence: *const c_char,
}

impl Default for nd_store_fault {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

pub type nd_store_fault_callback = Option<unsafe extern "C" fn(fault: *const nd_store_fault, ctx: *mut c_void) -> i32>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_page_info {
    pub struct_size: u32,
    pub verdict: i32,
    pub flags: u32,
    pub reserved: u32,
    pub page_id: u64,
    pub group_id: u64,
    pub first_fetched_at_ms: i64,
    pub last_fetched_at_ms: i64,
    pub text_width: u64,
    pub text_hash: u64,
    pub matched_page_id: u64,
    pub resemblance: f64,
    pub containment: f64,
    pub page_coverage: f64,
    pub matched_coverage: f64,
    pub probability: f64,
    pub related_group_id: u64,
}

impl Default for nd_page_info {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

pub type nd_page_callback = Option<unsafe extern "C" fn(info: *const nd_page_info, url: *const c_char, url_size: usize, ctx: *mut c_void) -> i32>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_copy {
    pub struct_size: u32,
    pub flags: u32,
    pub url: *const c_char,
    pub url_size: usize,
    pub canonical_url: *const c_char,
    pub canonical_url_size: usize,
    pub fetched_at_ms: i64,
    pub text_width: u64,
}

impl Default for nd_copy {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

pub type nd_settled_callback = Option<unsafe extern "C" fn(result: *const nd_result, url: *const c_char, url_size: usize, ctx: *mut c_void) -> i32>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_group_info {
    pub struct_size: u32,
    pub tombstone: u32,
    pub group_id: u64,
    pub representative_page_id: u64,
    pub page_count: u64,
}

impl Default for nd_group_info {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

pub type nd_group_callback = Option<unsafe extern "C" fn(info: *const nd_group_info, ctx: *mut c_void) -> i32>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_event {
    pub struct_size: u32,
    pub kind: i32,
    pub sequence: u64,
    pub page_id: u64,
    pub old_group_id: u64,
    pub new_group_id: u64,
    pub at_ms: i64,
}

impl Default for nd_event {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

pub type nd_event_callback = Option<unsafe extern "C" fn(event: *const nd_event, ctx: *mut c_void) -> i32>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_similar_page {
    pub struct_size: u32,
    pub flags: u32,
    pub page_id: u64,
    pub group_id: u64,
    pub score: f64,
}

impl Default for nd_similar_page {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

pub type nd_similar_callback = Option<unsafe extern "C" fn(similar: *const nd_similar_page, url: *const c_char, url_size: usize, ctx: *mut c_void) -> i32>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_stats {
    pub struct_size: u32,
    pub reserved: u32,
    pub pages: u64,
    pub groups: u64,
    pub checks: u64,
    pub queries: u64,
    pub body_bytes: u64,
    pub verdict_new: u64,
    pub verdict_unchanged: u64,
    pub verdict_exact: u64,
    pub verdict_near: u64,
    pub verdict_no_text: u64,
    pub recrawls: u64,
    pub changed: u64,
    pub reverified: u64,
    pub regrouped: u64,
    pub removed: u64,
    pub expired: u64,
    pub without_own_text: u64,
    pub candidates: u64,
    pub verifications: u64,
    pub rejected_by_sketch: u64,
    pub retried_commits: u64,
    pub keys: u64,
    pub hot_keys_deleted: u64,
    pub limit_page_bytes: u64,
    pub limit_markup: u64,
    pub limit_tokens: u64,
    pub limit_candidates: u64,
    pub limit_verifications: u64,
    pub limit_work: u64,
    pub limit_memory: u64,
    pub limit_index: u64,
    pub limit_spots: u64,
    pub limit_sites: u64,
    pub bytes_total: u64,
    pub bytes_index: u64,
    pub bytes_features: u64,
    pub bytes_pages: u64,
    pub bytes_events: u64,
    pub bytes_scratch: u64,
    pub bytes_spots: u64,
    pub generation: u64,
    pub snapshots: u64,
    pub bytes_disk: u64,
    pub bytes_journal: u64,
}

impl Default for nd_stats {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_record_info {
    pub struct_size: u32,
    pub format: u32,
    pub contents: u32,
    pub flags: u32,
    pub url: *const c_char,
    pub url_size: usize,
    pub site: *const c_char,
    pub site_size: usize,
    pub fetched_at_ms: i64,
    pub text_width: u64,
    pub text_hash: u64,
    pub made_with: u64,
    pub fingerprint_count: u32,
    pub key_count: u32,
    pub site_pages: u32,
    pub reserved: u32,
}

impl Default for nd_record_info {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
pub struct nd_site_model {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
pub struct nd_reader {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

pub type nd_log_callback = Option<unsafe extern "C" fn(level: i32, message: *const c_char, message_size: usize, ctx: *mut c_void)>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_repair_counts {
    pub struct_size: u32,
    pub reserved: u32,
    pub pages: u64,
    pub groups: u64,
    pub pages_lost: u64,
    pub losses: u64,
}

impl Default for nd_repair_counts {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_merged_page {
    pub struct_size: u32,
    pub kind: i32,
    pub old_page_id: u64,
    pub old_group_id: u64,
    pub page_id: u64,
    pub group_id: u64,
}

impl Default for nd_merged_page {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

pub type nd_merge_callback = Option<unsafe extern "C" fn(page: *const nd_merged_page, url: *const c_char, url_size: usize, ctx: *mut c_void) -> i32>;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_merge_counts {
    pub struct_size: u32,
    pub reserved: u32,
    pub pages: u64,
    pub groups: u64,
    pub added: u64,
    pub newer: u64,
    pub older: u64,
    pub withheld: u64,
    pub joined: u64,
}

impl Default for nd_merge_counts {
    /// All zero but for its size.
    fn default() -> Self {
        // SAFETY: numbers and pointers, all of which may be zero.
        let mut new: Self = unsafe { core::mem::zeroed() };
        new.struct_size = core::mem::size_of::<Self>() as u32;
        new
    }
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_bytes {
    pub data: *const c_void,
    pub size: usize,
}

#[repr(C)]
pub struct nd_join {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nd_join_match {
    pub page: u64,
    pub score: f64,
    pub containment: f64,
}

extern "C" {
    pub fn nd_version() -> u32;
    pub fn nd_version_string() -> *const c_char;
    pub fn nd_status_string(status: nd_status) -> *const c_char;
    pub fn nd_last_error() -> *const c_char;
    pub fn nd_buffer_free(buffer: *mut nd_buffer);
    pub fn nd_set_allocator(allocator: *const nd_allocator) -> nd_status;
    pub fn nd_options_new(options_out: *mut *mut nd_options) -> nd_status;
    pub fn nd_options_free(options: *mut nd_options);
    pub fn nd_options_set(options: *mut nd_options, key: *const c_char, value: *const c_char) -> nd_status;
    pub fn nd_options_get(options: *const nd_options, key: *const c_char, value_out: *mut c_char, value_size: *mut usize) -> nd_status;
    pub fn nd_options_describe(index: usize, info_out: *mut nd_option_info) -> nd_status;
    pub fn nd_open(path: *const c_char, options: *const nd_options, engine_out: *mut *mut nd_engine) -> nd_status;
    pub fn nd_close(engine: *mut nd_engine) -> nd_status;
    pub fn nd_check_page(engine: *mut nd_engine, page: *const nd_page, result_out: *mut nd_result) -> nd_status;
    pub fn nd_query_page(engine: *mut nd_engine, page: *const nd_page, result_out: *mut nd_result) -> nd_status;
    pub fn nd_own_text(engine: *mut nd_engine, page: *const nd_page, text_out: *mut nd_buffer) -> nd_status;
    pub fn nd_check_page_text(engine: *mut nd_engine, page: *const nd_page, result_out: *mut nd_result, text_out: *mut nd_buffer) -> nd_status;
    pub fn nd_remove_page(engine: *mut nd_engine, url: *const c_char, url_size: usize) -> nd_status;
    pub fn nd_remove_matching(engine: *mut nd_engine, filter: *const nd_filter, removed_out: *mut u64) -> nd_status;
    pub fn nd_snapshot(engine: *mut nd_engine) -> nd_status;
    pub fn nd_compact(engine: *mut nd_engine) -> nd_status;
    pub fn nd_refresh(engine: *mut nd_engine) -> nd_status;
    pub fn nd_set_bookmark(engine: *mut nd_engine, name: *const c_char, data: *const c_void, size: usize) -> nd_status;
    pub fn nd_get_bookmark(engine: *mut nd_engine, name: *const c_char, data_out: *mut nd_buffer) -> nd_status;
    pub fn nd_verify_store(path: *const c_char, callback: nd_store_fault_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_find_page(engine: *mut nd_engine, url: *const c_char, url_size: usize, info_out: *mut nd_page_info) -> nd_status;
    pub fn nd_get_page(engine: *mut nd_engine, page_id: u64, info_out: *mut nd_page_info, url_out: *mut c_char, url_size: *mut usize) -> nd_status;
    pub fn nd_each_page(engine: *mut nd_engine, group_id: u64, callback: nd_page_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_choose_copy(copies: *const nd_copy, count: usize, rule: i32, index_out: *mut usize) -> nd_status;
    pub fn nd_kept_page(engine: *mut nd_engine, group_id: u64, rule: i32, info_out: *mut nd_page_info, url_out: *mut c_char, url_size: *mut usize) -> nd_status;
    pub fn nd_settle(engine: *mut nd_engine, callback: nd_settled_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_each_group(engine: *mut nd_engine, callback: nd_group_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_each_event(engine: *mut nd_engine, after: u64, callback: nd_event_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_compare_pages(engine: *mut nd_engine, page_a: u64, page_b: u64, result_out: *mut nd_result) -> nd_status;
    pub fn nd_explain(engine: *mut nd_engine, page_a: u64, page_b: u64, json_out: *mut nd_buffer) -> nd_status;
    pub fn nd_similar_pages(engine: *mut nd_engine, page_id: u64, limit: u32, callback: nd_similar_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_get_stats(engine: *mut nd_engine, stats_out: *mut nd_stats) -> nd_status;
    pub fn nd_metrics(engine: *mut nd_engine, text_out: *mut nd_buffer) -> nd_status;
    pub fn nd_extract(page: *const nd_page, options: *const nd_options, json_out: *mut nd_buffer) -> nd_status;
    pub fn nd_features_compute(page: *const nd_page, options: *const nd_options, bytes_out: *mut nd_buffer) -> nd_status;
    pub fn nd_features_info(features: *const c_void, features_size: usize, info_out: *mut nd_record_info) -> nd_status;
    pub fn nd_features_keys(features: *const c_void, features_size: usize, keys_out: *mut u64, key_count: *mut usize) -> nd_status;
    pub fn nd_features_parts(features: *const c_void, features_size: usize, parts_out: *mut u64, part_count: *mut usize) -> nd_status;
    pub fn nd_site_model_new(model_out: *mut *mut nd_site_model) -> nd_status;
    pub fn nd_site_model_learn(model: *mut nd_site_model, parts: *const u64, part_count: usize) -> nd_status;
    pub fn nd_site_model_forget(model: *mut nd_site_model, parts: *const u64, part_count: usize) -> nd_status;
    pub fn nd_site_model_merge(model: *mut nd_site_model, saved: *const c_void, saved_size: usize) -> nd_status;
    pub fn nd_site_model_save(model: *const nd_site_model, parts: *const u64, part_count: usize, bytes_out: *mut nd_buffer) -> nd_status;
    pub fn nd_site_model_free(model: *mut nd_site_model);
    pub fn nd_features_with_site(features: *const c_void, features_size: usize, saved: *const c_void, saved_size: usize, bytes_out: *mut nd_buffer) -> nd_status;
    pub fn nd_features_representative(features: *const c_void, features_size: usize, saved: *const c_void, saved_size: usize, bytes_out: *mut nd_buffer) -> nd_status;
    pub fn nd_features_decide(a: *const c_void, a_size: usize, b: *const c_void, b_size: usize, options: *const nd_options, result_out: *mut nd_result) -> nd_status;
    pub fn nd_check_features(engine: *mut nd_engine, features: *const c_void, features_size: usize, result_out: *mut nd_result) -> nd_status;
    pub fn nd_query_features(engine: *mut nd_engine, features: *const c_void, features_size: usize, result_out: *mut nd_result) -> nd_status;
    pub fn nd_signature_compute(page: *const nd_page, options: *const nd_options, signature_out: *mut u8, signature_size: *mut usize) -> nd_status;
    pub fn nd_signature_keys(signature: *const u8, signature_size: usize, keys_out: *mut u64, key_count: *mut usize) -> nd_status;
    pub fn nd_signature_compare(a: *const u8, a_size: usize, b: *const u8, b_size: usize, similarity_out: *mut f64) -> nd_status;
    pub fn nd_reader_new(options: *const nd_options, reader_out: *mut *mut nd_reader) -> nd_status;
    pub fn nd_reader_extract(reader: *mut nd_reader, page: *const nd_page, json_out: *mut nd_buffer) -> nd_status;
    pub fn nd_reader_features(reader: *mut nd_reader, page: *const nd_page, bytes_out: *mut nd_buffer) -> nd_status;
    pub fn nd_reader_signature(reader: *mut nd_reader, page: *const nd_page, signature_out: *mut u8, signature_size: *mut usize) -> nd_status;
    pub fn nd_reader_free(reader: *mut nd_reader);
    pub fn nd_set_logger(engine: *mut nd_engine, callback: nd_log_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_options_set_logger(options: *mut nd_options, callback: nd_log_callback, ctx: *mut c_void) -> nd_status;
    pub fn nd_repair_store(path: *const c_char, new_path: *const c_char, callback: nd_store_fault_callback, ctx: *mut c_void, repair_out: *mut nd_repair_counts) -> nd_status;
    pub fn nd_merge_stores(path: *const c_char, other_path: *const c_char, new_path: *const c_char, options: *const nd_options, callback: nd_merge_callback, ctx: *mut c_void, merge_out: *mut nd_merge_counts) -> nd_status;
    pub fn nd_describe_page(page: *const nd_page, options: *const nd_options, json_out: *mut nd_buffer) -> nd_status;
    pub fn nd_reader_describe(reader: *mut nd_reader, page: *const nd_page, json_out: *mut nd_buffer) -> nd_status;
    pub fn nd_site_model_weights(model: *const nd_site_model, features: *const c_void, features_size: usize, weights_out: *mut f64, weight_count: *mut usize) -> nd_status;
    pub fn nd_apply_outcome(engine: *mut nd_engine, features: *const c_void, features_size: usize, outcome: *const nd_result, result_out: *mut nd_result) -> nd_status;
    pub fn nd_read_page(engine: *mut nd_engine, page: *const nd_page, features_out: *mut nd_buffer) -> nd_status;
    pub fn nd_learn_features(engine: *mut nd_engine, features: *const c_void, features_size: usize) -> nd_status;
    pub fn nd_partition_features(features: *const nd_bytes, count: usize, options: *const nd_options, results_out: *mut nd_result) -> nd_status;
    pub fn nd_join_new(options: *const nd_options, threshold: u32, join_out: *mut *mut nd_join) -> nd_status;
    pub fn nd_join_add(join: *mut nd_join, features: *const c_void, features_size: usize, bytes_out: *mut u64) -> nd_status;
    pub fn nd_join_earlier(join: *mut nd_join, page: u64, matches_out: *mut nd_buffer) -> nd_status;
    pub fn nd_join_find(join: *mut nd_join, features: *const c_void, features_size: usize, matches_out: *mut nd_buffer) -> nd_status;
    pub fn nd_join_free(join: *mut nd_join);
}
