/*
 * ndcapi.h - near-duplicate detection for web crawlers.
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
 * The following holds for every function and is not repeated below:
 *
 * Errors.    Fallible calls return nd_status: ND_OK (0) or a negative code. "Duplicate" and "no text" are answers,
 *            not errors. Every fallible call can return ND_ERR_INVALID_ARGUMENT (a NULL that is not allowed, a
 *            struct_size too small, an impossible value), ND_ERR_UNSUPPORTED_VERSION (an unknown flag bit, a reserved
 *            field that is not 0, or an input struct longer than this version's whose further bytes are not all 0),
 *            ND_ERR_NO_MEMORY and ND_ERR_INTERNAL (a fault in ndc; please report it). On an engine with a store, every
 *            call can also return ND_ERR_CORRUPT (it found damage), and every call that changes something ND_ERR_IO; a
 *            function's "Errors" lists only what it adds. nd_last_error() returns an explanation in one sentence.
 *            Unless the function says otherwise, a failed call leaves the engine as it was. It leaves its outputs empty
 *            (zero; buffers of size 0). No exception, abort or exit crosses this boundary; nor does a signal, except
 *            that a disk that fails while a store is read raises SIGBUS, unless option mmap is false.
 * Versions.  Everything here stays as it is from 2.0.0 on (docs/abi.md), but for the last section, which is declared
 *            where ND_EXPERIMENTAL is defined, and for what is called experimental; costs, sizes of records and
 *            numbers that have no macro describe this version. New verdicts, flags, events, statuses, levels, kinds,
 *            words and keys of JSON may come: take an unknown verdict for ND_NEW, an unknown status for an error, and
 *            ignore the others.
 * Memory.    Arguments are borrowed for the duration of the call. What a *_new function or nd_open returned is freed
 *            by the matching *_free or nd_close; these accept NULL.
 * Strings.   Pointer and size_t, UTF-8 unless stated otherwise, no NUL needed; a NULL pointer is fine where the size
 *            is 0. "const char *" without a size is NUL-terminated.
 * Structs.   Begin with uint32_t struct_size, set by the caller (use the ND_..._INIT macros). The library reads and
 *            writes no byte beyond the smaller of the caller's size and its own, and zeroes whatever an output has
 *            beyond its own size, so that older and newer callers work with any version of the library. In an array
 *            all struct_size are the same, the size of its elements. nd_buffer never changes.
 * Sized outputs. A pair (value_out, size_t *size): size holds the capacity on entry and the required size on return,
 *            also with ND_ERR_LIMIT, which means that the capacity was too small; the buffer is then untouched. NULL
 *            with size 0 asks only for the required size (ND_OK). Text ends in a NUL that the returned size does not
 *            count; the capacity needs room for it.
 * Threads.   Any number of threads may call one engine at once, but for nd_close and what nd_settle says. Options,
 *            buffers and structs belong to one thread at a time. In a forked child the parent's handles must not be
 *            used: calls on an engine, nd_close included, return ND_ERR_INVALID_ARGUMENT and touch nothing; those on
 *            other handles are undefined. nd_open works there.
 * Callbacks. Must return, and must not throw. If a C++ callback throws nevertheless, the iteration stops and the call
 *            returns ND_ERR_INTERNAL (std::bad_alloc: ND_ERR_NO_MEMORY); an exception from a logger is dropped.
 *            Leaving a callback by longjmp is undefined.
 * Determinism. One thread giving the same pages in the same order gets the same answers, for the same versions of
 *            ndc, libxml2, ICU and the public suffix list.
 * Process.   No global state is touched: no settings or clean-ups of libxml2 or ICU, no locale, no signal handlers
 *            (the engine's own thread blocks all signals but those that a fault raises); one handler of pthread_atfork
 *            counts forks. While a page is read, libxml2's error handler of the calling thread is replaced; it is
 *            restored afterwards.
 *
 * License: Apache-2.0.
 */
#ifndef NDCAPI_H
#define NDCAPI_H

#include <stddef.h>
#include <stdint.h>

#define ND_VERSION_MAJOR 2
#define ND_VERSION_MINOR 0
#define ND_VERSION_PATCH 0

#define ND_API __attribute__((visibility("default")))

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
  ND_ERR_CORRUPT = -4,             /* bytes or files that ndc did not write, or that were damaged */
  ND_ERR_UNSUPPORTED_VERSION = -5, /* written by, or asking for, something this version does not know */
  ND_ERR_LOCKED = -6,
  ND_ERR_READ_ONLY = -7,
  ND_ERR_NOT_FOUND = -8,
  ND_ERR_LIMIT = -9,
  ND_ERR_INTERNAL = -10
};

/* The library's version: (major << 16) | (minor << 8) | patch; compare with the macros above. */
ND_API uint32_t nd_version(void);

/* The same as text, "2.0.0"; static. */
ND_API const char *nd_version_string(void);

/* A short English name of a status; static, never NULL, also for unknown values. */
ND_API const char *nd_status_string(nd_status status);

/* What went wrong in this thread's last fallible call, "" if it succeeded. Never NULL; at most 511 bytes; valid until
 * the thread's next call. Kept across callbacks. */
ND_API const char *nd_last_error(void);

/* ---- Memory --------------------------------------------------------------------------------------------------- */

/* A growing byte buffer that the library fills. Start with ND_BUFFER_INIT or reuse one from an earlier call: its
 * capacity is reused. `data` has a NUL after its `size` bytes. This struct never changes. */
typedef struct nd_buffer {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  char *data;
  size_t size;
  size_t capacity;
} nd_buffer;
#define ND_BUFFER_INIT {sizeof(nd_buffer), 0, NULL, 0, 0}

/* Frees the data and zeroes all fields except struct_size; NULL is fine. */
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

/* Replaces malloc, realloc and free for ndc's own containers and buffers, process-wide; what libxml2 and ICU allocate
 * is not covered.
 * Errors: ND_ERR_INVALID_ARGUMENT after any other fallible call of this library. */
ND_API nd_status nd_set_allocator(const nd_allocator *allocator);

/* ---- Options -------------------------------------------------------------------------------------------------- */

typedef struct nd_options nd_options;

/* Creates a set of options in which every key has its default.
 * Owns: *options_out goes to nd_options_free. */
ND_API nd_status nd_options_new(nd_options **options_out);
/* NULL is fine; engines and readers made with them keep a copy. */
ND_API void nd_options_free(nd_options *options);

/* Sets one option. Numbers are decimal, independent of the locale; booleans are "true" or "false" ("on", "off").
 * Some options have an effect only with others (nd_option_info.needs). nd_open refuses a persistent option without
 * effect, with ND_ERR_INVALID_ARGUMENT, and logs a warning for any other. A call without an engine refuses each option
 * that is not its default and acts on nothing that the call works with (acts_on): use a separate nd_options for it.
 * Errors: ND_ERR_INVALID_ARGUMENT for an unknown key (nd_last_error names the closest one) and for a value out of range
 * (nd_last_error names what is allowed). */
ND_API nd_status nd_options_set(nd_options *options, const char *key, const char *value);

/* The value in force, as text; a sized output.
 * Errors: ND_ERR_INVALID_ARGUMENT for an unknown key, ND_ERR_LIMIT. */
ND_API nd_status nd_options_get(const nd_options *options, const char *key, char *value_out, size_t *value_size);

/* What a key means; all strings are static. A key that begins with "x_" is experimental: the next release may change or
 * drop it. */
typedef struct nd_option_info {
  uint32_t struct_size;
  uint32_t persistent;       /* 1: a parameter of the algorithm, recorded with a store where it is not the default */
  const char *key;
  const char *type;          /* "integer", "number", "boolean", "choice" or "words" */
  const char *default_value;
  const char *range;         /* "1..64", or the choices separated by '|' */
  const char *help;          /* one sentence, with the unit and the source of the default */
  const char *needs;         /* without these the option has no effect: "detector=lcs spotsigs=true",
                              * "detector=lcs|spotsigs", "detector!=lcs", "store" (an engine that is not in memory), or
                              * "": always */
  const char *acts_on;       /* one or more of these, between spaces
                              *   pages         how they are read: all calls that take an nd_page
                              *   keys          nd_features_compute, nd_reader_new, nd_extract,
                              *                 nd_describe_page
                              *   descriptions  what detectors and spot signatures keep of a page:
                              *                 nd_features_compute, nd_reader_new, nd_describe_page
                              *   features      nd_features_compute, nd_reader_new
                              *   comparisons   nd_features_decide, nd_partition_features, nd_join_new
                              *   decisions     nd_features_decide, nd_partition_features
                              *   groups, partitions
                              *                 nd_partition_features
                              *   engines, searches, stores: none of the calls without an engine
                              * All but partitions act on engines. */
} nd_option_info;
#define ND_OPTION_INFO_INIT {sizeof(nd_option_info), 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL}

/* Describes the index-th option, index from 0.
 * Errors: ND_ERR_NOT_FOUND past the last. */
ND_API nd_status nd_options_describe(size_t index, nd_option_info *info_out);

/* ---- Engine --------------------------------------------------------------------------------------------------- */

typedef struct nd_engine nd_engine;

/* Opens an engine. `path`: a store directory, created if it does not exist (its parents are not); NULL for an engine
 * in memory.
 * `options`: copied; NULL for the defaults. A store keeps the persistent options with which it was created: when an
 * existing store is opened, the persistent options that the caller has set must equal the store's, and the others
 * take the store's values.
 *
 * A store has one writer; a second one gets ND_ERR_LOCKED, in the same process too. With option read_only any number
 * of processes can read its last snapshot while a writer is at work. With option overlay they also check
 * and remove pages: what changes stays in the memory of this engine, above that snapshot, and nothing is written.
 * Option `durability` says what a crash may lose:
 *   none      everything since the last nd_snapshot; nd_close takes no snapshot
 *   snapshot  everything since the last snapshot; the engine takes snapshots by itself, also at nd_close
 *   journal   if the process dies (kill -9): nothing that was acknowledged; if the machine dies: whatever the system
 *             had not yet written. When the disk is full the call returns ND_ERR_IO and nothing has changed. After
 *             any other failed write the call returns ND_ERR_IO too, but its change may have happened; it is written
 *             before any further change, and all of these return ND_ERR_IO until that succeeds
 *   sync      if the machine loses power: nothing that was acknowledged. Each change waits for its fsync, which
 *             threads share. After a failed fsync the contents of the disk are unknown: that call's change may have
 *             happened, and every further one returns ND_ERR_IO
 * If what the last snapshot wrote is damaged, the engine falls back to the generation before it and the journals
 * since, reports this to the logger, and loses nothing. Generations share files that have not changed: damage in a
 * shared file is ND_ERR_CORRUPT, at open with verify=full, otherwise when the damaged part is read.
 * An unfinished record at the end of the journal, which a process that died has left, is cut off silently: its change
 * was never acknowledged. Anything else in the journal that cannot be read is reported to the logger
 * (nd_options_set_logger), with its offset and the number of bytes left over, and the store is opened with the
 * changes before it. It is ND_ERR_CORRUPT instead with verify=full, or where whole records after it prove that
 * acknowledged changes would be lost, unless option recover is true.
 *
 * Owns: *engine_out goes to nd_close.
 * Errors: ND_ERR_LOCKED, ND_ERR_INVALID_ARGUMENT (a directory that is something else; an option that differs from the
 * store's), ND_ERR_CORRUPT (no generation is usable, or the journal is damaged; file and offset),
 * ND_ERR_UNSUPPORTED_VERSION (a store of another version or byte order, or pipeline_mismatch), ND_ERR_NOT_FOUND
 * (read_only or overlay, and there is no store), ND_ERR_IO, ND_ERR_LIMIT (the thread for snapshots cannot be started).
 * Cost: about 1 MB; independent of the store's size, except for the journal, which journal_bytes caps. */
ND_API nd_status nd_open(const char *path, const nd_options *options, nd_engine **engine_out);

/* Takes a snapshot, unless durability is none or nothing has changed, and closes and frees the engine, whatever it
 * returns except ND_ERR_INVALID_ARGUMENT. No other call on the engine may be running, not even in a callback, or
 * follow: the engine's memory is freed. Debug builds of the library count the running calls, and while there are any
 * they return ND_ERR_INVALID_ARGUMENT and close nothing. When it returns, the store's lock is released even if forked
 * children are alive. NULL is fine.
 * Errors: ND_ERR_IO: the snapshot could not be written; what `durability` promises still holds. ND_ERR_CORRUPT: a
 * file of the store is damaged or missing. ND_ERR_LIMIT: as nd_snapshot. ND_ERR_INVALID_ARGUMENT: in a forked child. */
ND_API nd_status nd_close(nd_engine *engine);

enum { ND_PAGE_TRUNCATED = 1 << 0 }; /* nd_page.flags: the body was cut by the fetcher */

typedef struct nd_page {
  uint32_t struct_size;
  uint32_t flags;             /* ND_PAGE_... */
  const char *url;            /* [url_size] any bytes; identity is byte equality; empty: a new page each time */
  size_t url_size;            /* at most 1 MiB */
  const void *body;           /* [body_size] as fetched, after transfer and content decoding */
  size_t body_size;
  const char *content_type;   /* [content_type_size] the HTTP header's value, may be empty */
  size_t content_type_size;
  int64_t fetched_at_ms;      /* milliseconds since 1970-01-01 UTC; 0: when an engine takes the page */
} nd_page;
#define ND_PAGE_INIT {sizeof(nd_page), 0, NULL, 0, NULL, 0, NULL, 0, 0}

/* nd_result.verdict */
enum {
  ND_NEW = 1,       /* founds a group of its own */
  ND_UNCHANGED = 2, /* the same URL with the same text as before */
  ND_EXACT = 3,     /* all normalised visible text equals that of matched_page_id, a page of the group; never of a
                     * page known only in part */
  ND_NEAR = 4,      /* verified by LCS against the group's representative, or ND_FLAG_UNVERIFIED is set */
  ND_NO_TEXT = 5    /* empty, image, PDF, binary: a group of its own; never compared with other pages */
};

/* nd_result.flags */
enum {
  ND_FLAG_RECRAWL = 1 << 0,     /* the URL was known */
  ND_FLAG_CHANGED = 1 << 1,     /* and its text differs from the last time */
  ND_FLAG_REGROUPED = 1 << 2,   /* the page moved to another group */
  ND_FLAG_TRUNCATED = 1 << 3,   /* the body was cut, by the fetcher or by page_bytes_limit; two such pages are never
                                 * duplicates */
  ND_FLAG_LIMIT = 1 << 4,       /* a limit truncated some work; the statistics say which limit */
  ND_FLAG_SHORT = 1 << 5,       /* main content narrower than 140, in units of the LCS partition: its candidate keys
                                 * are made from all of its text */
  ND_FLAG_CONTAINS = 1 << 6,    /* the page contains the matched page (ND_NEW: that of related_group_id) and much
                                   more: dropping it would lose text */
  ND_FLAG_CONTAINED = 1 << 7,   /* the matched page (ND_NEW: that of related_group_id) contains the page and more */
  ND_FLAG_UNVERIFIED = 1 << 8,  /* near by the score of option `detector` alone, without the LCS: only with
                                 * decide=method, and then always */
  ND_FLAG_UNCERTAIN = 1 << 9    /* near with little text (text_width below 2,000, or ND_FLAG_SHORT), of which a word
                                 * may make another document, and a probability below .995: dropping it may lose one */
};
/* With one of these leaving a near-duplicate out may lose text: today's, and bits 16 to 23 for those to come. */
#define ND_FLAGS_CAUTION 0x00ff02d8u

typedef struct nd_result {
  uint32_t struct_size;
  int32_t verdict;          /* ND_NEW ... ND_NO_TEXT */
  uint32_t flags;           /* ND_FLAG_... */
  uint32_t reserved;        /* 0 */
  uint64_t page_id;         /* never 0 after nd_check_page, never reused */
  uint64_t group_id;        /* the page_id of the founder */
  uint64_t matched_page_id; /* ND_EXACT: the page whose text is equal; ND_NEAR: the representative. 0: none, or that
                             * page was removed or has changed since */
  double resemblance;       /* of the page and the matched one, L / (|A| + |B| - L), 0..1; 1 of ND_EXACT; with
                             * ND_FLAG_UNVERIFIED the detector's score, and the other three are 0 */
  double containment;       /* L / min(|A|, |B|), 0..1 */
  double page_coverage;     /* L / |this page|, 0..1 */
  double matched_coverage;  /* L / |the matched page|, 0..1 */
  double probability;       /* that both pages are the same document, 0..1. ND_EXACT and ND_UNCHANGED: 1; ND_NO_TEXT:
                             * 0; ND_NEW: that of the best candidate that was refused, else 0. With decision=report or
                             * decide=method it is not computed: 0 of ND_NEAR and ND_NEW */
  uint64_t related_group_id; /* ND_NEW: the group of that candidate; 0: none */
} nd_result;
#define ND_RESULT_INIT {sizeof(nd_result), 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0}

/* The one call at fetch time: compares the page with all before it and inserts it, atomically. Of two equal pages
 * checked at once, one founds a group and the other joins it. The verdict is advice: whatever it is, the page is in
 * the index.
 *
 * A page joins a group only by LCS verification against the group's representative, never through a chain of others.
 * The method that option `detector` names only finds candidates, unless option `decide` is method: then its score
 * with the representative alone decides, nothing is learned of sites, and each ND_NEAR carries
 * ND_FLAG_UNVERIFIED (docs/detectors.md). A library that was built without these methods
 * (NDC_METHODS=OFF) takes lcs alone; it refuses the others, nd_describe_page and nd_join_new with
 * ND_ERR_INVALID_ARGUMENT.
 * The same URL again is one page, updated: same text is ND_UNCHANGED; changed text is compared again (never with its
 * own old text) and keeps its group if it still verifies or was alone in it, else it gets a fresh page_id.
 * The same text is decided again as well if twice as many pages of its site are known as at the last decision, first
 * against its own group. The verdict is still ND_UNCHANGED, but a page that leaves its group, or that was alone and
 * finds one, gets ND_FLAG_REGROUPED, an event and a fresh page_id.
 *
 * Cost: about that of a bare HTML parse of the body; less on pages with much markup, more on pages that are mostly
 * text (docs/performance.md). No lock is held while the page is parsed, nor while it is verified, unless eight
 * commits of other threads in a row have forced it to look again; then other changes wait, but readers do not
 * (docs/concurrency.md). */
ND_API nd_status nd_check_page(nd_engine *engine, const nd_page *page, nd_result *result_out);

/* The same verdict, but nothing changes. page_id is 0 for an unknown URL, group_id 0 where the page would found a
 * group. The flags do not tell which limits storing the page would reach (memory_budget_bytes, keys_bytes).
 * Cost: as nd_check_page. */
ND_API nd_status nd_query_page(nd_engine *engine, const nd_page *page, nd_result *result_out);

/* The text of a page that is its own, in UTF-8 and with the page's own spelling: its visible text without the blocks
 * (paragraphs, cells, ...) that are less than a quarter the page's own by the weights that decide, such as what its
 * site is known to repeat; the page itself is left out of account. If nothing is known of the site, or hardly anything
 * would be left, the weights that nd_extract shows choose alone, perhaps nothing: size 0 (docs/decision.md, [9]). A
 * newline stands between blocks, an empty line between paragraphs of plain text; a run of white space is one blank, but
 * as written in plain and preformatted text. The page need not be known, and nothing changes.
 * Threads: any. Errors: only those of every call. Cost: less than half of nd_check_page. */
ND_API nd_status nd_own_text(nd_engine *engine, const nd_page *page, nd_buffer *text_out);

/* nd_check_page, and nd_own_text by what is known before this page, by one reading. A call that fails leaves both
 * outputs empty. Threads, Errors: as nd_check_page. Cost: hardly more than nd_check_page. */
ND_API nd_status nd_check_page_text(nd_engine *engine, const nd_page *page, nd_result *result_out,
                                    nd_buffer *text_out);

/* Forgets a page. The group of a removed founder keeps its text as representative while members remain.
 * Errors: ND_ERR_NOT_FOUND. */
ND_API nd_status nd_remove_page(nd_engine *engine, const char *url, size_t url_size);

enum { ND_REMOVE_PURGE = 1 << 0 }; /* nd_filter.flags: also removes texts that still represent a group */

/* Which pages to remove: all conditions that are set must hold; at least one must be set. */
typedef struct nd_filter {
  uint32_t struct_size;
  uint32_t flags;              /* ND_REMOVE_... */
  const char *url_prefix;      /* [url_prefix_size] byte prefix of the URL; size 0: any */
  size_t url_prefix_size;
  const char *site;            /* [site_size] registrable domain, e.g. "example.co.uk"; size 0: any */
  size_t site_size;
  int64_t fetched_before_ms;   /* last fetched before this time; 0: any */
} nd_filter;
#define ND_FILTER_INIT {sizeof(nd_filter), 0, NULL, 0, NULL, 0, 0}

/* Forgets every page that the filter matches. `removed_out`: how many; may be NULL.
 * With ND_REMOVE_PURGE no text of a removed page stays: a group that loses its representative elects the oldest
 * member whose text is kept (ND_EVENT_REELECTED), the other members are verified against it, and those that fail
 * leave, each with a fresh id and a group of its own (ND_EVENT_REGROUPED). Texts of pages removed earlier that still
 * represent their groups are removed too if they match the filter.
 * This is many changes, not one: if the call fails, some pages are gone, and repeating it continues. Other threads'
 * calls run in between: a page that is fetched again meanwhile, so that the filter no longer matches it, stays; of
 * pages added meanwhile some may stay.
 * Cost: O(pages), and with ND_REMOVE_PURGE a verification for each member of such groups. */
ND_API nd_status nd_remove_matching(nd_engine *engine, const nd_filter *filter, uint64_t *removed_out);

/* ---- The store -------------------------------------------------------------------------------------------------
 * For an engine in memory all of these return ND_ERR_INVALID_ARGUMENT; with read_only those that change something
 * return ND_ERR_READ_ONLY, as do nd_check_page, nd_check_page_text, nd_check_features, nd_apply_outcome and the
 * removals. With overlay checks and removals are allowed; nd_snapshot, nd_compact and nd_set_bookmark are
 * ND_ERR_READ_ONLY. nd_verify_store takes no engine. */

/* Writes what has changed as a new generation, while other threads go on checking. When it returns, everything
 * acknowledged before the call is on disk, whatever option `durability` is. The engine does the same by itself when
 * the journal has grown to journal_bytes.
 * Errors: ND_ERR_IO; the store is as it was, and the call may be repeated. ND_ERR_CORRUPT: also if a file of the store
 * was deleted; nd_compact can rewrite it as long as the engine is open. ND_ERR_LIMIT: a table has more than 65,536
 * runs, because a full disk kept them from being merged (repeat the call once there is room), or the manifest exceeds
 * 256 MiB, or the store's generation numbers are used up. Cost: writes the changes, and occasionally merges what
 * earlier snapshots wrote. */
ND_API nd_status nd_snapshot(nd_engine *engine);

/* As nd_snapshot, but rewrites the whole store without what was removed or replaced, which frees its disk space.
 * Errors: as nd_snapshot. Cost: reads and writes the store once; needs as much free disk space as the store takes. */
ND_API nd_status nd_compact(nd_engine *engine);

/* Moves a read-only engine to the newest snapshot, if there is a newer one. Errors: ND_ERR_INVALID_ARGUMENT for a
 * writer, and with overlay; ND_ERR_NOT_FOUND (the store is gone), ND_ERR_CORRUPT, ND_ERR_IO: the engine stays at its
 * snapshot. */
ND_API nd_status nd_refresh(nd_engine *engine);

#define ND_BOOKMARK_MAX_SIZE 4096   /* bytes of its data */
#define ND_BOOKMARK_NAME_MAX_SIZE 255

/* Remembers how far a reader of archives has come. A bookmark becomes durable with the pages before it: a crash never
 * loses a page and keeps a bookmark set after it. `data` [size] replaces the name's data; size 0 removes the name.
 * Errors: ND_ERR_LIMIT (too long, or more than 1000 names), ND_ERR_IO. */
ND_API nd_status nd_set_bookmark(nd_engine *engine, const char *name, const void *data, size_t size);

/* Errors: ND_ERR_NOT_FOUND. */
ND_API nd_status nd_get_bookmark(nd_engine *engine, const char *name, nd_buffer *data_out);

/* A fault in a file of a store; pointers live until the callback returns. */
typedef struct nd_store_fault {
  uint32_t struct_size;
  uint32_t reserved;
  const char *file;        /* its name in the store's directory */
  uint64_t offset;         /* in bytes; where the checked part begins */
  const char *sentence;    /* what is wrong */
} nd_store_fault;

/* A non-zero return ends the calls, not the work. */
typedef int32_t (*nd_store_fault_callback)(const nd_store_fault *fault, void *ctx);

/* Reads every file of a store, of all generations kept, and reports each fault; callback NULL: only the status is
 * wanted. Takes no lock; a writer may be at work. For a journal the offset is that of the first byte that belongs to
 * no record, and the sentence says how many bytes follow from there; an unfinished record at the end of the newest
 * journal, as a process that died leaves it, is no fault. Errors: ND_ERR_CORRUPT if there was any fault,
 * ND_ERR_NOT_FOUND, ND_ERR_IO, ND_ERR_UNSUPPORTED_VERSION. */
ND_API nd_status nd_verify_store(const char *path, nd_store_fault_callback callback, void *ctx);

/* ---- What the engine knows ------------------------------------------------------------------------------------ */

typedef struct nd_page_info {
  uint32_t struct_size;
  int32_t verdict;            /* of the last check that found new or changed text */
  uint32_t flags;             /* of that check */
  uint32_t reserved;
  uint64_t page_id;
  uint64_t group_id;
  int64_t first_fetched_at_ms;
  int64_t last_fetched_at_ms;
  uint64_t text_width;        /* visible text, in units of the LCS partition (a wide character counts 2) */
  uint64_t text_hash;         /* of the normalised visible text; with text_width it shows whether a page's text has
                               * changed */
  uint64_t matched_page_id;   /* this and the following as in the nd_result of that check */
  double resemblance;
  double containment;
  double page_coverage;
  double matched_coverage;
  double probability;
  uint64_t related_group_id;  /* the group may be gone by now */
} nd_page_info;
#define ND_PAGE_INFO_INIT {sizeof(nd_page_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0}

/* The page of a URL. Errors: ND_ERR_NOT_FOUND. */
ND_API nd_status nd_find_page(nd_engine *engine, const char *url, size_t url_size, nd_page_info *info_out);

/* The page of an id, with its URL (a sized output; url_size NULL: not wanted).
 * Errors: ND_ERR_NOT_FOUND, ND_ERR_LIMIT. */
ND_API nd_status nd_get_page(nd_engine *engine, uint64_t page_id, nd_page_info *info_out, char *url_out,
                             size_t *url_size);

/* Of this and the other callbacks of an engine: no lock is held while one runs. What is there during the whole call is
 * reported once; what is added or removed meanwhile may be reported. They may call every function except nd_close. A
 * non-zero return ends the calls, and the function returns ND_OK. Pointers live until the callback returns. */
typedef int32_t (*nd_page_callback)(const nd_page_info *info, const char *url, size_t url_size, void *ctx);

/* The members of a group, oldest first. Errors: ND_ERR_NOT_FOUND for an unknown group. */
ND_API nd_status nd_each_page(nd_engine *engine, uint64_t group_id, nd_page_callback callback, void *ctx);

/* Which page of a group is kept when its copies are left out (see nd_compare_pages), as `ndc dedup --keep` has it. */
enum {
  ND_KEEP_FIRST = 1,
  ND_KEEP_LONGEST = 2,  /* with most visible text */
  ND_KEEP_NEWEST = 3,   /* fetched last; a time that is not known is older than all others */
  ND_KEEP_CANONICAL = 4 /* that most pages of the group name as their canonical URL, itself included; among these the
                         * shortest URL, in bytes */
};

/* nd_copy.flags: it refers to another page, as a revisit record does, and is kept only if no copy has content */
enum { ND_COPY_WITHOUT_CONTENT = 1 << 0 };

/* A page of a group, for nd_choose_copy. */
typedef struct nd_copy {
  uint32_t struct_size;
  uint32_t flags;             /* ND_COPY_... */
  const char *url;            /* [url_size] */
  size_t url_size;
  const char *canonical_url;  /* [canonical_url_size] what nd_extract calls so; size 0: none. Compared without
                               * fragments, byte by byte */
  size_t canonical_url_size;
  int64_t fetched_at_ms;      /* 0: not known */
  uint64_t text_width;        /* as in nd_page_info */
} nd_copy;
#define ND_COPY_INIT {sizeof(nd_copy), 0, NULL, 0, NULL, 0, 0, 0}

/* Which of the pages of a group is kept by a rule (ND_KEEP_...); among equals the first. `copies` [count], each with
 * its struct_size set; *index_out: from 0. Needs no engine; the caller supplies what it knows of the pages.
 * Errors: ND_ERR_INVALID_ARGUMENT: no such rule, or no copies. Cost: O(count). */
ND_API nd_status nd_choose_copy(const nd_copy *copies, size_t count, int32_t rule, size_t *index_out);

/* The same of all members of a group that an engine knows, with the page's URL (a sized output; url_size NULL: not
 * wanted): ND_KEEP_FIRST is the oldest, as nd_each_page has them, and ND_KEEP_NEWEST goes by last_fetched_at_ms. An
 * engine keeps no links: ND_KEEP_CANONICAL is refused; callers that have the links use nd_choose_copy. The answer holds
 * for the moment: the next page may be a better choice.
 * Threads: any. Errors: ND_ERR_NOT_FOUND for an unknown group, ND_ERR_INVALID_ARGUMENT: no such rule, ND_ERR_LIMIT.
 * Cost: O(members) copied. */
ND_API nd_status nd_kept_page(nd_engine *engine, uint64_t group_id, int32_t rule, nd_page_info *info_out,
                              char *url_out, size_t *url_size);

typedef int32_t (*nd_settled_callback)(const nd_result *result, const char *url, size_t url_size, void *ctx);

/* Decides all pages of an engine again, in the order in which they came, by what is known of their sites now: for
 * callers who have checked their whole input and not yet used the answers. The first pages of a site were decided when
 * nothing was known of it. Pages keep their ids; one that is in another group now gets ND_EVENT_REGROUPED. `callback`
 * (NULL: none) gets the answer about each page as of its last text; a non-zero return ends the calls, not the work;
 * on an error what it got is void.
 * Where nothing is asked of sites (decision=report, decide=method) the answers stand, and it is not called.
 * Threads: no check may be running when it begins, which is not noticed; from then on whatever would change the engine
 * is ND_ERR_INVALID_ARGUMENT, in the callback too, until it returns. Errors, after which nothing has changed:
 * ND_ERR_INVALID_ARGUMENT: the engine has a store; ND_ERR_LIMIT: the memory budget left no room for some text. Cost:
 * for each page what a check costs without reading it, and memory for a second engine: until the last page is decided
 * there are two of all texts, sites and indexes. Calls that read meanwhile find only the pages that are decided
 * already. */
ND_API nd_status nd_settle(nd_engine *engine, nd_settled_callback callback, void *ctx);

typedef struct nd_group_info {
  uint32_t struct_size;
  uint32_t tombstone;              /* 1: the founder was removed or has changed, its old text represents the group */
  uint64_t group_id;
  uint64_t representative_page_id; /* 0 with a tombstone */
  uint64_t page_count;
} nd_group_info;

typedef int32_t (*nd_group_callback)(const nd_group_info *info, void *ctx);

/* All groups, ascending by id. Cost: O(groups) copied. */
ND_API nd_status nd_each_group(nd_engine *engine, nd_group_callback callback, void *ctx);

/* nd_event.kind */
enum {
  ND_EVENT_REGROUPED = 1,  /* a page moved to another group */
  ND_EVENT_REMOVED = 2,    /* a page was removed */
  ND_EVENT_REELECTED = 3,  /* a group has another representative */
  ND_EVENT_LIMIT = 4       /* the memory budget left no room for the text of page_id */
};

typedef struct nd_event {
  uint32_t struct_size;
  int32_t kind;
  uint64_t sequence;       /* 1, 2, 3, ...; a gap: before the first one given, no longer kept (events_limit);
                            * elsewhere, memory was lacking */
  uint64_t page_id;        /* after the event */
  uint64_t old_group_id;   /* 0: none */
  uint64_t new_group_id;   /* 0: none */
  int64_t at_ms;           /* the page's fetch time, or the time of the call */
} nd_event;

typedef int32_t (*nd_event_callback)(const nd_event *event, void *ctx);

/* The events after sequence `after` (0: all that are kept: the last events_limit), in order. */
ND_API nd_status nd_each_event(nd_engine *engine, uint64_t after, nd_event_callback callback, void *ctx);

/* Whether two known pages are the same document by what the engine knows now. The result is the decision that a check
 * of page b would make about page a, which plays the representative: ND_EXACT, ND_NEAR, ND_NEW (different) or
 * ND_NO_TEXT, the ratios, the probability of the pair and the flags, with the ids of b, and a as matched_page_id if
 * they are the same; related_group_id is 0. If they were compared by a check, ND_FLAG_CONTAINS and ND_FLAG_CONTAINED
 * of its answer stand beside those of today.
 * ND_FLAG_TRUNCATED and ND_FLAG_LIMIT tell that either page is known only in part.
 * Members of a group are compared with its representative, not with each other, and what the engine knows of a site
 * changes: so ask before b is left out because a is kept, and leave it out if the verdict is ND_EXACT, or ND_NEAR
 * without any of ND_FLAGS_CAUTION: then hardly any of its own text is lost (1 - page_coverage).
 * Changes nothing; a read-only engine answers too. Threads: any. Errors: ND_ERR_NOT_FOUND: no page has this id, or
 * its text was not kept. Cost: one verification. */
ND_API nd_status nd_compare_pages(nd_engine *engine, uint64_t page_a, uint64_t page_b, nd_result *result_out);

/* Why two pages are, or are not, near-duplicates. JSON object:
 *   "a", "b"            {"page_id", "url", "site", "width" (all text), "content_width" (weighted main content)}
 *   "verdict"           "exact" | "near" | "different"
 *   "rule"              what decided: "exact" | "probability" | "report" | a detector's name; "none": different
 *   "resemblance", "containment", "page_coverage" (of b), "matched_coverage" (of a)   numbers 0..1
 *   "probability"       number 0..1, as in the nd_result of nd_compare_pages
 *   "matched_width"     number; 0 where a detector decides alone
 *   "detector", "score" with any detector but lcs: its name, and its score for the pair, 0..1. Where it decides
 *                       alone, "rule" is its name too
 *   "asked", "compared" with any detector but lcs: the score from which on it considers two pages near-duplicates,
 *                       and what the score counts: {"unit": "terms", "spot signatures", "bits", ..., "a", "b": how
 *                       many each page has, "shared"}
 *   "shared_keys"       how many candidate keys both have; 0 with any detector but lcs: the others keep none
 *   "decision"          "document" | "report", as the option; absent where a detector decides alone
 *   "decided_by"        {"option", "asked", "found"}: the threshold that was met, or the missed one that prevented a
 *                       match; absent where the texts are equal. Where a detector decides alone, its threshold as a
 *                       score
 *   "refused_as"        where no threshold decides: "truncated" (both pages are); "little-matched" (less than
 *                       a fifth of the smaller page's own text is in the other one, in order)
 *   "limited"           true where check_work_limit or an internal bound cut the comparison short
 *   "reasons"           for people: array of {"name", "values": shares of 0..1, "sentence": in English}: what the two
 *                       have in common, how they differ, and what follows (docs/report_format.md)
 *   "boilerplate"       {"a", "b": array of [begin, end]}: token ranges of either page that are rather its site's
 *                       than its own, ascending and disjoint: less than half of their words' weight counts. Empty
 *                       unless decision=document decides
 *   "sketch"            with decision=report: {"a", "b": array of {"tokens": [begin, end], "text"}}, what the filter
 *                       of TR2007012 4.3 keeps; with x_trustable "trustable", such an array: the region of a (4.4)
 *   "segments"          by the LCS, whatever decides: array in reading order of {"kind": "both" | "a" | "b", "a":
 *                       [begin, end], "b": [begin, end], "text"}: token ranges; "text" only with option
 *                       keep_text=true
 *   "version"           of the library
 * "boilerplate", "sketch" and "trustable" are experimental, as are keys that are not named here.
 * Page a plays the representative. Errors: ND_ERR_NOT_FOUND: no page has this id, or its text was not kept. */
ND_API nd_status nd_explain(nd_engine *engine, uint64_t page_a, uint64_t page_b, nd_buffer *json_out);

#define ND_SIMILAR_PAGES_MAX 1000 /* that nd_similar_pages gives */

/* A page that resembles another one. */
typedef struct nd_similar_page {
  uint32_t struct_size;
  uint32_t flags;      /* 0, or in every row ND_FLAG_LIMIT: some work was cut by a limit, and pages that are as
                        * similar may be missing */
  uint64_t page_id;
  uint64_t group_id;
  double score;        /* of the engine's detector, 0..1; with lcs the resemblance of own text */
} nd_similar_page;

typedef int32_t (*nd_similar_callback)(const nd_similar_page *similar, const char *url, size_t url_size, void *ctx);

/* The known pages that resemble a known page most, by the engine's option `detector`: best score first, the older
 * first among equals, never the page itself, at most `limit` (1..ND_SIMILAR_PAGES_MAX) of them. Groups are found as
 * nd_query_page finds them: by what represents them, from detector_threshold on, or with lcs by keys and spot
 * signatures; the page's own group is always included. Their members are ranked, each by its own score, which may be
 * below the threshold but is not 0: the oldest of each group; then the oldest of all others, of which the score must
 * reach the threshold, with lcs a key be shared; an internal bound limits the number of either.
 * Callbacks as for nd_each_page. A read-only engine answers too. Threads: any. Changes nothing.
 * Errors: ND_ERR_NOT_FOUND: no page has this id, or its text was not kept; ND_ERR_INVALID_ARGUMENT: `limit` is out
 * of range.
 * Cost: the search of nd_query_page and a comparison for each of those members, with lcs of a bounded number of
 * steps together. */
ND_API nd_status nd_similar_pages(nd_engine *engine, uint64_t page_id, uint32_t limit, nd_similar_callback callback,
                                  void *ctx);

/* Counts since nd_open; bytes as of now, by the library's own counters. hot_keys_deleted, limit_index and limit_sites
 * belong to what the engine holds: they may fall with nd_refresh and nd_settle. */
typedef struct nd_stats {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t pages;                 /* in the engine now */
  uint64_t groups;                /* in the engine now */
  uint64_t checks;                /* that returned ND_OK, nd_apply_outcome among them */
  uint64_t queries;
  uint64_t body_bytes;            /* of checks */
  uint64_t verdict_new, verdict_unchanged, verdict_exact, verdict_near, verdict_no_text;  /* of checks */
  uint64_t recrawls;              /* of checks: the URL was known */
  uint64_t changed;               /* of recrawls: with other text */
  uint64_t reverified;            /* of recrawls: the same text, decided again because more of its site was known */
  uint64_t regrouped;
  uint64_t removed;
  uint64_t expired;               /* of removed: by page_ttl_s */
  uint64_t without_own_text;      /* of checks, with detector=lcs: pages that had nothing but what many pages of their
                                   * site have, numbers aside: calendars without end, errors sent as pages */
  uint64_t candidates;            /* groups that shared a key or spot signatures with a page, or that the detector
                                   * found; ranked and capped */
  uint64_t verifications;         /* LCS comparisons; with decide=method comparisons by the detector's score */
  uint64_t rejected_by_sketch;    /* of them ended by the filtered sketch alone */
  uint64_t retried_commits;       /* repeated looks at the candidates because another page was committed meanwhile; a
                                   * check may need several */
  uint64_t keys;                  /* in the index now */
  uint64_t hot_keys_deleted;      /* keys deleted as template or spam */
  uint64_t limit_page_bytes, limit_markup, limit_tokens, limit_candidates, limit_verifications;
  uint64_t limit_work, limit_memory;
  uint64_t limit_index;           /* pages and groups that keys_bytes, spot_bytes or detector_bytes kept out of an
                                   * index of candidates, or removed from it */
  uint64_t limit_spots;           /* checks of pages whose spot signatures were made with other parameters or, where
                                   * the detector compares nothing else, are more than are kept: not flagged */
  uint64_t limit_sites;           /* sites, and parts of them, that were forgotten beyond site_bytes */
  uint64_t bytes_total;           /* the sum of the next five */
  uint64_t bytes_index, bytes_features, bytes_pages, bytes_events, bytes_scratch;  /* the last: memory kept for the
                                                                                    * next call */
  uint64_t bytes_spots;           /* of bytes_index: the index of spot signatures */
  uint64_t generation;            /* of the store: its last snapshot. This and the following are 0 in memory */
  uint64_t snapshots;             /* taken since nd_open */
  uint64_t bytes_disk;            /* of the last snapshot's files */
  uint64_t bytes_journal;         /* since the last snapshot */
} nd_stats;
#define ND_STATS_INIT \
  {sizeof(nd_stats), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

ND_API nd_status nd_get_stats(nd_engine *engine, nd_stats *stats_out);

/* The same in the Prometheus text exposition format, with a histogram of nd_check_page's latency, ndc_check_seconds.
 * The counts of nd_stats have ndc_ before them, and _total behind if they only grow; but for ndc_checks_total{verdict},
 * ndc_limits_hit_total{limit}, ndc_memory_bytes{structure} and ndc_pages_without_own_text_total. Of a store, 0 in
 * memory: ndc_generation, ndc_snapshots_total, ndc_snapshot_failures_total, ndc_store_bytes, ndc_run_merges_total
 * (files merged), ndc_journal_bytes and ndc_journal_records (since the last snapshot), ndc_journal_appended_total,
 * ndc_journal_failures_total (writes and syncs that failed). All others are experimental. */
ND_API nd_status nd_metrics(nd_engine *engine, nd_buffer *text_out);

/* What ndc sees of a page, without an engine. JSON object: "kind" ("html" | "text" | "none"), "charset",
 * "charset_source", "title", "language", "keywords", "description", "canonical", "canonical_url" (that link, resolved
 * against the page's URL and without its fragment; "" if there is none, or if it has "." or ".." segments), "site",
 * "alternates", "width", "content_width", "tokens", "sentences", "fingerprints", "keys", "blocks": [{"text"
 * (normalised), "weight" 0..1, "words", "link_share", "stop_share", "context": [..]}], "limited".
 * `options`: NULL for the defaults. */
ND_API nd_status nd_extract(const nd_page *page, const nd_options *options, nd_buffer *json_out);

/* ---- The stateless half, for distributed engines --------------------------------------------------------------- */

/* Everything needed to compare a page later and elsewhere: portable between machines, versioned, checksummed.
 * 152 bytes, 4 per token, 8 per key or spot signature, 16 per block and per spot signature of a block, 24 per
 * sentence, URL and site (docs/features_format.md). If option `detector` is not lcs, also what the detector keeps of
 * the page.
 * Errors: ND_ERR_INVALID_ARGUMENT: options that do not go together or have no effect here (nd_option_info.acts_on). */
ND_API nd_status nd_features_compute(const nd_page *page, const nd_options *options, nd_buffer *bytes_out);

/* nd_record_info.contents */
enum {
  ND_RECORD_TEXT = 1 << 0, /* the page has text: without it, it is compared with nothing */
  ND_RECORD_KEYS = 1 << 1  /* the record has what candidates are found by; not one of nd_features_representative */
};

/* What a features record says of its page. The pointers point into the record. */
typedef struct nd_record_info {
  uint32_t struct_size;
  uint32_t format;            /* the version of docs/features_format.md that the record has */
  uint32_t contents;          /* ND_RECORD_... */
  uint32_t flags;             /* ND_FLAG_TRUNCATED, ND_FLAG_LIMIT and ND_FLAG_SHORT, as in an answer about the page */
  const char *url;            /* [url_size] as it was computed with */
  size_t url_size;
  const char *site;           /* [site_size] registrable domain of its host; size 0: none */
  size_t site_size;
  int64_t fetched_at_ms;      /* as it was computed with; 0: not known */
  uint64_t text_width;        /* as in nd_page_info, like the next one */
  uint64_t text_hash;
  uint64_t made_with;         /* the same number for records that the same libraries made with the same options. Pages
                               * share keys only if the options were the same; any two can be compared */
  uint32_t fingerprint_count; /* so many of nd_features_keys, the first ones, are LCS fingerprints */
  uint32_t key_count;
  uint32_t site_pages;        /* of its site, as far as the record carries what is known of that
                               * (nd_features_with_site); 0: it carries nothing. At most 65,535 */
  uint32_t reserved;
} nd_record_info;
#define ND_RECORD_INFO_INIT {sizeof(nd_record_info), 0, 0, 0, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Reads the head of a record, after the checks that all calls below begin with: what it accepts is whole for all of
 * them. Refused may still be a record of nd_features_representative (see nd_features_keys) or of nd_read_page, and one
 * of another detector or of other options.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION. Cost: one pass over the record. */
ND_API nd_status nd_features_info(const void *features, size_t features_size, nd_record_info *info_out);

/* Candidate keys: pages that share one are worth comparing. keys_out [*key_count], a sized output counted in keys;
 * distinct, the strictest (LCS fingerprints) first.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_LIMIT; ND_ERR_INVALID_ARGUMENT: of
 * nd_features_representative, which nd_features_with_site and whatever looks for candidates refuse likewise. */
ND_API nd_status nd_features_keys(const void *features, size_t features_size, uint64_t *keys_out, size_t *key_count);

/* The hashes under which a site counts the page: of its text blocks and the words of its title, ascending, each once.
 * parts_out [*part_count], a sized output counted in hashes.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_LIMIT. */
ND_API nd_status nd_features_parts(const void *features, size_t features_size, uint64_t *parts_out,
                                   size_t *part_count);

/* What is known of one site: on how many of its pages each part stands (nd_features_parts). With it two records are
 * decided as an engine decides that knows these pages (docs/decision_model.md).
 * A model holds 16,384 parts, beyond which the rarest quarter goes; at 4,096 pages all counts are halved.
 * Threads: one object, one thread at a time. */
typedef struct nd_site_model nd_site_model;

/* A model that knows nothing. Owns: the caller, until nd_site_model_free. */
ND_API nd_status nd_site_model_new(nd_site_model **model_out);

/* A page of the site. Learn each page once; one that has other text now with its new parts, and let the model forget
 * the old ones. parts [part_count], as of nd_features_parts. After ND_ERR_NO_MEMORY the model may lack some of them. */
ND_API nd_status nd_site_model_learn(nd_site_model *model, const uint64_t *parts, size_t part_count);

/* A page that was learned is gone, or has other text now. */
ND_API nd_status nd_site_model_forget(nd_site_model *model, const uint64_t *parts, size_t part_count);

/* Adds what another model has learned, as nd_site_model_save wrote all of it. Merged into a new model,
 * the saved bytes become that other model again. Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION; the model is then
 * as it was. */
ND_API nd_status nd_site_model_merge(nd_site_model *model, const void *saved, size_t saved_size);

/* The model as bytes: portable, versioned, checksummed (docs/features_format.md); the same for the same content.
 * parts [part_count]: what the bytes shall know, such as the parts of one page, which need no more to be decided; 0 of
 * them: all that the model knows. Size: 32 bytes and 16 per part. */
ND_API nd_status nd_site_model_save(const nd_site_model *model, const uint64_t *parts, size_t part_count,
                                    nd_buffer *bytes_out);

/* NULL is fine. */
ND_API void nd_site_model_free(nd_site_model *model);

/* The same page with what its site knows of it, in place of what the record carried before; its keys and spot
 * signatures are without the site's boilerplate. `saved`: of nd_site_model_save, with all parts or those of the page.
 * Learn the page before you save: a decision subtracts the page's own count. This is not checked; without it every
 * count is one too low. 8 bytes more per part.
 * Errors: as nd_features_keys, of either record. */
ND_API nd_status nd_features_with_site(const void *features, size_t features_size, const void *saved,
                                       size_t saved_size, nd_buffer *bytes_out);

/* The page as it is compared, for whoever keeps representatives: the record without keys, spot signatures, what these
 * are made from, and text. nd_features_decide decides with it as with the whole record. nd_features_info,
 * nd_features_parts and this function take it too.
 * `saved`: as in nd_features_with_site, so that what a representative carries of its site can be renewed; NULL with
 * size 0: it keeps what it carries.
 * Size: 152 bytes, 4 per token, 16 per block, URL and site, and 8 per part where the site is known. Much of that
 * repeats from page to page: where many are sent or kept, compress them together. When to renew what they carry of
 * their sites: docs/features_format.md.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION. */
ND_API nd_status nd_features_representative(const void *features, size_t features_size, const void *saved,
                                            size_t saved_size, nd_buffer *bytes_out);

/* Whether two pages are the same document; a plays the representative. What the records carry of their sites counts as
 * in an engine, but for what the two pages contribute themselves; without it all of their text is their own. The result
 * has verdict ND_EXACT, ND_NEAR, ND_NEW (different) or, if b has no text, ND_NO_TEXT, the four ratios, the probability
 * of the pair and the flags; its ids are 0. With decide=method the detector of `options` decides, without knowledge of
 * other pages (no document frequencies); both must be features of that detector.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_INVALID_ARGUMENT (features of another detector). */
ND_API nd_status nd_features_decide(const void *a, size_t a_size, const void *b, size_t b_size,
                                    const nd_options *options, nd_result *result_out);

/* nd_check_page for a page whose features were computed elsewhere. Its keys and spot signatures are recomputed,
 * without what the engine knows to be boilerplate of the page's site, so that with equal options the answer is that
 * of nd_check_page. Spot signatures made with another x_spot_chain than the engine's are not used, and
 * if there are more than x_spot_signatures the smallest are kept; see limit_spots. An engine whose detector is not lcs
 * takes features of that detector only, with its own x_spot_chain where it compares spot signatures.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_INVALID_ARGUMENT (features of another detector). */
ND_API nd_status nd_check_features(nd_engine *engine, const void *features, size_t features_size,
                                   nd_result *result_out);

/* nd_query_page for a page whose features were computed elsewhere: the answer that nd_check_features would give, but
 * nothing changes. A read-only engine answers too. Errors: as nd_check_features. */
ND_API nd_status nd_query_features(nd_engine *engine, const void *features, size_t features_size,
                                   nd_result *result_out);

/* A sketch of at most 127 bytes for hosts that have one small field per page; it knows no site and no template, so it
 * decides less well.
 * signature_out [*signature_size], a sized output without a NUL; size 0 for a page without text.
 * Errors: ND_ERR_INVALID_ARGUMENT: an option that does not act on how pages are read. */
#define ND_SIGNATURE_MAX_SIZE 127
ND_API nd_status nd_signature_compute(const nd_page *page, const nd_options *options, uint8_t *signature_out,
                                      size_t *signature_size);

/* Candidate keys of a signature, at most 32. Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION, ND_ERR_LIMIT. */
ND_API nd_status nd_signature_keys(const uint8_t *signature, size_t signature_size, uint64_t *keys_out,
                                   size_t *key_count);

/* Estimated Jaccard similarity of the two pages' main content, 0..1; squared if one of them is short, a tenth less if
 * their titles differ, at most .9 if their other text does. Measured thresholds: docs/signature_format.md.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION. */
ND_API nd_status nd_signature_compare(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                      double *similarity_out);

/* The working memory of the stateless half: with it nd_reader_extract and the others give the answers of nd_extract,
 * nd_describe_page, nd_features_compute and nd_signature_compute in a fraction of the time, since those set up
 * parser, charset tables and buffers in each call. */
typedef struct nd_reader nd_reader;

/* `options`: NULL for the defaults; they are copied.
 * Owns: the caller, until nd_reader_free. Threads: any number may use one reader at once; it then holds working
 * memory for each, and keeps that of at most 64 of them, at most 16 MiB each.
 * Errors: as nd_features_compute. */
ND_API nd_status nd_reader_new(const nd_options *options, nd_reader **reader_out);

/* nd_extract. Threads, Errors: as nd_reader_new and nd_extract. */
ND_API nd_status nd_reader_extract(nd_reader *reader, const nd_page *page, nd_buffer *json_out);

/* nd_features_compute. */
ND_API nd_status nd_reader_features(nd_reader *reader, const nd_page *page, nd_buffer *bytes_out);

/* nd_signature_compute. */
ND_API nd_status nd_reader_signature(nd_reader *reader, const nd_page *page, uint8_t *signature_out,
                                     size_t *signature_size);

/* NULL is fine. No other call on the reader may be running or follow. */
ND_API void nd_reader_free(nd_reader *reader);

/* ---- Log ------------------------------------------------------------------------------------------------------- */

enum { ND_LOG_ERROR = 1, ND_LOG_WARNING = 2 };

/* One line without a newline. Runs on the threads that call the engine and on the engine's own thread for snapshots,
 * on several at once, never after nd_close has returned. It may call every function of the engine except nd_close. */
typedef void (*nd_log_callback)(int32_t level, const char *message, size_t message_size, void *ctx);

/* NULL stops the log. When this returns, the previous callback is not running on any other thread and will not run
 * again: what its ctx points to may be freed. It waits for running callbacks, so do not hold a lock that they take.
 * Called from within a log callback it does not wait: other threads may then still be in the old one. Lines logged
 * before there was a callback, at most 16, are given to the first one. */
ND_API nd_status nd_set_logger(nd_engine *engine, nd_log_callback callback, void *ctx);

/* As nd_set_logger, for all engines opened with these options, from nd_open on: the callback gets what nd_open
 * reports, even if nd_open fails.
 * Errors: only those of every call. */
ND_API nd_status nd_options_set_logger(nd_options *options, nd_log_callback callback, void *ctx);

/* ---- Repair ---------------------------------------------------------------------------------------------------- */

typedef struct nd_repair_counts {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t pages;         /* in the new store */
  uint64_t groups;        /* in the new store */
  uint64_t pages_lost;    /* that the old store had, as far as is known */
  uint64_t losses;        /* that were found, whether or not the callback got them */
} nd_repair_counts;
#define ND_REPAIR_COUNTS_INIT {sizeof(nd_repair_counts), 0, 0, 0, 0, 0}

/* Saves what can be read of a damaged store `path` into a new one at `new_path`, which must not exist. The old store
 * is not changed; it must not be open for writing anywhere. The callback gets each loss: the damaged part of a file,
 * or, with `file` empty, what is missing from a page or from the store; NULL: only the counts are wanted.
 * `repair_out` may be NULL. Pages and groups keep their ids and verdicts; the sites' templates are learned again from
 * the pages. A page whose text cannot be read is lost. Bookmarks are copied only if nothing is lost, since pages
 * before them may be missing. What a disk error makes unreadable counts as lost too, and is reported with the error;
 * so try again before you give it up. If the call fails, do not use what is at `new_path`. docs/guide-store.md,
 * "Repair".
 * Errors: ND_ERR_LOCKED, ND_ERR_NOT_FOUND (no store), ND_ERR_INVALID_ARGUMENT (new_path exists already), ND_ERR_CORRUPT
 * (no manifest is readable), ND_ERR_UNSUPPORTED_VERSION, ND_ERR_IO, ND_ERR_LIMIT (as nd_snapshot, of the new store).
 * Cost: reads the old store, writes the new one; memory for 16 bytes per group with several members, and for what a
 * store has in memory. */
ND_API nd_status nd_repair_store(const char *path, const char *new_path, nd_store_fault_callback callback, void *ctx,
                                 nd_repair_counts *repair_out);

/* ---- Merging --------------------------------------------------------------------------------------------------- */

/* nd_merged_page.kind */
enum {
  ND_MERGED_ADDED = 1,   /* it has a new id */
  ND_MERGED_NEWER = 2,   /* `path` had its URL, and its fetch is the later one: that page has its text now, as if it had
                          * been fetched again */
  ND_MERGED_OLDER = 3,   /* `path` had its URL and a fetch that is as late: that page stays */
  ND_MERGED_WITHHELD = 4 /* the store had not kept its text (memory_budget_bytes with durability=none); left out */
};

/* What became of a page of the second store. */
typedef struct nd_merged_page {
  uint32_t struct_size;
  int32_t kind;           /* ND_MERGED_... */
  uint64_t old_page_id;   /* in the second store */
  uint64_t old_group_id;
  uint64_t page_id;       /* in the new store; 0 of ND_MERGED_WITHHELD */
  uint64_t group_id;
} nd_merged_page;

typedef int32_t (*nd_merge_callback)(const nd_merged_page *page, const char *url, size_t url_size, void *ctx);

typedef struct nd_merge_counts {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t pages;         /* in the new store */
  uint64_t groups;        /* in the new store */
  uint64_t added, newer, older, withheld; /* pages of the second store, by ND_MERGED_... */
  uint64_t joined;        /* of `added`: into a group of the first store */
} nd_merge_counts;
#define ND_MERGE_COUNTS_INIT {sizeof(nd_merge_counts), 0, 0, 0, 0, 0, 0, 0, 0}

/* Makes a new store at `new_path`, where nothing may be, of the store `path` and the pages of the store `other_path`.
 * Neither is changed; both must be whole, and closed by their writers. The pages, groups, events and bookmarks of
 * `path` stay what they are; the pages of `other_path` get new ids, its events and bookmarks are not taken. All pages
 * count for their sites, each URL once, before the first is decided; then each page of `other_path` is compared as
 * nd_check_page compares it, so that no page is in a group whose representative it was not verified against: a group
 * that is the same document as one of `path` becomes part of it. The callback gets each page of `other_path`, by
 * ascending old id (NULL: none; a non-zero return gives the merge up, ND_ERR_IO): its rows are the map of pages and of
 * groups, whose old ids mean nothing in the new store.
 * The new store stands in `new_path` with ".new" until it is whole; what a process that died has left there, the next
 * call removes. After an error there is nothing, unless a disk that fails keeps the call from removing it.
 * `options`: NULL for the defaults; persistent ones that are set must equal the stores', memory_budget_bytes bounds as
 * in nd_open what is not yet written, and mmap holds for reading. A merge has a durability, verify and others of its
 * own: the logger of nd_options_set_logger gets a warning for each option without effect. `merge_out` may be NULL.
 * docs/guide-store.md, "Merging".
 * Errors: ND_ERR_LOCKED, ND_ERR_NOT_FOUND (no store), ND_ERR_INVALID_ARGUMENT (an option in which the stores differ; a
 * store with itself; new_path exists already), ND_ERR_CORRUPT (file and offset), ND_ERR_UNSUPPORTED_VERSION (also:
 * texts by different versions of the libraries), ND_ERR_IO, ND_ERR_LIMIT (as nd_snapshot). Cost: reads both stores,
 * writes the new one; for each page of `other_path` what a check costs without reading the page. Memory: changes of 256
 * MiB, or a quarter of memory_budget_bytes. */
ND_API nd_status nd_merge_stores(const char *path, const char *other_path, const char *new_path,
                                 const nd_options *options, nd_merge_callback callback, void *ctx,
                                 nd_merge_counts *merge_out);

/* ---- Experimental ----------------------------------------------------------------------------------------------
 * What may change or go with any version. */

#if defined(ND_EXPERIMENTAL)

/* What option `detector` keeps of a page, in words where it keeps words, without an engine.
 * JSON object: "detector", and
 *   lcs                          "fingerprints": [..], "shingles": [..], the candidate keys
 *   spotsigs, i-match-s, lsh-s   "spot_signatures": [{"words": the antecedent and its chain, "hash", "count"}], most
 *                                frequent first
 *   mwo                          "terms": [{"term" (the stem), "share" 0..1, "hash"}], heaviest first
 *   simhash64, simhash128        "simhash": hexadecimal; "" of a page without words
 *   moz-vector                   "vector": 128 hexadecimal numbers; absent for a page without text
 * Hashes are hexadecimal. No site's boilerplate is known here, as in nd_features_compute. `options`: NULL for the
 * defaults.
 * Errors: ND_ERR_INVALID_ARGUMENT: a detector that keeps nothing but hashes of words (docs/features_format.md); options
 * that contradict each other. Cost: as nd_features_compute. */
ND_API nd_status nd_describe_page(const nd_page *page, const nd_options *options, nd_buffer *json_out);

/* nd_describe_page, by a reader. */
ND_API nd_status nd_reader_describe(nd_reader *reader, const nd_page *page, nd_buffer *json_out);

/* How much each block of a page that was learned is the page's own and not its site's, 0..1, in document order.
 * weights_out [*weight_count], a sized output counted in weights. Errors: as nd_features_parts. */
ND_API nd_status nd_site_model_weights(const nd_site_model *model, const void *features, size_t features_size,
                                       double *weights_out, size_t *weight_count);

/* Puts a page into an engine as it was decided elsewhere, for a copy of what other machines know: to list, explain,
 * query and purge it here. Nothing is compared, whatever the engine would decide.
 * Of `outcome`, which must not be result_out, count: `verdict`, ND_NEW, ND_EXACT, ND_NEAR or ND_NO_TEXT; `group_id`, of
 * this engine, that the page joins, 0 where it founds one; matched_page_id of ND_EXACT and related_group_id, of this
 * engine, or 0; the ratios and the probability; ND_FLAG_LIMIT and ND_FLAG_UNVERIFIED. Ids are the engine's own: that of
 * a founder elsewhere is found here by its URL (nd_find_page).
 * The result is that of a check that decided so. A page that is known already moves where the outcome says, with an
 * event and a fresh id if it leaves its group; an outcome that says what is known changes nothing but the time. So the
 * outcomes of a log may come twice, founders before their members. Removals are nd_remove_page.
 * Counts as a check. Errors: as nd_check_features; ND_ERR_INVALID_ARGUMENT: verdict, group and page contradict each
 * other, or a share is not in 0..1; ND_ERR_NOT_FOUND: no such group; ND_ERR_LIMIT: the memory budget leaves no room to
 * move a page. */
ND_API nd_status nd_apply_outcome(nd_engine *engine, const void *features, size_t features_size,
                                  const nd_result *outcome, nd_result *result_out);

/* Reads a page for nd_learn_features and nd_check_features of this engine, or one with the same options: faster than
 * nd_features_compute, and a smaller record, for the calls on such engines alone; a read-only engine reads too.
 * Errors: only those of every call. */
ND_API nd_status nd_read_page(nd_engine *engine, const nd_page *page, nd_buffer *features_out);

/* Learns from a page what stands on its site. Callers who have their whole input read all pages (nd_read_page), learn
 * each URL's last text, and then check all (nd_check_features): each is decided as nd_settle would, but once, and in
 * the memory of one engine. A check after this counts its page for no site any more. No check may run meanwhile. Beyond
 * a quarter of memory_budget_bytes nothing is learned (limit_memory), and the page's own count is lacking for it.
 * Errors: as nd_check_features; ND_ERR_INVALID_ARGUMENT: the engine has a store, or has checked a page. */
ND_API nd_status nd_learn_features(nd_engine *engine, const void *features, size_t features_size);

typedef struct nd_bytes {
  const void *data;
  size_t size;
} nd_bytes;

/* Partitions a whole collection in the batch order of the LCS partition (TR2007012, sections 3.3 and 4.2): documents
 * by number of keys, candidate sets that widen one way, members verified against representatives. Of the documents of
 * one URL the last counts for its site, as if the page had been fetched again; each is answered.
 * `features` [count]; `results_out` [count], each with its struct_size set: page_id is index + 1, group_id and
 * related_group_id a representative's index + 1.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION (nd_last_error names the index), ND_ERR_LIMIT for 2^32 - 1 pages
 * or more, ND_ERR_INVALID_ARGUMENT with another option `detector` than lcs.
 * Cost: O(all keys) and the verifications. */
ND_API nd_status nd_partition_features(const nd_bytes *features, size_t count, const nd_options *options,
                                       nd_result *results_out);

/* The complete join: all pairs of a collection whose score reaches a threshold, by option `detector`. Pages are
 * numbered 0, 1, ... as they are added; a search finds the earlier pages that match one page. Searches run on any
 * number of threads, and no pair is kept. */
typedef struct nd_join nd_join;

/* A page and its score with the page of the search: above 0, at most 1. This structure never changes. */
typedef struct nd_join_match {
  uint64_t page;
  double score;
  double containment;  /* with lcs, as in nd_result; with other detectors 0 */
} nd_join_match;

/* Creates an empty join. `threshold`: the lowest score in thousandths, 0..1000; 0 means any score above 0. A score is
 * the multi-set Jaccard of the spot signatures; the minimum weight overlap; the share of equal bits; of the other
 * detectors that of docs/detectors.md without document frequencies, by comparing every pair; or, of lcs, the
 * resemblance that nd_features_decide gives: of own text, by what the records carry of their sites
 * (nd_features_with_site), or with decision=report of all text; of pages that share a candidate key or all text.
 * `options`: NULL for the defaults; they are copied.
 * Owns: the caller, until nd_join_free. Errors: ND_ERR_INVALID_ARGUMENT: a threshold out of range. */
ND_API nd_status nd_join_new(const nd_options *options, uint32_t threshold, nd_join **join_out);

/* Adds a page, and returns about how many bytes the join holds (bytes_out may be NULL). The join keeps what the
 * detector compares: with lcs all of the features, otherwise only the description (docs/features_format.md), and an
 * index of it.
 * Threads: one at a time, and no search meanwhile.
 * Errors: ND_ERR_CORRUPT, ND_ERR_UNSUPPORTED_VERSION; ND_ERR_INVALID_ARGUMENT: features of another detector, or a
 * join that has already been searched; ND_ERR_LIMIT: 2^32 - 2 pages. */
ND_API nd_status nd_join_add(nd_join *join, const void *features, size_t features_size, uint64_t *bytes_out);

/* The pages before `page` whose score with it reaches the threshold: an array of nd_join_match in the buffer,
 * ascending by page; size / sizeof(nd_join_match) of them, at most `page`. No limit leaves any out. The first search
 * builds the index. Threads: any; no answer depends on their number.
 * Cost: the candidates' comparisons; of lcs each is bounded by x_verification_work_limit.
 * Errors: ND_ERR_INVALID_ARGUMENT: no such page. */
ND_API nd_status nd_join_earlier(nd_join *join, uint64_t page, nd_buffer *matches_out);

/* The same for a page that was not added and counts as later than all added ones. Errors: as nd_join_add. */
ND_API nd_status nd_join_find(nd_join *join, const void *features, size_t features_size, nd_buffer *matches_out);

/* NULL is fine. No other call on the join may be running or follow. */
ND_API void nd_join_free(nd_join *join);

#endif /* ND_EXPERIMENTAL */

#ifdef __cplusplus
}
#endif

#endif /* NDCAPI_H */
