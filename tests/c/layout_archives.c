/* Offsets and sizes of the structs of ndc_archives.h, which compiled callers keep. */
#include <ndc_archives.h>

#define FIELD(type, field, at, size)                                        \
  _Static_assert(offsetof(type, field) == (at), #type "." #field " moved"); \
  _Static_assert(sizeof((*(const type*)0).field) == (size), #type "." #field " has another size")
#define SIZE(type, size) \
  _Static_assert(sizeof(type) == (size), #type " has another size: if it grew at its end, write it here")
#define VALUE(name, value) _Static_assert((name) == (value), #name " changed")

_Static_assert(sizeof(void*) == 8 && sizeof(size_t) == 8, "the offsets below are for 64-bit platforms");
_Static_assert(sizeof(nd_status) == 4 && (nd_status)-1 < 0, "nd_status is int32_t");

FIELD(nd_archive_input, struct_size, 0, 4);
FIELD(nd_archive_input, flags, 4, 4);
FIELD(nd_archive_input, name, 8, 8);
FIELD(nd_archive_input, begin, 16, 8);
FIELD(nd_archive_input, end, 24, 8);
FIELD(nd_archive_input, read, 32, 8);
FIELD(nd_archive_input, ctx, 40, 8);
FIELD(nd_archive_input, max_page_bytes, 48, 8);
FIELD(nd_archive_input, max_expansion, 56, 8);
FIELD(nd_archive_input, max_files, 64, 8);
SIZE(nd_archive_input, 72);

FIELD(nd_archive_item, struct_size, 0, 4);
FIELD(nd_archive_item, kind, 4, 4);
FIELD(nd_archive_item, flags, 8, 4);
FIELD(nd_archive_item, left_out, 12, 4);
FIELD(nd_archive_item, file, 16, 8);
FIELD(nd_archive_item, file_offset, 24, 8);
FIELD(nd_archive_item, member_offset, 32, 8);
FIELD(nd_archive_item, url, 40, 8);
FIELD(nd_archive_item, url_size, 48, 8);
FIELD(nd_archive_item, content_type, 56, 8);
FIELD(nd_archive_item, content_type_size, 64, 8);
FIELD(nd_archive_item, body, 72, 8);
FIELD(nd_archive_item, body_size, 80, 8);
FIELD(nd_archive_item, fetched_at_ms, 88, 8);
FIELD(nd_archive_item, reason, 96, 8);
FIELD(nd_archive_item, reason_size, 104, 8);
SIZE(nd_archive_item, 112);

VALUE(ND_ARCHIVE_ALL_STATUSES, 1);
VALUE(ND_ARCHIVE_END, 0);
VALUE(ND_ARCHIVE_PAGE, 1);
VALUE(ND_ARCHIVE_NO_PAGE, 2);
VALUE(ND_ARCHIVE_LEFT_OUT, 3);
VALUE(ND_ARCHIVE_OTHER_STATUS, 4);
VALUE(ND_ARCHIVE_DAMAGE, 5);
VALUE(ND_LEFT_OUT_LOST_REVISIT, 1);
VALUE(ND_LEFT_OUT_COSTLY_REVISIT, 2);
VALUE(ND_LEFT_OUT_COSTLY_CODINGS, 3);
VALUE(ND_LEFT_OUT_OTHER, 4);
VALUE(ND_ARCHIVE_ITEM_TRUNCATED, 1);
VALUE(ND_ARCHIVE_ITEM_REVISIT, 2);
VALUE(ND_ARCHIVE_ITEM_RECORD, 4);
VALUE(ND_ARCHIVE_ITEM_SEPARATE, 8);
