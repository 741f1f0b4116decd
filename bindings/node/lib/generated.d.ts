// Types that follow from the header and from the library's options: bindings/node/generate writes them.

/** The options of an engine, by the library's own names (docs/options.md). */
export interface Options {
  /** Bytes of a body that are read; the rest is cut and flagged. Default of 1024..1073741824: 16777216. */
  page_bytes_limit?: number | bigint;
  /**
   * Bytes of visible text that are extracted from a page; the rest is cut and flagged. Default of 1024..268435456:
   * 4194304.
   */
  text_bytes_limit?: number | bigint;
  /** Tokens of a page that are kept and compared; the rest is cut and flagged. Default of 64..4194304: 65536. */
  tokens_limit?: number | bigint;
  /**
   * What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text counts. Default:
   * learned.
   */
  block_weights?: 'learned' | 'rules' | 'none';
  /**
   * Keeps the normalised text of each page beside what it is compared by, so that nd_explain can quote it.
   * Default: false.
   */
  keep_text?: boolean;
  /**
   * The method that finds near-duplicates; all but lcs keep an index in memory and no candidate keys
   * (docs/detectors.md). Default: lcs.
   */
  detector?: 'lcs' | 'spotsigs' | 'i-match-s' | 'lsh-s' | 'moz-vector' | 'simhash64' | 'simhash128' | 'mwo' | 'shingles' | 'minhash' | 'cosine' | 'i-match' | 'exact';
  /**
   * Who decides on what the detector finds: the LCS, or the detector alone; then every verdict near is flagged as
   * unverified. Default: lcs.
   */
  decide?: 'lcs' | 'method';
  /**
   * The least that must be equal for the detector, in its own unit: thousandths, equal bits or equal entries. 0:
   * its default (docs/detectors.md). Default of 0..1000: 0.
   */
  detector_threshold?: number | bigint;
  /**
   * What makes two texts one document: a probability learned from judged pages, or the rule of TR2007012 5.4
   * (docs/decision.md). Default: document.
   */
  decision?: 'document' | 'report';
  /** The probability of being the same document from which on a page joins a group. Default of 0..1: 0.50. */
  same_document?: number;
  /** The resemblance from which on two pages are near-duplicates (TR2007012 5.4). Default of 0..1: 0.28. */
  resemblance?: number;
  /**
   * The share of a page that lies in the other, from which on they are near-duplicates (TR2007012 5.4). Default of
   * 0..1: 0.70.
   */
  containment?: number;
  /**
   * Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, features have none. Default:
   * true.
   */
  spotsigs?: boolean;
  /**
   * In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a store: what has
   * changed is written before it takes so much. 0: no budget. Default of 0..1000000000000000: 0.
   */
  memory_budget_bytes?: number | bigint;
  /**
   * What the index of candidate keys may hold; beyond it groups take no new keys, and are found by their spot
   * signatures, old keys and equal text. Its tables, which double and do not shrink, may take up to 4 times as
   * much in memory. 0: no bound. Default of 0..1099511627776: 0.
   */
  keys_bytes?: number | bigint;
  /**
   * What the index of spot signatures may hold; beyond it the oldest groups are found by their keys only. Its
   * tables may take up to 4 times as much in memory. 0: no bound. Default of 0..1099511627776: 268435456.
   */
  spot_bytes?: number | bigint;
  /**
   * Memory of what is known about sites; those not seen for longest are forgotten. Default of
   * 65536..1000000000000: 268435456.
   */
  site_bytes?: number | bigint;
  /**
   * What the index of a detector other than lcs may hold; beyond it the oldest groups are found by equal text
   * only. 0: no bound. Default of 0..1099511627776: 0.
   */
  detector_bytes?: number | bigint;
  /**
   * Inner steps of all comparisons of a check together, beside those that its bytes allow; what would take more is
   * cut and flagged, the likeliest candidates come first. 0: no bound. Default of 0..1000000000000: 64000.
   */
  check_work_limit?: number | bigint;
  /**
   * Changes of pages and groups that an engine remembers, the latest ones, for nd_each_event. Default of
   * 0..100000000: 100000.
   */
  events_limit?: number | bigint;
  /**
   * What a crash may lose of a store: all since the last nd_snapshot (none), all since the last snapshot, which
   * the engine takes by itself (snapshot), nothing if the process dies (journal), nothing if the machine dies
   * (sync). Default: journal.
   */
  durability?: 'none' | 'snapshot' | 'journal' | 'sync';
  /**
   * Bytes of changes since the last snapshot at which a store takes the next one by itself. Default of
   * 65536..1000000000000: 25165824.
   */
  journal_bytes?: number | bigint;
  /** Reads the last snapshot of a store that others may be writing. Default: false. */
  read_only?: boolean;
  /**
   * Reads the last snapshot of a store as read_only does, and keeps changes above it in memory: pages are checked
   * against the store and against each other, and nothing is written. Default: false.
   */
  overlay?: boolean;
  /** Checks the checksums of a store's files when it is opened, where they are first used, or never. Default: lazy. */
  verify?: 'full' | 'lazy' | 'off';
  /**
   * Opens a store whose newest journal is damaged with the changes before the damage; what follows it is lost.
   * Default: false.
   */
  recover?: boolean;
  /**
   * Maps a store's files; else they are read into memory as they are used, for untrusted stores and failing disks.
   * NearDuplicates.open takes false where nothing is set: of a mapped file a fault of the disk would end Node.
   * Default: true.
   */
  mmap?: boolean;
  /**
   * What to do with a store whose texts were made by other versions of libxml2, ICU, the public suffix list or
   * ndc. Default: warn.
   */
  pipeline_mismatch?: 'warn' | 'error';
  /** Seconds after which a page that was not fetched again is removed; 0: never. Default of 0..10000000000: 0. */
  page_ttl_s?: number | bigint;
}

/** The answer about one page. Ids that are 0 mean: none. */
export interface ResultFields {
  /** What the page is. */
  verdict: Verdict;
  /** Bits of `Flag`; `flagNames` has their names. */
  flags: number;
  /** Never 0 after check, never reused. */
  pageId: number;
  /** The page_id of the founder. */
  groupId: number;
  /**
   * Exact: the page whose text is equal; near: the representative. 0: none, or that page was removed or has
   * changed since.
   */
  matchedPageId: number;
  /**
   * Of the page and the matched one, L / (|A| + |B| - L), 0..1; 1 of exact; with Flag.UNVERIFIED the detector's
   * score, and the other three are 0.
   */
  resemblance: number;
  /** L / min(|A|, |B|), 0..1. */
  containment: number;
  /** L / |this page|, 0..1. */
  pageCoverage: number;
  /** L / |the matched page|, 0..1. */
  matchedCoverage: number;
  /**
   * That both pages are the same document, 0..1. exact and unchanged: 1; no-text: 0; new: that of the best
   * candidate that was refused, else 0. With decision=report or decide=method it is not computed: 0 of near and
   * new.
   */
  probability: number;
  /** New: the group of that candidate; 0: none. */
  relatedGroupId: number;
}

/** What is known of a page. */
export interface PageInfo {
  /** What the page is. */
  verdict: Verdict;
  /** Bits of `Flag`; `flagNames` has their names. */
  flags: number;
  pageId: number;
  groupId: number;
  firstFetchedAt: number;
  lastFetchedAt: number;
  /** Visible text, in units of the LCS partition (a wide character counts 2). */
  textWidth: number;
  /** Of the normalised visible text; with text_width it shows whether a page's text has changed. */
  textHash: bigint;
  /** This and the following as in the nd_result of that check. */
  matchedPageId: number;
  resemblance: number;
  containment: number;
  pageCoverage: number;
  matchedCoverage: number;
  probability: number;
  /** The group may be gone by now. */
  relatedGroupId: number;
}

/** A group. */
export interface Group {
  groupId: number;
  /** 0 with a tombstone. */
  representativePageId: number;
  pageCount: number;
}

/** What has changed after it was answered. */
export interface Event {
  kind: EventKind;
  /** 1, 2, 3, ...; a gap: before the first one given, no longer kept (events_limit); elsewhere, memory was lacking. */
  sequence: number;
  /** After the event. */
  pageId: number;
  /** 0: none. */
  oldGroupId: number;
  /** 0: none. */
  newGroupId: number;
  /** The page's fetch time, or the time of the call. */
  at: number;
}

/** What a page is beside those before it. */
export type Verdict = 'new' | 'unchanged' | 'exact' | 'near' | 'no-text';

/** What has changed after it was answered. */
export type EventKind = 'regrouped' | 'removed' | 'reelected' | 'limit';

/** Which page of a group is kept. */
export type KeepRule = 'first' | 'longest' | 'newest';

/** What went wrong, by the names of the C interface. */
export type ErrorCode = 'ERR_NDC_INVALID_ARGUMENT' | 'ERR_NDC_NO_MEMORY' | 'ERR_NDC_IO' | 'ERR_NDC_CORRUPT' | 'ERR_NDC_UNSUPPORTED_VERSION' | 'ERR_NDC_LOCKED' | 'ERR_NDC_READ_ONLY' | 'ERR_NDC_NOT_FOUND' | 'ERR_NDC_LIMIT' | 'ERR_NDC_INTERNAL' | 'ERR_NDC_CLOSED' | 'ERR_NDC_LIBRARY';

/** The bits of a result's flags (ND_FLAG_… in ndcapi.h). */
export const Flag: {
  readonly RECRAWL: 1;
  readonly CHANGED: 2;
  readonly REGROUPED: 4;
  readonly TRUNCATED: 8;
  readonly LIMIT: 16;
  readonly SHORT: 32;
  readonly CONTAINS: 64;
  readonly CONTAINED: 128;
  readonly UNVERIFIED: 256;
  readonly UNCERTAIN: 512;
};

/** The counters of nd_stats in ndcapi.h, which says what each counts. */
export interface Statistics {
  pages: number;
  groups: number;
  checks: number;
  queries: number;
  body_bytes: number;
  verdict_new: number;
  verdict_unchanged: number;
  verdict_exact: number;
  verdict_near: number;
  verdict_no_text: number;
  recrawls: number;
  changed: number;
  reverified: number;
  regrouped: number;
  removed: number;
  expired: number;
  without_own_text: number;
  candidates: number;
  verifications: number;
  rejected_by_sketch: number;
  retried_commits: number;
  keys: number;
  hot_keys_deleted: number;
  limit_page_bytes: number;
  limit_markup: number;
  limit_tokens: number;
  limit_candidates: number;
  limit_verifications: number;
  limit_work: number;
  limit_memory: number;
  limit_index: number;
  limit_spots: number;
  limit_sites: number;
  bytes_total: number;
  bytes_index: number;
  bytes_features: number;
  bytes_pages: number;
  bytes_events: number;
  bytes_scratch: number;
  bytes_spots: number;
  generation: number;
  snapshots: number;
  bytes_disk: number;
  bytes_journal: number;
}
