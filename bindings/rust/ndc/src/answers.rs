//! What the library answers: verdicts, flags, and what it knows of pages, groups and events.
use ndc_sys::ND_FLAGS_CAUTION;
use std::borrow::Cow;
use std::fmt;
use std::ops::BitOr;

#[path = "header_answers.rs"]
#[rustfmt::skip]
mod header_answers;

pub use header_answers::*;

/// What else holds of an answer; a set of the constants.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Flags(u32);

impl Flags {
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

fn known(id: u64) -> Option<u64> {
    Some(id).filter(|id| *id != 0)
}

impl CheckResult {
    /// Whether another page has this text, or nearly: exact or near.
    pub fn is_duplicate(&self) -> bool {
        matches!(self.verdict, Verdict::Exact | Verdict::Near)
    }

    /// Whether the page is the first of its group.
    pub fn is_founder(&self) -> bool {
        self.page_id.is_some() && self.page_id == self.group_id
    }

    /// Whether leaving the page out loses hardly anything that the matched one has not: it is a duplicate that neither
    /// contains the other, nor lies in it, nor is known only in part, nor uncertain.
    pub fn is_copy(&self) -> bool {
        let caution = Flags(ND_FLAGS_CAUTION);
        self.verdict == Verdict::Exact || self.verdict == Verdict::Near && !self.flags.intersects(caution)
    }
}

impl PageInfo {
    /// The URL as text; bytes that are no UTF-8 are replaced.
    pub fn url_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.url)
    }
}
