//! What the library answers: verdicts, flags, and what it knows of pages, groups and events.
use crate::page::system_time;
use ndc_sys::*;
use std::borrow::Cow;
use std::fmt;
use std::ops::BitOr;
use std::time::SystemTime;

/// What a page is among those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It founds a group of its own.
    New,
    /// The same URL with the same text as before.
    Unchanged,
    /// All of its text equals that of another page.
    Exact,
    /// A near-duplicate of its group's representative.
    Near,
    /// Empty, an image, binary: never compared with other pages.
    NoText,
    /// One that only a newer library knows.
    Unknown,
}

impl Verdict {
    fn new(code: i32) -> Self {
        match code {
            ND_NEW => Verdict::New,
            ND_UNCHANGED => Verdict::Unchanged,
            ND_EXACT => Verdict::Exact,
            ND_NEAR => Verdict::Near,
            ND_NO_TEXT => Verdict::NoText,
            _ => Verdict::Unknown,
        }
    }

    /// The word that all of ndc uses for it, such as "no-text".
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

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

/// What else holds of an answer; a set of the constants.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Flags(u32);

impl Flags {
    /// The URL was known.
    pub const RECRAWL: Flags = Flags(ND_FLAG_RECRAWL);
    /// And its text differs from the last time.
    pub const CHANGED: Flags = Flags(ND_FLAG_CHANGED);
    /// The page moved to another group.
    pub const REGROUPED: Flags = Flags(ND_FLAG_REGROUPED);
    /// The body was cut, by the fetcher or by a limit.
    pub const TRUNCATED: Flags = Flags(ND_FLAG_TRUNCATED);
    /// A limit truncated some work.
    pub const LIMIT: Flags = Flags(ND_FLAG_LIMIT);
    /// The page has little main content.
    pub const SHORT: Flags = Flags(ND_FLAG_SHORT);
    /// The page contains the matched one and much more.
    pub const CONTAINS: Flags = Flags(ND_FLAG_CONTAINS);
    /// The matched page contains this one and more.
    pub const CONTAINED: Flags = Flags(ND_FLAG_CONTAINED);
    /// Near by the score of the detector alone.
    pub const UNVERIFIED: Flags = Flags(ND_FLAG_UNVERIFIED);

    const WORDS: [(Flags, &'static str); 9] = [
        (Flags::RECRAWL, "recrawl"),
        (Flags::CHANGED, "changed"),
        (Flags::REGROUPED, "regrouped"),
        (Flags::TRUNCATED, "truncated"),
        (Flags::LIMIT, "limit"),
        (Flags::SHORT, "short"),
        (Flags::CONTAINS, "contains"),
        (Flags::CONTAINED, "contained"),
        (Flags::UNVERIFIED, "unverified"),
    ];

    /// The bits of `ND_FLAG_...`.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether all of `other` are set.
    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` is set.
    pub fn intersects(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    /// The words for those that are set.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, word)| *word)
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.words()).finish()
    }
}

/// The answer about a page, or about two.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CheckResult {
    /// What the page is.
    pub verdict: Verdict,
    /// What else holds.
    pub flags: Flags,
    /// The page's id; `None` of a query about an unknown URL, and without an engine.
    pub page_id: Option<u64>,
    /// The id of its group, which is that of the founder's page; `None` where a query's page would found one.
    pub group_id: Option<u64>,
    /// Of [`Verdict::Exact`] the page whose text is equal, of [`Verdict::Near`] the representative.
    pub matched_page_id: Option<u64>,
    /// Of [`Verdict::New`] the group of the best candidate, which was compared and refused.
    pub related_group_id: Option<u64>,
    /// Of the page and the matched one, 0 to 1, as the next three.
    pub resemblance: f64,
    /// The share of the smaller one that is in the other.
    pub containment: f64,
    /// The share of this page that is in the matched one.
    pub page_coverage: f64,
    /// The share of the matched page that is in this one.
    pub matched_coverage: f64,
    /// That the page is the same document as the matched one, or as the best candidate.
    pub probability: f64,
}

fn known(id: u64) -> Option<u64> {
    Some(id).filter(|id| *id != 0)
}

impl CheckResult {
    #[inline]
    pub(crate) fn new(result: &nd_result) -> Self {
        CheckResult {
            verdict: Verdict::new(result.verdict),
            flags: Flags(result.flags),
            page_id: known(result.page_id),
            group_id: known(result.group_id),
            matched_page_id: known(result.matched_page_id),
            related_group_id: known(result.related_group_id),
            resemblance: result.resemblance,
            containment: result.containment,
            page_coverage: result.page_coverage,
            matched_coverage: result.matched_coverage,
            probability: result.probability,
        }
    }

    /// Whether another page has this text, or nearly: exact or near.
    pub fn is_duplicate(&self) -> bool {
        matches!(self.verdict, Verdict::Exact | Verdict::Near)
    }

    /// Whether the page is the first of its group.
    pub fn is_founder(&self) -> bool {
        self.page_id.is_some() && self.page_id == self.group_id
    }

    /// Whether leaving the page out loses nothing that the matched one has not: it is a duplicate that neither contains
    /// the other, nor lies in it, nor is known only in part.
    pub fn is_same_document(&self) -> bool {
        let parts = Flags::CONTAINS | Flags::CONTAINED | Flags::TRUNCATED | Flags::LIMIT;
        self.verdict == Verdict::Exact || self.verdict == Verdict::Near && !self.flags.intersects(parts)
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
    /// Its id.
    pub page_id: u64,
    /// That of its group.
    pub group_id: u64,
    /// As in the [`CheckResult`] of that check, like the next four.
    pub matched_page_id: Option<u64>,
    /// The group may be gone by now.
    pub related_group_id: Option<u64>,
    /// With the matched page.
    pub resemblance: f64,
    /// With the matched page.
    pub containment: f64,
    /// That both are the same document.
    pub probability: f64,
    /// When it was fetched first.
    pub first_fetched_at: SystemTime,
    /// When it was fetched last.
    pub last_fetched_at: SystemTime,
    /// How much visible text it has; a wide character counts 2.
    pub text_width: u64,
    /// Of its text: together with the width it shows whether the text has changed.
    pub text_hash: u64,
}

impl PageInfo {
    pub(crate) fn new(info: &nd_page_info, url: &[u8]) -> Self {
        PageInfo {
            url: url.to_vec(),
            verdict: Verdict::new(info.verdict),
            flags: Flags(info.flags),
            page_id: info.page_id,
            group_id: info.group_id,
            matched_page_id: known(info.matched_page_id),
            related_group_id: known(info.related_group_id),
            resemblance: info.resemblance,
            containment: info.containment,
            probability: info.probability,
            first_fetched_at: system_time(info.first_fetched_at_ms),
            last_fetched_at: system_time(info.last_fetched_at_ms),
            text_width: info.text_width,
            text_hash: info.text_hash,
        }
    }

    /// The URL as text; bytes that are no UTF-8 are replaced.
    pub fn url_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.url)
    }
}

/// A group of near-duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// Its id, which is that of the founder's page.
    pub group_id: u64,
    /// The page that new ones are compared with; `None` if that page was removed or has changed, and its old text
    /// represents the group.
    pub representative_page_id: Option<u64>,
    /// How many pages it has.
    pub page_count: u64,
}

impl Group {
    pub(crate) fn new(info: &nd_group_info) -> Self {
        Group {
            group_id: info.group_id,
            representative_page_id: known(info.representative_page_id),
            page_count: info.page_count,
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
    /// A limit dropped something.
    Limit,
    /// One that only a newer library knows.
    Unknown,
}

/// A change that no answer has told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Ascending, from 1.
    pub sequence: u64,
    /// What has happened.
    pub kind: EventKind,
    /// The page, after the event.
    pub page_id: Option<u64>,
    /// Its group before.
    pub old_group_id: Option<u64>,
    /// Its group now.
    pub new_group_id: Option<u64>,
    /// The page's fetch time, or the time of the call.
    pub at: SystemTime,
}

impl Event {
    pub(crate) fn new(event: &nd_event) -> Self {
        Event {
            sequence: event.sequence,
            kind: match event.kind {
                ND_EVENT_REGROUPED => EventKind::Regrouped,
                ND_EVENT_REMOVED => EventKind::Removed,
                ND_EVENT_REELECTED => EventKind::Reelected,
                ND_EVENT_LIMIT => EventKind::Limit,
                _ => EventKind::Unknown,
            },
            page_id: known(event.page_id),
            old_group_id: known(event.old_group_id),
            new_group_id: known(event.new_group_id),
            at: system_time(event.at_ms),
        }
    }
}

/// A page that resembles another one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SimilarPage {
    /// Its URL, as it was given.
    pub url: Vec<u8>,
    /// Its id.
    pub page_id: u64,
    /// That of its group.
    pub group_id: u64,
    /// Of the engine's detector, 0 to 1.
    pub score: f64,
    /// [`Flags::LIMIT`] in every row: pages that are as similar may be missing.
    pub flags: Flags,
}

impl SimilarPage {
    pub(crate) fn new(similar: &nd_similar_page, url: &[u8]) -> Self {
        SimilarPage {
            url: url.to_vec(),
            page_id: similar.page_id,
            group_id: similar.group_id,
            score: similar.score,
            flags: Flags(similar.flags),
        }
    }
}

/// Which page of a group is kept when its copies are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Keep {
    /// The oldest.
    First,
    /// The one with most visible text.
    Longest,
    /// The one that was fetched last.
    Newest,
    /// The one with the shortest URL.
    Canonical,
}

impl Keep {
    pub(crate) fn rule(self) -> i32 {
        match self {
            Keep::First => ND_KEEP_FIRST,
            Keep::Longest => ND_KEEP_LONGEST,
            Keep::Newest => ND_KEEP_NEWEST,
            Keep::Canonical => ND_KEEP_CANONICAL,
        }
    }
}
