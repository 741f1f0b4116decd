/*
 * ndcapi.h - near-duplicate detection for web crawlers, version 1 of the C interface.
 *
 * A crawler fetches a page, calls nd_check_page() with the raw bytes, and gets the id of the group of
 * near-duplicates that the page belongs to:
 *
 *     nd_engine *engine = NULL;
 *     nd_open(NULL, NULL, &engine);                       // in memory, default options
 *     nd_page page = ND_PAGE_INIT;
 *     page.url = url;     page.url_size = url_size;
 *     page.body = bytes;  page.body_size = byte_count;
 *     nd_result result = ND_RESULT_INIT;
 *     if (nd_check_page(engine, &page, &result) == ND_OK && result.verdict == ND_NEAR) ...
 *     nd_close(engine);
 *
 * What holds for every function, and is told only here:
 *
 * Errors.    Fallible calls return nd_status: ND_OK (0) or a negative code. "Duplicate" and "too short" are answers,
 *            not errors. Every fallible call can return ND_ERR_INVALID_ARGUMENT (a NULL that is not allowed, a
 *            struct_size too small, an impossible value), ND_ERR_UNSUPPORTED_VERSION (an unknown flag bit, or a
 *            newer caller's input struct whose unknown tail is not zero), ND_ERR_NO_MEMORY and ND_ERR_INTERNAL (a fault in ndc;
 *            please report it); a function's "Errors" lists what it adds. nd_last_error() has a sentence. A failed call
 *            leaves the engine as it was and its outputs empty (zero; buffers of size 0).
 *            No exception, signal, abort or exit crosses this boundary.
 * Memory.    What the caller passes is borrowed for the call. What a *_new or nd_open returned goes back to the matching
 *            *_free or nd_close; these accept NULL.
 * Strings.   Pointer and size_t, UTF-8 unless said, no NUL needed; a NULL pointer is fine where the size is 0.
 *            "const char *" without a size is NUL-terminated.
 * Structs.   Begin with uint32_t struct_size, set by the caller (use the ND_..._INIT macros). The library touches no byte
 *            beyond the smaller of both sizes and zeroes what an output has beyond its own, so that older and newer callers work
 *            with any version of the library.
 * Sized outputs. A pair (value_out, size_t *size): size holds the capacity on entry and the need on return, also with
 *            ND_ERR_LIMIT, which says that the capacity was too small and leaves the buffer untouched. NULL with size 0 asks for
 *            the need (ND_OK). Text carries a NUL that size does not count on return; the capacity needs room for it.
 * Threads.   Any number of threads may call one engine at once, nd_close excepted. Options, buffers and structs belong to
 *            one thread at a time. Handles are unusable in a forked child; nd_open there works.
 * Determinism. One thread giving the same pages in the same order gets the same answers, for the same versions of ndc, libxml2,
 *            ICU and the public suffix list.
 * Process.   No global state is touched: no settings or clean-ups of libxml2, ICU or OpenSSL, no locale, no signals.
 *
 * License: Apache-2.0.
 */
#ifndef NDCAPI_H
#define NDCAPI_H

#include <stddef.h>
#include <stdint.h>

#define ND_VERSION_MAJOR 0
#define ND_VERSION_MINOR 1
#define ND_VERSION_PATCH 0

#if defined(_WIN32)
#define ND_API
#else
#define ND_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status --------------------------------------------------------------------------------------------------- */

typedef int32_t nd_status;

enum {
  ND_OK = 0,
  ND_ERR_INVALID_ARGUMENT = -1,
  ND_ERR_NO_MEMORY = -2,
  ND_ERR_IO = -3,
  ND_ERR_CORRUPT = -4,             /* features or signatures that ndc did not write, or that were damaged */
  ND_ERR_UNSUPPORTED_VERSION = -5, /* written by, or asking for, something this version does not know */
  ND_ERR_LOCKED = -6,
  ND_ERR_READ_ONLY = -7,
  ND_ERR_NOT_FOUND = -8,
  ND_ERR_LIMIT = -9,
  ND_ERR_INTERNAL = -10
};

/* The library's version: (major << 16) | (minor << 8) | patch; compare with the macros above. Since 0.1. */
ND_API uint32_t nd_version(void);

/* The same as text, "0.1.0"; static. Since 0.1. */
ND_API const char *nd_version_string(void);

/* A short English name of a status; static, never NULL, also for unknown values. Since 0.1. */
ND_API const char *nd_status_string(nd_status status);

/* What went wrong in this thread's last fallible call, "" if it succeeded. Never NULL; at most 511 bytes; valid until the thread's
 * next call. Kept across callbacks. Since 0.1. */
ND_API const char *nd_last_error(void);

/* ---- Memory --------------------------------------------------------------------------------------------------- */

/* A growing byte buffer that the library fills. Start with ND_BUFFER_INIT or reuse one from an earlier call: its capacity is
 * reused. `data` carries a NUL behind `size` bytes. */
typedef struct nd_buffer {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  char *data;
  size_t size;
  size_t capacity;
} nd_buffer;
#define ND_BUFFER_INIT {sizeof(nd_buffer), 0, NULL, 0, 0}

/* Frees the data and zeroes the fields but struct_size; NULL is fine. Since 0.1. */
ND_API void nd_buffer_free(nd_buffer *buffer);

/* All three functions behave as malloc, realloc and free do, and are called from any thread. */
typedef struct nd_allocator {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void *(*malloc_fn)(size_t size, void *ctx);
  void *(*realloc_fn)(void *memory, size_t size, void *ctx);
  void (*free_fn)(void *memory, void *ctx);
  void *ctx;
} nd_allocator;
#define ND_ALLOCATOR_INIT {sizeof(nd_allocator), 0, NULL, NULL, NULL, NULL}

/* Replaces malloc, realloc and free for ndc's own containers and buffers, process-wide; what libxml2, ICU and OpenSSL
 * allocate is not covered.
 * Errors: ND_ERR_INVALID_ARGUMENT after any other fallible call of this library. Since 0.1. */
ND_API nd_status nd_set_allocator(const nd_allocator *allocator);

/* ---- Options -------------------------------------------------------------------------------------------------- */

typedef struct nd_options nd_options;

/* Creates a set of options in which every key has its default.
 * Owns: *options_out goes to nd_options_free. Since 0.1. */
ND_API nd_status nd_options_new(nd_options **options_out);
ND_API void nd_options_free(nd_options *options);

/* Sets one option. Numbers are decimal, independent of the locale; booleans are "true" or "false".
 * Errors: ND_ERR_NOT_FOUND for an unknown key (nd_last_error names the nearest), ND_ERR_INVALID_ARGUMENT for a value outside
 * of the range (nd_last_error names what is allowed). Since 0.1. */
ND_API nd_status nd_options_set(nd_options *options, const char *key, const char *value);

/* The value in force, as text; a sized output.
 * Errors: ND_ERR_NOT_FOUND, ND_ERR_LIMIT. Since 0.1. */
ND_API nd_status nd_options_get(const nd_options *options, const char *key, char *value_out, size_t *value_size);

/* What a key means; all strings are static. */
typedef struct nd_option_info {
  uint32_t struct_size;
  uint32_t persistent;       /* 1: a parameter of the algorithm, recorded with a store */
  const char *key;
  const char *type;          /* "integer", "number", "boolean" or "choice" */
  const char *default_value;
  const char *range;         /* "1..64", or the choices separated by '|' */
  const char *help;          /* one sentence, with the unit and the source of the default */
} nd_option_info;
#define ND_OPTION_INFO_INIT {sizeof(nd_option_info), 0, NULL, NULL, NULL, NULL, NULL}

/* Describes the index-th option, index from 0.
 * Errors: ND_ERR_NOT_FOUND past the last. Since 0.1. */
ND_API nd_status nd_options_describe(size_t index, nd_option_info *info_out);

/* ---- Engine --------------------------------------------------------------------------------------------------- */

typedef struct nd_engine nd_engine;

/* Opens an engine. `path`: NULL for an engine in memory; a store directory is not supported in 0.x.
 * `options`: copied; NULL for the defaults.
 * Owns: *engine_out goes to nd_close.
 * Errors: ND_ERR_INVALID_ARGUMENT for a path. Cost: about 1 MB. Since 0.1. */
ND_API nd_status nd_open(const char *path, const nd_options *options, nd_engine **engine_out);

/* Closes and frees, whatever it returns. No other call on the engine may run or follow. NULL is fine. Since 0.1. */
ND_API nd_status nd_close(nd_engine *engine);

enum { ND_PAGE_TRUNCATED = 1u << 0 }; /* nd_page.flags: the body was cut by the fetcher */

typedef struct nd_page {
  uint32_t struct_size;
  uint32_t flags;             /* ND_PAGE_... */
  const char *url;            /* [url_size] any bytes; identity is byte equality; empty: a new page each time */
  size_t url_size;            /* at most 1 MiB */
  const void *body;           /* [body_size] as fetched, after transfer and content decoding */
  size_t body_size;
  const char *content_type;   /* [content_type_size] the HTTP header's value, may be empty */
  size_t content_type_size;
  int64_t fetched_at_ms;      /* milliseconds since 1970-01-01 UTC; 0: now */
} nd_page;
#define ND_PAGE_INIT {sizeof(nd_page), 0, NULL, 0, NULL, 0, NULL, 0, 0}

/* nd_result.verdict */
enum {
  ND_NEW = 1,       /* founds a group of its own */
  ND_UNCHANGED = 2, /* the same URL with the same text as before */
  ND_EXACT = 3,     /* all normalised visible text equals that of a page of the group */
  ND_NEAR = 4,      /* verified by LCS against the group's representative */
  ND_NO_TEXT = 5    /* empty, image, PDF, binary: a group of its own, never a candidate */
};

/* nd_result.flags */
enum {
  ND_FLAG_RECRAWL = 1 << 0,     /* the URL was known */
  ND_FLAG_CHANGED = 1 << 1,     /* and its text differs from the last time */
  ND_FLAG_REGROUPED = 1 << 2,   /* the page moved to another group */
  ND_FLAG_TRUNCATED = 1 << 3,   /* the body was cut, by the fetcher or by page_bytes_limit */
  ND_FLAG_LIMIT = 1 << 4,       /* some work was cut by a limit; the statistics say which */
  ND_FLAG_SHORT = 1 << 5,       /* too little text for the thresholds: only a near-exact match counts */
  ND_FLAG_CONTAINS = 1 << 6,    /* the page holds its representative and much more: no loss-free duplicate */
  ND_FLAG_CONTAINED = 1 << 7,   /* the representative holds the page and much more */
  ND_FLAG_UNVERIFIED = 1 << 8   /* decided without LCS verification (option verify=method) */
};

typedef struct nd_result {
  uint32_t struct_size;     /* at least ND_RESULT_MIN_SIZE */
  int32_t verdict;          /* ND_NEW ... ND_NO_TEXT */
  uint32_t flags;           /* ND_FLAG_... */
  uint32_t reserved;        /* 0 */
  uint64_t page_id;         /* never 0 after nd_check_page, never reused */
  uint64_t group_id;        /* the page_id of the founder */
  uint64_t matched_page_id; /* the representative it was verified against; 0: none */
  double resemblance;       /* of the verified match, L / (|A| + |B| - L), 0..1 */
  double containment;       /* L / min(|A|, |B|), 0..1 */
  double page_coverage;     /* L / |this page|, 0..1 */
  double matched_coverage;  /* L / |representative|, 0..1 */
} nd_result;
#define ND_RESULT_MIN_SIZE 56
#define ND_RESULT_INIT {sizeof(nd_result), 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0}

/* The one call at fetch time: compares the page with all before it and inserts it, atomically. Of two equal pages checked at once, one
 * founds a group and the other joins it. The verdict is advice: whatever it is, the page is in the index.
 *
 * A page joins a group only by LCS verification against the group's representative, never through a chain of others.
 * The same URL again is one page, updated: same text is ND_UNCHANGED; changed text is compared anew (never with its own old
 * text) and keeps its group if it still verifies or was alone in it, else it gets a fresh page_id.
 *
 * Cost: less than an HTML parse of the body; no lock is held while the page is parsed or verified. Since 0.1. */
ND_API nd_status nd_check_page(nd_engine *engine, const nd_page *page, nd_result *result_out);

/* The same verdict, but nothing changes. page_id is 0 for an unknown URL, group_id 0 where the page would found a group.
 * Cost: as nd_check_page. Since 0.1. */
ND_API nd_status nd_query_page(nd_engine *engine, const nd_page *page, nd_result *result_out);

/* Forgets a page. The group of a removed founder keeps its text as representative while members remain.
 * Errors: ND_ERR_NOT_FOUND. Since 0.1. */
ND_API nd_status nd_remove_page(nd_engine *engine, const char *url, size_t url_size);

/* Which pages to remove: all conditions that are set must hold; at least one must be set. */
typedef struct nd_filter {
  uint32_t struct_size;
  uint32_t flags;              /* 0 */
  const char *url_prefix;      /* [url_prefix_size] byte prefix of the URL; size 0: any */
  size_t url_prefix_size;
  const char *site;            /* [site_size] registrable domain, e.g. "example.co.uk"; size 0: any */
  size_t site_size;
  int64_t fetched_before_ms;   /* last fetched before this time; 0: any */
} nd_filter;
#define ND_FILTER_INIT {sizeof(nd_filter), 0, NULL, 0, NULL, 0, 0}

/* Forgets every page that the filter matches. `removed_out`: how many; NULL if nobody asks. Cost: O(pages). Since 0.1. */
ND_API nd_status nd_remove_matching(nd_engine *engine, const nd_filter *filter, uint64_t *removed_out);

/* The store's part of the interface; in 0.x every engine is in memory, and all four return ND_ERR_INVALID_ARGUMENT. Since 0.1. */
ND_API nd_status nd_snapshot(nd_engine *engine);
ND_API nd_status nd_refresh(nd_engine *engine);
ND_API nd_status nd_set_bookmark(nd_engine *engine, const char *name, const void *data, size_t size);
ND_API nd_status nd_get_bookmark(nd_engine *engine, const char *name, nd_buffer *data_out);

/* ---- What the engine knows ------------------------------------------------------------------------------------ */

typedef struct nd_page_info {
  uint32_t struct_size;
  int32_t verdict;            /* of its last check; ND_UNCHANGED is not stored */
  uint32_t flags;             /* of its last check */
  uint32_t reserved;
  uint64_t page_id;
  uint64_t group_id;
  int64_t first_fetched_at_ms;
  int64_t last_fetched_at_ms;
  uint64_t text_width;        /* visible text, in units of the LCS partition (a wide character counts 2) */
} nd_page_info;
#define ND_PAGE_INFO_INIT {sizeof(nd_page_info), 0, 0, 0, 0, 0, 0, 0, 0}

/* The page of a URL. Errors: ND_ERR_NOT_FOUND. Since 0.1. */
ND_API nd_status nd_find_page(nd_engine *engine, const char *url, size_t url_size, nd_page_info *info_out);

/* The page of an id, with its URL (a sized output; url_size NULL: not wanted).
 * Errors: ND_ERR_NOT_FOUND, ND_ERR_LIMIT. Since 0.1. */
ND_API nd_status nd_get_page(nd_engine *engine, uint64_t page_id, nd_page_info *info_out, char *url_out, size_t *url_size);

/* Callbacks run without any lock of the engine over a view taken at entry; they may call every function but nd_close and must not
 * throw. A non-zero return stops the iteration, which then returns ND_OK. Pointers live until the callback returns. */
typedef int32_t (*nd_page_callback)(const nd_page_info *info, const char *url, size_t url_size, void *ctx);

/* The members of a group, oldest first. Errors: ND_ERR_NOT_FOUND for an unknown group. Since 0.1. */
ND_API nd_status nd_each_page(nd_engine *engine, uint64_t group_id, nd_page_callback callback, void *ctx);

typedef struct nd_group_info {
  uint32_t struct_size;
  uint32_t tombstone;              /* 1: the founder is gone, its text still represents the group */
  uint64_t group_id;
  uint64_t representative_page_id; /* 0 with a tombstone */
  uint64_t page_count;
} nd_group_info;

typedef int32_t (*nd_group_callback)(const nd_group_info *info, void *ctx);

/* All groups, ascending by id. Cost: O(groups) copied. Since 0.1. */
ND_API nd_status nd_each_group(nd_engine *engine, nd_group_callback callback, void *ctx);

/* nd_event.kind */
enum {
  ND_EVENT_REGROUPED = 1,  /* a page moved to another group */
  ND_EVENT_REMOVED = 2,    /* a page was removed */
  ND_EVENT_REELECTED = 3,  /* a group has another representative */
  ND_EVENT_LIMIT = 4       /* a limit dropped something; page_id is the page at hand */
};

typedef struct nd_event {
  uint32_t struct_size;
  int32_t kind;
  uint64_t sequence;       /* ascending, from 1 */
  uint64_t page_id;        /* after the event */
  uint64_t old_group_id;   /* 0: none */
  uint64_t new_group_id;   /* 0: none */
  int64_t at_ms;           /* the page's fetch time, or the time of the call */
} nd_event;

typedef int32_t (*nd_event_callback)(const nd_event *event, void *ctx);

/* The events after sequence `after` (0: all that are kept: the last events_limit), in order. Since 0.1. */
ND_API nd_status nd_each_event(nd_engine *engine, uint64_t after, nd_event_callback callback, void *ctx);

/* Why two pages are, or are not, near-duplicates. JSON object:
 *   "a", "b"            {"page_id", "url", "site", "width" (all text), "content_width" (weighted main content)}
 *   "verdict"           "exact" | "near" | "different"
 *   "rule"              the rule that decided, e.g. "resemblance", "containment", "same site", "short"
 *   "resemblance", "containment", "page_coverage" (of b), "matched_coverage" (of a)   numbers 0..1
 *   "matched_width"     number
 *   "shared_keys"       how many candidate keys both have
 *   "segments"          array in reading order of {"kind": "both" | "a" | "b", "a": [begin, end], "b": [begin, end], "text"}:
 *                       token ranges; "text" only with option keep_text=true
 *   "version"           of the library
 * Page a plays the representative. Errors: ND_ERR_NOT_FOUND. Since 0.1. */
ND_API nd_status nd_explain(nd_engine *engine, uint64_t page_a, uint64_t page_b, nd_buffer *json_out);

/* Counts since nd_open; bytes as of now, by the library's own counters. */
typedef struct nd_stats {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t pages;                 /* in the engine now */
  uint64_t groups;                /* in the engine now */
  uint64_t checks;                /* nd_check_page and nd_check_features that returned ND_OK */
  uint64_t queries;
  uint64_t verdict_new, verdict_unchanged, verdict_exact, verdict_near, verdict_no_text;  /* of checks */
  uint64_t recrawls, changed, regrouped, removed;
  uint64_t body_bytes;            /* of checks */
  uint64_t candidates;            /* groups that shared a key with a page, after ranking and capping */
  uint64_t verifications;         /* LCS comparisons */
  uint64_t rejected_by_sketch;    /* of them ended by the filtered sketch alone */
  uint64_t retried_commits;       /* checks that met a page committed meanwhile and looked again */
  uint64_t limit_page_bytes, limit_markup, limit_tokens, limit_candidates, limit_verifications, limit_work, limit_memory;
  uint64_t hot_keys_deleted;      /* keys deleted as template or spam */
  uint64_t keys;                  /* in the index now */
  uint64_t bytes_total;           /* the sum of the following */
  uint64_t bytes_index, bytes_features, bytes_pages, bytes_events, bytes_scratch;
} nd_stats;

/* Since 0.1. */
ND_API nd_status nd_get_stats(nd_engine *engine, nd_stats *stats_out);

/* The same in the Prometheus text exposition format, with a histogram of nd_check_page's latency. Since 0.1. */
ND_API nd_status nd_metrics(nd_engine *engine, nd_buffer *text_out);

/* What ndc sees of a page, without an engine. JSON object: "kind" ("html" | "text" | "none"), "charset", "charset_source", "title", "language",
 * "keywords", "description", "canonical", "site", "alternates", "width", "content_width", "tokens", "sentences", "fingerprints", "keys",
 * "blocks": [{"text" (normalised), "weight" 0..1, "words", "link_share", "stop_share", "context": [..]}], "limited".
 * `options`: NULL for the defaults. Since 0.1. */
ND_API nd_status nd_extract(const nd_page *page, const nd_options *options, nd_buffer *json_out);

/* ---- The stateless half, for distributed engines --------------------------------------------------------------- */

/* Everything needed to compare a page later and elsewhere: portable between machines, versioned, checksummed.
 * Typically 4 bytes a token and 9 a key. Since 0.1. */
ND_API nd_status nd_features_compute(const nd_page *page, const nd_options *options, nd_buffer *bytes_out);

/* Candidate keys: pages that share one are worth comparing. keys_out [*key_count], a sized output counted in keys; distinct, the strictest
 * (LCS fingerprints) first.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_LIMIT. Since 0.1. */
ND_API nd_status nd_features_keys(const void *features, size_t features_size, uint64_t *keys_out, size_t *key_count);

/* Hashes of the text blocks in document order, to find the template of a site. Errors: as nd_features_keys. Since 0.1. */
ND_API nd_status nd_features_blocks(const void *features, size_t features_size, uint64_t *hashes_out, size_t *hash_count);

/* The same page with these blocks weighing nothing, and its keys without them. hashes [hash_count].
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION. Since 0.1. */
ND_API nd_status nd_features_without(const void *features, size_t features_size, const uint64_t *hashes, size_t hash_count,
                                     nd_buffer *bytes_out);

/* Compares two pages; a plays the representative. The result has verdict ND_EXACT, ND_NEAR or ND_NEW (different), the four ratios and the
 * flags; its ids are 0. Errors: as nd_features_without. Since 0.1. */
ND_API nd_status nd_features_compare(const void *a, size_t a_size, const void *b, size_t b_size, const nd_options *options,
                                     nd_result *result_out);

/* nd_check_page for a page whose features were computed elsewhere. Errors: as nd_features_without. Since 0.1. */
ND_API nd_status nd_check_features(nd_engine *engine, const void *features, size_t features_size, nd_result *result_out);

typedef struct nd_bytes {
  const void *data;
  size_t size;
} nd_bytes;

/* Partitions a whole collection in the batch order of the LCS partition (TR2007012, sections 3.3 and 4.2): documents by number of
 * keys, candidate sets that widen one way, members verified against representatives.
 * `features` [count]; `results_out` [count], each with its struct_size set: page_id is index + 1, group_id the representative's index + 1.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION (nd_last_error names the index), ND_ERR_LIMIT for 2^32 pages or more.
 * Cost: O(all keys) and the verifications. Since 0.1. */
ND_API nd_status nd_partition_features(const nd_bytes *features, size_t count, const nd_options *options, nd_result *results_out);

/* A sketch of at most 127 bytes for hosts that have one small field a page; knows no site and no template, so it decides less well.
 * signature_out [*signature_size], a sized output without a NUL; size 0 for a page without text. Since 0.1. */
#define ND_SIGNATURE_MAX_SIZE 127
ND_API nd_status nd_signature_compute(const nd_page *page, const nd_options *options, uint8_t *signature_out, size_t *signature_size);

/* Candidate keys of a signature. Errors: as nd_features_keys. Since 0.1. */
ND_API nd_status nd_signature_keys(const uint8_t *signature, size_t signature_size, uint64_t *keys_out, size_t *key_count);

/* Estimated Jaccard similarity of the two pages' main content, 0..1. Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION. Since 0.1. */
ND_API nd_status nd_signature_compare(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, double *similarity_out);

/* ---- Log ------------------------------------------------------------------------------------------------------- */

enum { ND_LOG_ERROR = 1, ND_LOG_WARNING = 2, ND_LOG_INFO = 3 };

/* One line without a newline. May run on any calling thread, never after nd_close returned; must not throw. */
typedef void (*nd_log_callback)(int32_t level, const char *message, size_t message_size, void *ctx);

/* NULL stops the log. Since 0.1. */
ND_API nd_status nd_set_logger(nd_engine *engine, nd_log_callback callback, void *ctx);

#ifdef __cplusplus
}
#endif

#endif /* NDCAPI_H */
