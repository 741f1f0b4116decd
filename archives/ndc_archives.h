/*
 * The pages of archives: WARC, ARC, WACZ, JSON lines, HTML, each packed or not (WACZ as it is).
 *
 * The caller reads bytes, from wherever the archive lies; the library finds the records in them, removes
 * transfer and content codings, and says of each record whether it is a page:
 *
 *     nd_archive_input input = ND_ARCHIVE_INPUT_INIT;
 *     input.name = "crawl.warc.gz";  input.end = size;  input.read = read_at;  input.ctx = &file;
 *     nd_archive *archive = NULL;
 *     nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
 *     if (nd_archive_open(&input, &archive) == ND_OK)
 *       while (nd_archive_next(archive, &item) == ND_OK && item.kind != ND_ARCHIVE_END) ...
 *     nd_archive_close(archive);
 *
 * What is read, and what counts as a page, is in docs/inputs.md. Errors, memory, strings and structs are as
 * in ndcapi.h, with nd_archive_last_error() in place of nd_last_error(). Of libndc only the codes of
 * nd_status are used.
 *
 * One thread at a time uses an archive. Different archives are independent.
 *
 * Bad input is never an error: damage is an item, and reading goes on at the next record. Bounds are
 * arguments, and what reaches one is an item too.
 *
 * Memory: about 4 MiB, of bzip2 up to 12, of lz4 up to 25; three times max_page_bytes while there is a record
 * as long; for revisits some 240 bytes for each page; for each file of a WACZ 640 bytes; for zstd the
 * dictionary, up to 4 MiB, and the window that a frame asks for, up to 128 MiB, which xz may take too, twice
 * while a revisit is read or damage is passed over. A compressed WACZ within a WACZ is unpacked into a
 * nameless file in /tmp: up to 64 MiB or max_expansion times its size.
 */
#ifndef NDC_ARCHIVES_H
#define NDC_ARCHIVES_H

#include <stddef.h>
#include <stdint.h>

#include <ndcapi.h>

typedef struct nd_archive nd_archive;

/* Reads at most `size` (> 0) bytes from byte `offset` of the file on into `out`. Returns how many, at least
 * 1; 0 at the end of the file; a negative number if reading failed: what came before is still given, then the
 * archive ends. Called within nd_archive_open and nd_archive_next, by their thread, mostly in sequence and
 * for 256 KiB. It must not call nd_archive_... on the archive that it reads for. */
typedef int64_t (*nd_archive_read_fn)(uint64_t offset, void* out, size_t size, void* ctx);

/* The end of a file that is no WACZ, where its size is not known: it ends where `read` says so. Elsewhere an
 * end before that is damage. */
#define ND_ARCHIVE_SIZE_UNKNOWN UINT64_MAX

enum {
  ND_ARCHIVE_ALL_STATUSES = 1 /* HTTP responses of any status, or none, are pages too if they have a body */
};

typedef struct nd_archive_input {
  uint32_t struct_size;
  uint32_t flags;   /* ND_ARCHIVE_ALL_STATUSES, or 0 */
  const char* name; /* of the file, NUL-terminated: what items call it. Copied */
  uint64_t begin;   /* 0, or where a record, or a packed member with one, begins; of a WACZ 0 */
  uint64_t end;     /* the byte behind the last: the size, or where another stretch begins; or SIZE_UNKNOWN */
  nd_archive_read_fn read;
  void* ctx;               /* passed to it; both are used until nd_archive_close */
  uint64_t max_page_bytes; /* longer bodies and records are cut there; 1 to 1 GiB, 0: 64 MiB */
  uint64_t max_expansion;  /* bytes that may come of each byte of the file, beside 64 MiB; 0: 1,100 */
  uint64_t max_files;      /* of a WACZ, and records that revisits may refer to; 0: 1,000,000 */
} nd_archive_input;
#define ND_ARCHIVE_INPUT_INIT \
  { sizeof(nd_archive_input), 0, NULL, 0, 0, NULL, NULL, 0, 0, 0 }

/* Examines the beginning of a file, or the directory of a WACZ.
 * Owns: *archive_out goes to nd_archive_close.
 * Errors: ND_ERR_CORRUPT: it is no archive of pages, which the message says as the predicate of a sentence
 * about the file. ND_ERR_IO: reading failed. Cost: up to 1 MiB is read. */
nd_status nd_archive_open(const nd_archive_input* input, nd_archive** archive_out);

/* Closes an archive; NULL is fine. */
void nd_archive_close(nd_archive* archive);

/* How many files there are: those of a WACZ, else 1. */
size_t nd_archive_file_count(const nd_archive* archive);

/* The name of one: of an entry of a WACZ, name/archive/entry. NUL-terminated; valid until nd_archive_close;
 * NULL past the last. */
const char* nd_archive_file_name(const nd_archive* archive, size_t file);

/* Before the first nd_archive_next: reads this file alone.
 * Errors: ND_ERR_NOT_FOUND past the last, ND_ERR_INVALID_ARGUMENT when reading has begun. */
nd_status nd_archive_select(nd_archive* archive, size_t file);

enum {
  ND_ARCHIVE_END = 0,          /* nothing comes any more */
  ND_ARCHIVE_PAGE = 1,         /* a page */
  ND_ARCHIVE_NO_PAGE = 2,      /* a record of another type: a request, a name lookup, ... */
  ND_ARCHIVE_LEFT_OUT = 3,     /* a style sheet, an image, a lost revisit, ...; `reason` is its kind */
  ND_ARCHIVE_OTHER_STATUS = 4, /* an HTTP response other than 2xx, or one that has no content */
  ND_ARCHIVE_DAMAGE = 5        /* something that cannot be read; `reason` says why, as half a sentence */
};

/* Why an item is ND_ARCHIVE_LEFT_OUT: with the first three a page is lost, whose content the archive has or
 * names. */
enum {
  ND_LEFT_OUT_LOST_REVISIT = 1,   /* a revisit of a page that did not come before it */
  ND_LEFT_OUT_COSTLY_REVISIT = 2, /* a revisit for which too much would be read again */
  ND_LEFT_OUT_COSTLY_CODINGS = 3, /* a payload whose codings give more than max_expansion allows */
  ND_LEFT_OUT_OTHER = 4           /* what is no page, and was not lost: `reason` names its kind */
};

enum {
  ND_ARCHIVE_ITEM_TRUNCATED = 1, /* a page of whose body a part is missing */
  ND_ARCHIVE_ITEM_REVISIT = 2,   /* a page whose content is that of the page that it revisits */
  ND_ARCHIVE_ITEM_RECORD = 4,    /* a whole record was there; of damage: it is within that record */
  ND_ARCHIVE_ITEM_SEPARATE = 8   /* the record ended by itself, not because another one or the end came */
};

/* What an archive has next. Strings are bytes as the archive has them, without a NUL, valid until the next
 * call. */
typedef struct nd_archive_item {
  uint32_t struct_size;
  int32_t kind;           /* ND_ARCHIVE_... */
  uint32_t flags;         /* ND_ARCHIVE_ITEM_... */
  uint32_t left_out;      /* ND_LEFT_OUT_... of ND_ARCHIVE_LEFT_OUT, else 0 */
  const char* file;       /* NUL-terminated; as nd_archive_file_name */
  uint64_t file_offset;   /* of the record or damage in that file; if packed, of its member */
  uint64_t member_offset; /* decompressed bytes from there; 0 in a plain file */
  const char* url;        /* of a page, as all that follow */
  size_t url_size;
  const char* content_type; /* as the server declared it; of several each, separated by commas */
  size_t content_type_size;
  const char* body; /* decoded; at most max_page_bytes */
  size_t body_size;
  int64_t fetched_at_ms; /* since 1970-01-01 UTC; 0: not known */
  const char* reason;    /* of what was left out, and of damage */
  size_t reason_size;
} nd_archive_item;
#define ND_ARCHIVE_ITEM_INIT \
  { sizeof(nd_archive_item), 0, 0, 0, NULL, 0, 0, NULL, 0, NULL, 0, NULL, 0, 0, NULL, 0 }

/* Reads on. What came before a failure of `read` is given first.
 * Errors: ND_ERR_IO: reading failed. After any error but ND_ERR_INVALID_ARGUMENT every further call returns
 * it. Cost: what the item has is read, decompressed and decoded; a revisit reads what it refers to once more.
 */
nd_status nd_archive_next(nd_archive* archive, nd_archive_item* item_out);

/* What went wrong in this thread's last fallible call of these, "" if it succeeded. Never NULL; at
 * most 511 bytes; valid until the thread's next call. */
const char* nd_archive_last_error(void);

#endif
