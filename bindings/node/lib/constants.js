// Numbers and names of include/ndcapi.h, which bindings/node/generate writes here.
'use strict';

module.exports = {
  VERSION: 131072,
  VERDICTS: ["", "new", "unchanged", "exact", "near", "no-text"],
  FLAGS: {"RECRAWL": 1, "CHANGED": 2, "REGROUPED": 4, "TRUNCATED": 8, "LIMIT": 16, "SHORT": 32, "CONTAINS": 64,
    "CONTAINED": 128, "UNVERIFIED": 256, "UNCERTAIN": 512},
  CAUTION: 16712408,
  EVENTS: ["", "regrouped", "removed", "reelected", "limit"],
  KEEP_RULES: {"first": 1, "longest": 2, "newest": 3},
  STATUSES: {"-1": "ERR_NDC_INVALID_ARGUMENT", "-2": "ERR_NDC_NO_MEMORY", "-3": "ERR_NDC_IO", "-4": "ERR_NDC_CORRUPT",
    "-5": "ERR_NDC_UNSUPPORTED_VERSION", "-6": "ERR_NDC_LOCKED", "-7": "ERR_NDC_READ_ONLY", "-8": "ERR_NDC_NOT_FOUND",
    "-9": "ERR_NDC_LIMIT", "-10": "ERR_NDC_INTERNAL"},
  STATISTICS: ["pages", "groups", "checks", "queries", "body_bytes", "verdict_new", "verdict_unchanged",
    "verdict_exact", "verdict_near", "verdict_no_text", "recrawls", "changed", "reverified", "regrouped", "removed",
    "expired", "without_own_text", "candidates", "verifications", "rejected_by_sketch", "retried_commits", "keys",
    "hot_keys_deleted", "limit_page_bytes", "limit_markup", "limit_tokens", "limit_candidates", "limit_verifications",
    "limit_work", "limit_memory", "limit_index", "limit_spots", "limit_sites", "bytes_total", "bytes_index",
    "bytes_features", "bytes_pages", "bytes_events", "bytes_scratch", "bytes_spots", "generation", "snapshots",
    "bytes_disk", "bytes_journal"],
  ROWS: {"ResultFields": ["verdict", "flags", "pageId", "groupId", "matchedPageId", "resemblance", "containment",
    "pageCoverage", "matchedCoverage", "probability", "relatedGroupId"], "PageInfo": ["verdict", "flags", "pageId",
    "groupId", "firstFetchedAt", "lastFetchedAt", "textWidth", "textHash", "matchedPageId", "resemblance",
    "containment", "pageCoverage", "matchedCoverage", "probability", "relatedGroupId"], "Group": ["groupId",
    "representativePageId", "pageCount"], "Event": ["kind", "sequence", "pageId", "oldGroupId", "newGroupId", "at"]},
};
