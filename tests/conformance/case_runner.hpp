// Runs one case of cases.json through ndcapi.h, in an engine in memory. The file is for every language; its
// format:
//
// {"format": 1, "cases": [case]}. A case has "name" (lower case, digits, hyphens; unique), "why" (a
// sentence), "options" ({key: text}; absent: defaults), "pages" ({name: page}) and "steps". No member may be
// there that a runner does not know, and no page that is in no step.
//
// A page: "url" (may be empty), "content_type", "truncated" (false), "fetched_at_ms" (1700000000000), and as
// body one of
//   "body"         text, as UTF-8
//   "body_base64"  bytes
//   "body_repeat"  {"before", "text", "count", "after"}: text count times, and what surrounds it
//
// A step: "call", its arguments, and "expect", in which only what is there is compared. Instead of all else
// it may be {"error": NAME}, the code without ND_ERR_. [low, high] is a range, both inclusive. A page's name
// stands for the page_id of its last check; "group" for the group_id of the last check of that page that
// founded one; null for 0.
//
//   check, query, check_features  "page"; expects "verdict", "flags" (a set), "page_id", "group_id", "group",
//   "matched", "related" (a page's name, for "group" of it), and the ranges
//                      "resemblance", "containment", "page_coverage", "matched_coverage", "probability".
//                      check_features: the page's features
//   own_text           "page"; expects "own_text"
//   check_with_text    as check; expects "own_text", too
//   open               "options" of another engine in memory, which is closed at once
//   remove             "url"; expects "found"
//   find               "url"; expects "found", "verdict", "flags", "page_id", "group", "text_width",
//   "first_fetched_at_ms",
//                      "last_fetched_at_ms"
//   members            "group"; expects "pages", in order
//   events             expects "events", all in order: each with "kind", "page", "old_group", "new_group"
//   explain            "a", "b"; expects "verdict", "rule", and the five ranges
//   stats              expects members of nd_stats
//   features           "page" or "bytes_base64"; then, in this order, "site_pages" (the pages that its site
//                      has learned), "cut_bytes" (at the end), "flip_byte" (the lowest bit at an offset);
//                      expects "keys", "parts" (16 hex digits each, in order), "key_count", "part_count",
//                      "bytes_sha256"
//   decide             "a" (the representative), "b", "site_pages" of both: of features, with the case's
//                      options; expects "verdict", "flags", and the five ranges
//   signature          "page"; expects "hex", "keys", and the ranges "size" and "key_count"
//   signature_compare  "a", "b"; expects the range "similarity"
#pragma once

#include "conformance/case_record.hpp"

namespace nd_test {

// Nothing, if the library does what the case says and every member of the case was understood.
Faults run_case(const Json& test_case);

}  // namespace nd_test
