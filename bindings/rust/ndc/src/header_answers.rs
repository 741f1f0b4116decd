//! What the library answers, as ndcapi.h has it: bindings/rust/generate writes this file.

use super::{known, Flags};
use crate::page::system_time;
use ndc_sys::*;
use std::fmt;
use std::time::SystemTime;

/// What a page is among those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// Founds a group of its own.
    New,
    /// The same URL with the same text as before.
    Unchanged,
    /// All normalised visible text equals that of matched_page_id, a page of the group; never of a
    /// page known only in part.
    Exact,
    /// Verified by LCS against the group's representative, or `Flags::UNVERIFIED` is set.
    Near,
    /// Empty, image, PDF, binary: a group of its own; never compared with other pages.
    NoText,
    /// One that only a newer library knows.
    Unknown,
}

impl Verdict {
    /// The word that all of ndc uses for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::New => "new",
            Verdict::Unchanged => "unchanged",
            Verdict::Exact => "exact",
            Verdict::Near => "near",
            Verdict::NoText => "no-text",
            Verdict::Unknown => "unknown",
        }
    }
}

impl From<i32> for Verdict {
    fn from(code: i32) -> Self {
        match code {
            ND_NEW => Verdict::New,
            ND_UNCHANGED => Verdict::Unchanged,
            ND_EXACT => Verdict::Exact,
            ND_NEAR => Verdict::Near,
            ND_NO_TEXT => Verdict::NoText,
            _ => Verdict::Unknown,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

/// Which page of a group is kept when its copies are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Keep {
    /// The first one.
    First,
    /// With most visible text.
    Longest,
    /// Fetched last; a time that is not known is older than all others.
    Newest,
}

impl Keep {
    pub(crate) fn code(self) -> i32 {
        match self {
            Keep::First => ND_KEEP_FIRST,
            Keep::Longest => ND_KEEP_LONGEST,
            Keep::Newest => ND_KEEP_NEWEST,
        }
    }
}

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// A page moved to another group.
    Regrouped,
    /// A page was removed.
    Removed,
    /// A group has another representative.
    Reelected,
    /// The memory budget left no room for the text of page_id.
    Limit,
    /// One that only a newer library knows.
    Unknown,
}

impl EventKind {
    /// The word that all of ndc uses for it.
    pub fn as_str(self) -> &'static str {
        match self {
            EventKind::Regrouped => "regrouped",
            EventKind::Removed => "removed",
            EventKind::Reelected => "reelected",
            EventKind::Limit => "limit",
            EventKind::Unknown => "unknown",
        }
    }
}

impl From<i32> for EventKind {
    fn from(code: i32) -> Self {
        match code {
            ND_EVENT_REGROUPED => EventKind::Regrouped,
            ND_EVENT_REMOVED => EventKind::Removed,
            ND_EVENT_REELECTED => EventKind::Reelected,
            ND_EVENT_LIMIT => EventKind::Limit,
            _ => EventKind::Unknown,
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

impl Flags {
    /// The URL was known.
    pub const RECRAWL: Flags = Flags(ND_FLAG_RECRAWL);
    /// And its text differs from the last time.
    pub const CHANGED: Flags = Flags(ND_FLAG_CHANGED);
    /// The page moved to another group.
    pub const REGROUPED: Flags = Flags(ND_FLAG_REGROUPED);
    /// The body was cut, by the fetcher or by page_bytes_limit; two such pages are never
    /// duplicates.
    pub const TRUNCATED: Flags = Flags(ND_FLAG_TRUNCATED);
    /// A limit truncated some work; the statistics say which limit.
    pub const LIMIT: Flags = Flags(ND_FLAG_LIMIT);
    /// Main content narrower than 140, in units of the LCS partition: its candidate keys are made
    /// from all of its text.
    pub const SHORT: Flags = Flags(ND_FLAG_SHORT);
    /// The page contains the matched page (`Verdict::New`: that of related_group_id) and much more:
    /// dropping it would lose text.
    pub const CONTAINS: Flags = Flags(ND_FLAG_CONTAINS);
    /// The matched page (`Verdict::New`: that of related_group_id) contains the page and more.
    pub const CONTAINED: Flags = Flags(ND_FLAG_CONTAINED);
    /// Near by the score of option `detector` alone, without the LCS: only with decide=method, and
    /// then always.
    pub const UNVERIFIED: Flags = Flags(ND_FLAG_UNVERIFIED);
    /// Near with little text (text_width below 2,000, or `Flags::SHORT`), of which a word may make
    /// another document, and a probability below .995: dropping it may lose one.
    pub const UNCERTAIN: Flags = Flags(ND_FLAG_UNCERTAIN);

    pub(super) const WORDS: [(Flags, &'static str); 10] = [
        (Flags::RECRAWL, "recrawl"),
        (Flags::CHANGED, "changed"),
        (Flags::REGROUPED, "regrouped"),
        (Flags::TRUNCATED, "truncated"),
        (Flags::LIMIT, "limit"),
        (Flags::SHORT, "short"),
        (Flags::CONTAINS, "contains"),
        (Flags::CONTAINED, "contained"),
        (Flags::UNVERIFIED, "unverified"),
        (Flags::UNCERTAIN, "uncertain"),
    ];
}

/// The answer about a page, or about two.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CheckResult {
    /// Verdict.
    pub verdict: Verdict,
    /// Flags.
    pub flags: Flags,
    /// Never `None` after `Engine::check`, never reused.
    pub page_id: Option<u64>,
    /// The page_id of the founder.
    pub group_id: Option<u64>,
    /// `Verdict::Exact`: the page whose text is equal; `Verdict::Near`: the representative. `None`:
    /// none, or that page was removed or has changed since.
    pub matched_page_id: Option<u64>,
    /// Of the page and the matched one, L / (|A| + |B| - L), 0..1; 1 of `Verdict::Exact`; with
    /// `Flags::UNVERIFIED` the detector's score, and the other three are 0.
    pub resemblance: f64,
    /// L / min(|A|, |B|), 0..1.
    pub containment: f64,
    /// L / |this page|, 0..1.
    pub page_coverage: f64,
    /// L / |the matched page|, 0..1.
    pub matched_coverage: f64,
    /// That both pages are the same document, 0..1. `Verdict::Exact` and `Verdict::Unchanged`: 1;
    /// `Verdict::NoText`: 0; `Verdict::New`: that of the best candidate that was refused, else 0.
    /// With decision=report or decide=method it is not computed: 0 of `Verdict::Near` and
    /// `Verdict::New`.
    pub probability: f64,
    /// `Verdict::New`: the group of that candidate; `None`: none.
    pub related_group_id: Option<u64>,
}

impl CheckResult {
    #[inline]
    pub(crate) fn new(from: &nd_result) -> Self {
        CheckResult {
            verdict: Verdict::from(from.verdict),
            flags: Flags(from.flags),
            page_id: known(from.page_id),
            group_id: known(from.group_id),
            matched_page_id: known(from.matched_page_id),
            resemblance: from.resemblance,
            containment: from.containment,
            page_coverage: from.page_coverage,
            matched_coverage: from.matched_coverage,
            probability: from.probability,
            related_group_id: known(from.related_group_id),
        }
    }
}

/// What an engine knows of a page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PageInfo {
    /// Its URL, as it was given.
    pub url: Vec<u8>,
    /// Of the last check that found new or changed text.
    pub verdict: Verdict,
    /// Of that check.
    pub flags: Flags,
    /// Page id.
    pub page_id: u64,
    /// Group id.
    pub group_id: u64,
    /// First fetched at.
    pub first_fetched_at: SystemTime,
    /// Last fetched at.
    pub last_fetched_at: SystemTime,
    /// Visible text, in units of the LCS partition (a wide character counts 2).
    pub text_width: u64,
    /// Of the normalised visible text; with text_width it shows whether a page's text has changed.
    pub text_hash: u64,
    /// This and the following as in the `CheckResult` of that check.
    pub matched_page_id: Option<u64>,
    /// Resemblance.
    pub resemblance: f64,
    /// Containment.
    pub containment: f64,
    /// Page coverage.
    pub page_coverage: f64,
    /// Matched coverage.
    pub matched_coverage: f64,
    /// Probability.
    pub probability: f64,
    /// The group may be gone by now.
    pub related_group_id: Option<u64>,
}

impl PageInfo {
    #[inline]
    pub(crate) fn new(from: &nd_page_info, url: &[u8]) -> Self {
        PageInfo {
            url: url.to_vec(),
            verdict: Verdict::from(from.verdict),
            flags: Flags(from.flags),
            page_id: from.page_id,
            group_id: from.group_id,
            first_fetched_at: system_time(from.first_fetched_at_ms),
            last_fetched_at: system_time(from.last_fetched_at_ms),
            text_width: from.text_width,
            text_hash: from.text_hash,
            matched_page_id: known(from.matched_page_id),
            resemblance: from.resemblance,
            containment: from.containment,
            page_coverage: from.page_coverage,
            matched_coverage: from.matched_coverage,
            probability: from.probability,
            related_group_id: known(from.related_group_id),
        }
    }
}

/// A group of near-duplicates.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// Group id.
    pub group_id: u64,
    /// `None`: it was removed or has changed, and its old text represents the group.
    pub representative_page_id: Option<u64>,
    /// Page count.
    pub page_count: u64,
}

impl Group {
    #[inline]
    pub(crate) fn new(from: &nd_group_info) -> Self {
        Group {
            group_id: from.group_id,
            representative_page_id: known(from.representative_page_id),
            page_count: from.page_count,
        }
    }
}

/// A change that no answer has told.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Kind.
    pub kind: EventKind,
    /// Sequence.
    pub sequence: u64,
    /// After the event.
    pub page_id: Option<u64>,
    /// `None`: none.
    pub old_group_id: Option<u64>,
    /// `None`: none.
    pub new_group_id: Option<u64>,
    /// The page's fetch time, or the time of the call.
    pub at: SystemTime,
}

impl Event {
    #[inline]
    pub(crate) fn new(from: &nd_event) -> Self {
        Event {
            kind: EventKind::from(from.kind),
            sequence: from.sequence,
            page_id: known(from.page_id),
            old_group_id: known(from.old_group_id),
            new_group_id: known(from.new_group_id),
            at: system_time(from.at_ms),
        }
    }
}

/// A page that resembles another one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SimilarPage {
    /// Its URL, as it was given.
    pub url: Vec<u8>,
    /// 0, or in every row `Flags::LIMIT`: some work was cut by a limit, and pages that are as
    /// similar may be missing.
    pub flags: Flags,
    /// Page id.
    pub page_id: u64,
    /// Group id.
    pub group_id: u64,
    /// Of the engine's detector, 0..1; with lcs the resemblance of own text.
    pub score: f64,
}

impl SimilarPage {
    #[inline]
    pub(crate) fn new(from: &nd_similar_page, url: &[u8]) -> Self {
        SimilarPage {
            url: url.to_vec(),
            flags: Flags(from.flags),
            page_id: from.page_id,
            group_id: from.group_id,
            score: from.score,
        }
    }
}

/// What an engine has counted since it was opened, and the bytes that it takes now.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// In the engine now.
    pub pages: u64,
    /// In the engine now.
    pub groups: u64,
    /// That returned `ND_OK`, `nd_apply_outcome` among them.
    pub checks: u64,
    /// Queries.
    pub queries: u64,
    /// Of checks.
    pub body_bytes: u64,
    /// Of checks.
    pub verdict_new: u64,
    /// Of checks.
    pub verdict_unchanged: u64,
    /// Of checks.
    pub verdict_exact: u64,
    /// Of checks.
    pub verdict_near: u64,
    /// Of checks.
    pub verdict_no_text: u64,
    /// Of checks: the URL was known.
    pub recrawls: u64,
    /// Of recrawls: with other text.
    pub changed: u64,
    /// Of recrawls: the same text, decided again because more of its site was known.
    pub reverified: u64,
    /// Regrouped.
    pub regrouped: u64,
    /// Removed.
    pub removed: u64,
    /// Of removed: by page_ttl_s.
    pub expired: u64,
    /// Of checks, with detector=lcs: pages that had nothing but what many pages of their site have,
    /// numbers aside: calendars without end, errors sent as pages.
    pub without_own_text: u64,
    /// Groups that shared a key or spot signatures with a page, or that the detector found; ranked
    /// and capped.
    pub candidates: u64,
    /// LCS comparisons; with decide=method comparisons by the detector's score.
    pub verifications: u64,
    /// Of them ended by the filtered sketch alone.
    pub rejected_by_sketch: u64,
    /// Repeated looks at the candidates because another page was committed meanwhile; a check may
    /// need several.
    pub retried_commits: u64,
    /// In the index now.
    pub keys: u64,
    /// Keys deleted as template or spam.
    pub hot_keys_deleted: u64,
    /// Limit page bytes.
    pub limit_page_bytes: u64,
    /// Limit markup.
    pub limit_markup: u64,
    /// Limit tokens.
    pub limit_tokens: u64,
    /// Limit candidates.
    pub limit_candidates: u64,
    /// Limit verifications.
    pub limit_verifications: u64,
    /// Limit work.
    pub limit_work: u64,
    /// Limit memory.
    pub limit_memory: u64,
    /// Pages and groups that keys_bytes, spot_bytes or detector_bytes kept out of an index of
    /// candidates, or removed from it.
    pub limit_index: u64,
    /// Checks of pages whose spot signatures were made with other parameters or, where the detector
    /// compares nothing else, are more than are kept: not flagged.
    pub limit_spots: u64,
    /// Sites, and parts of them, that were forgotten beyond site_bytes.
    pub limit_sites: u64,
    /// The sum of the next five.
    pub bytes_total: u64,
    /// Bytes index.
    pub bytes_index: u64,
    /// Bytes features.
    pub bytes_features: u64,
    /// Bytes pages.
    pub bytes_pages: u64,
    /// Bytes events.
    pub bytes_events: u64,
    /// Memory kept for the next call.
    pub bytes_scratch: u64,
    /// Of bytes_index: the index of spot signatures.
    pub bytes_spots: u64,
    /// Of the store: its last snapshot. This and the following are 0 in memory.
    pub generation: u64,
    /// Taken since `Engine::open`.
    pub snapshots: u64,
    /// Of the last snapshot's files.
    pub bytes_disk: u64,
    /// Since the last snapshot.
    pub bytes_journal: u64,
}

impl Statistics {
    #[inline]
    pub(crate) fn new(from: &nd_stats) -> Self {
        Statistics {
            pages: from.pages,
            groups: from.groups,
            checks: from.checks,
            queries: from.queries,
            body_bytes: from.body_bytes,
            verdict_new: from.verdict_new,
            verdict_unchanged: from.verdict_unchanged,
            verdict_exact: from.verdict_exact,
            verdict_near: from.verdict_near,
            verdict_no_text: from.verdict_no_text,
            recrawls: from.recrawls,
            changed: from.changed,
            reverified: from.reverified,
            regrouped: from.regrouped,
            removed: from.removed,
            expired: from.expired,
            without_own_text: from.without_own_text,
            candidates: from.candidates,
            verifications: from.verifications,
            rejected_by_sketch: from.rejected_by_sketch,
            retried_commits: from.retried_commits,
            keys: from.keys,
            hot_keys_deleted: from.hot_keys_deleted,
            limit_page_bytes: from.limit_page_bytes,
            limit_markup: from.limit_markup,
            limit_tokens: from.limit_tokens,
            limit_candidates: from.limit_candidates,
            limit_verifications: from.limit_verifications,
            limit_work: from.limit_work,
            limit_memory: from.limit_memory,
            limit_index: from.limit_index,
            limit_spots: from.limit_spots,
            limit_sites: from.limit_sites,
            bytes_total: from.bytes_total,
            bytes_index: from.bytes_index,
            bytes_features: from.bytes_features,
            bytes_pages: from.bytes_pages,
            bytes_events: from.bytes_events,
            bytes_scratch: from.bytes_scratch,
            bytes_spots: from.bytes_spots,
            generation: from.generation,
            snapshots: from.snapshots,
            bytes_disk: from.bytes_disk,
            bytes_journal: from.bytes_journal,
        }
    }

    /// All counters with their names.
    pub fn fields(&self) -> [(&'static str, u64); 44] {
        [
            ("pages", self.pages),
            ("groups", self.groups),
            ("checks", self.checks),
            ("queries", self.queries),
            ("body_bytes", self.body_bytes),
            ("verdict_new", self.verdict_new),
            ("verdict_unchanged", self.verdict_unchanged),
            ("verdict_exact", self.verdict_exact),
            ("verdict_near", self.verdict_near),
            ("verdict_no_text", self.verdict_no_text),
            ("recrawls", self.recrawls),
            ("changed", self.changed),
            ("reverified", self.reverified),
            ("regrouped", self.regrouped),
            ("removed", self.removed),
            ("expired", self.expired),
            ("without_own_text", self.without_own_text),
            ("candidates", self.candidates),
            ("verifications", self.verifications),
            ("rejected_by_sketch", self.rejected_by_sketch),
            ("retried_commits", self.retried_commits),
            ("keys", self.keys),
            ("hot_keys_deleted", self.hot_keys_deleted),
            ("limit_page_bytes", self.limit_page_bytes),
            ("limit_markup", self.limit_markup),
            ("limit_tokens", self.limit_tokens),
            ("limit_candidates", self.limit_candidates),
            ("limit_verifications", self.limit_verifications),
            ("limit_work", self.limit_work),
            ("limit_memory", self.limit_memory),
            ("limit_index", self.limit_index),
            ("limit_spots", self.limit_spots),
            ("limit_sites", self.limit_sites),
            ("bytes_total", self.bytes_total),
            ("bytes_index", self.bytes_index),
            ("bytes_features", self.bytes_features),
            ("bytes_pages", self.bytes_pages),
            ("bytes_events", self.bytes_events),
            ("bytes_scratch", self.bytes_scratch),
            ("bytes_spots", self.bytes_spots),
            ("generation", self.generation),
            ("snapshots", self.snapshots),
            ("bytes_disk", self.bytes_disk),
            ("bytes_journal", self.bytes_journal),
        ]
    }
}
