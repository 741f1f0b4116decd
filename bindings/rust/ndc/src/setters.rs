//! A setter for each stable option of the library: bindings/rust/generate writes this file.

use super::Options;
use std::fmt;

/// The choices of [`Options::block_weights`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockWeights {
    /// `learned`: the default
    Learned,
    /// `rules`
    Rules,
    /// `none`
    None,
}

impl fmt::Display for BlockWeights {
    /// As the library calls it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            BlockWeights::Learned => "learned",
            BlockWeights::Rules => "rules",
            BlockWeights::None => "none",
        })
    }
}

/// The choices of [`Options::detector`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Detector {
    /// `lcs`: the default
    Lcs,
    /// `spotsigs`
    Spotsigs,
    /// `i-match-s`
    IMatchS,
    /// `lsh-s`
    LshS,
    /// `moz-vector`
    MozVector,
    /// `simhash64`
    Simhash64,
    /// `simhash128`
    Simhash128,
    /// `mwo`
    Mwo,
    /// `shingles`
    Shingles,
    /// `minhash`
    Minhash,
    /// `cosine`
    Cosine,
    /// `i-match`
    IMatch,
    /// `exact`
    Exact,
}

impl fmt::Display for Detector {
    /// As the library calls it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Detector::Lcs => "lcs",
            Detector::Spotsigs => "spotsigs",
            Detector::IMatchS => "i-match-s",
            Detector::LshS => "lsh-s",
            Detector::MozVector => "moz-vector",
            Detector::Simhash64 => "simhash64",
            Detector::Simhash128 => "simhash128",
            Detector::Mwo => "mwo",
            Detector::Shingles => "shingles",
            Detector::Minhash => "minhash",
            Detector::Cosine => "cosine",
            Detector::IMatch => "i-match",
            Detector::Exact => "exact",
        })
    }
}

/// The choices of [`Options::decide`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decide {
    /// `lcs`: the default
    Lcs,
    /// `method`
    Method,
}

impl fmt::Display for Decide {
    /// As the library calls it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Decide::Lcs => "lcs",
            Decide::Method => "method",
        })
    }
}

/// The choices of [`Options::decision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decision {
    /// `document`: the default
    Document,
    /// `report`
    Report,
}

impl fmt::Display for Decision {
    /// As the library calls it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Decision::Document => "document",
            Decision::Report => "report",
        })
    }
}

/// The choices of [`Options::durability`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Durability {
    /// `none`
    None,
    /// `snapshot`
    Snapshot,
    /// `journal`: the default
    Journal,
    /// `sync`
    Sync,
}

impl fmt::Display for Durability {
    /// As the library calls it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Durability::None => "none",
            Durability::Snapshot => "snapshot",
            Durability::Journal => "journal",
            Durability::Sync => "sync",
        })
    }
}

/// The choices of [`Options::verify`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verify {
    /// `full`
    Full,
    /// `lazy`: the default
    Lazy,
    /// `off`
    Off,
}

impl fmt::Display for Verify {
    /// As the library calls it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Verify::Full => "full",
            Verify::Lazy => "lazy",
            Verify::Off => "off",
        })
    }
}

/// The choices of [`Options::pipeline_mismatch`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PipelineMismatch {
    /// `warn`: the default
    Warn,
    /// `error`
    Error,
}

impl fmt::Display for PipelineMismatch {
    /// As the library calls it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            PipelineMismatch::Warn => "warn",
            PipelineMismatch::Error => "error",
        })
    }
}

impl Options {
    /// Bytes of a body that are read; the rest is cut and flagged. Range: 1024 to 1073741824;
    /// default: 16777216.
    #[must_use]
    pub fn page_bytes_limit(self, value: u64) -> Self {
        self.set("page_bytes_limit", value)
    }

    /// Bytes of visible text that are extracted from a page; the rest is cut and flagged. Range:
    /// 1024 to 268435456; default: 4194304.
    #[must_use]
    pub fn text_bytes_limit(self, value: u64) -> Self {
        self.set("text_bytes_limit", value)
    }

    /// Tokens of a page that are kept and compared; the rest is cut and flagged. Range: 64 to
    /// 4194304; default: 65536.
    #[must_use]
    pub fn tokens_limit(self, value: u64) -> Self {
        self.set("tokens_limit", value)
    }

    /// What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text
    /// counts. Default: learned.
    #[must_use]
    pub fn block_weights(self, value: BlockWeights) -> Self {
        self.set("block_weights", value)
    }

    /// Keeps the normalised text of each page beside what it is compared by, so that
    /// `Engine::explain` can quote it. Default: false.
    #[must_use]
    pub fn keep_text(self, value: bool) -> Self {
        self.set("keep_text", value)
    }

    /// The method that finds near-duplicates; all but lcs keep an index in memory and no candidate
    /// keys (docs/detectors.md). Default: lcs.
    #[must_use]
    pub fn detector(self, value: Detector) -> Self {
        self.set("detector", value)
    }

    /// Who decides on what the detector finds: the LCS, or the detector alone; then every verdict
    /// near is flagged as unverified. Default: lcs.
    #[must_use]
    pub fn decide(self, value: Decide) -> Self {
        self.set("decide", value)
    }

    /// The least that must be equal for the detector, in its own unit: thousandths, equal bits or
    /// equal entries. 0: its default (docs/detectors.md). Range: 0 to 1000; default: 0.
    #[must_use]
    pub fn detector_threshold(self, value: u64) -> Self {
        self.set("detector_threshold", value)
    }

    /// What makes two texts one document: a probability learned from judged pages, or the rule of
    /// TR2007012 5.4 (docs/decision.md). Default: document.
    #[must_use]
    pub fn decision(self, value: Decision) -> Self {
        self.set("decision", value)
    }

    /// The probability of being the same document from which on a page joins a group. Range: 0 to
    /// 1; default: 0.50.
    #[must_use]
    pub fn same_document(self, value: f64) -> Self {
        self.set("same_document", value)
    }

    /// The resemblance from which on two pages are near-duplicates (TR2007012 5.4). Range: 0 to 1;
    /// default: 0.28.
    #[must_use]
    pub fn resemblance(self, value: f64) -> Self {
        self.set("resemblance", value)
    }

    /// The share of a page that lies in the other, from which on they are near-duplicates
    /// (TR2007012 5.4). Range: 0 to 1; default: 0.70.
    #[must_use]
    pub fn containment(self, value: f64) -> Self {
        self.set("containment", value)
    }

    /// Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, features
    /// have none. Default: true.
    #[must_use]
    pub fn spotsigs(self, value: bool) -> Self {
        self.set("spotsigs", value)
    }

    /// In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a
    /// store: what has changed is written before it takes so much. 0: no budget. Range: 0 to
    /// 1000000000000000; default: 0.
    #[must_use]
    pub fn memory_budget_bytes(self, value: u64) -> Self {
        self.set("memory_budget_bytes", value)
    }

    /// What the index of candidate keys may hold; beyond it groups take no new keys, and are found
    /// by their spot signatures, old keys and equal text. Its tables, which double and do not
    /// shrink, may take up to 4 times as much in memory. 0: no bound. Range: 0 to 1099511627776;
    /// default: 0.
    #[must_use]
    pub fn keys_bytes(self, value: u64) -> Self {
        self.set("keys_bytes", value)
    }

    /// What the index of spot signatures may hold; beyond it the oldest groups are found by their
    /// keys only. Its tables may take up to 4 times as much in memory. 0: no bound. Range: 0 to
    /// 1099511627776; default: 268435456.
    #[must_use]
    pub fn spot_bytes(self, value: u64) -> Self {
        self.set("spot_bytes", value)
    }

    /// Memory of what is known about sites; those not seen for longest are forgotten. Range: 65536
    /// to 1000000000000; default: 268435456.
    #[must_use]
    pub fn site_bytes(self, value: u64) -> Self {
        self.set("site_bytes", value)
    }

    /// What the index of a detector other than lcs may hold; beyond it the oldest groups are found
    /// by equal text only. 0: no bound. Range: 0 to 1099511627776; default: 0.
    #[must_use]
    pub fn detector_bytes(self, value: u64) -> Self {
        self.set("detector_bytes", value)
    }

    /// Inner steps of all comparisons of a check together, beside those that its bytes allow; what
    /// would take more is cut and flagged, the likeliest candidates come first. 0: no bound. Range:
    /// 0 to 1000000000000; default: 64000.
    #[must_use]
    pub fn check_work_limit(self, value: u64) -> Self {
        self.set("check_work_limit", value)
    }

    /// Changes of pages and groups that an engine remembers, the latest ones, for `Engine::events`.
    /// Range: 0 to 100000000; default: 100000.
    #[must_use]
    pub fn events_limit(self, value: u64) -> Self {
        self.set("events_limit", value)
    }

    /// What a crash may lose of a store: all since the last `nd_snapshot` (none), all since the
    /// last snapshot, which the engine takes by itself (snapshot), nothing if the process dies
    /// (journal), nothing if the machine dies (sync). Default: journal.
    #[must_use]
    pub fn durability(self, value: Durability) -> Self {
        self.set("durability", value)
    }

    /// Bytes of changes since the last snapshot at which a store takes the next one by itself.
    /// Range: 65536 to 1000000000000; default: 25165824.
    #[must_use]
    pub fn journal_bytes(self, value: u64) -> Self {
        self.set("journal_bytes", value)
    }

    /// Reads the last snapshot of a store that others may be writing. Default: false.
    #[must_use]
    pub fn read_only(self, value: bool) -> Self {
        self.set("read_only", value)
    }

    /// Reads the last snapshot of a store as read_only does, and keeps changes above it in memory:
    /// pages are checked against the store and against each other, and nothing is written. Default:
    /// false.
    #[must_use]
    pub fn overlay(self, value: bool) -> Self {
        self.set("overlay", value)
    }

    /// Checks the checksums of a store's files when it is opened, where they are first used, or
    /// never. Default: lazy.
    #[must_use]
    pub fn verify(self, value: Verify) -> Self {
        self.set("verify", value)
    }

    /// Opens a store whose newest journal is damaged with the changes before the damage; what
    /// follows it is lost. Default: false.
    #[must_use]
    pub fn recover(self, value: bool) -> Self {
        self.set("recover", value)
    }

    /// Maps a store's files; else they are read into memory as they are used, for untrusted stores
    /// and failing disks. Default: true.
    ///
    /// `Engine::open` takes false where nothing is set: of a mapped file a fault of the disk would
    /// end the process.
    #[must_use]
    pub fn mmap(self, value: bool) -> Self {
        self.set("mmap", value)
    }

    /// What to do with a store whose texts were made by other versions of libxml2, ICU, the public
    /// suffix list or ndc. Default: warn.
    #[must_use]
    pub fn pipeline_mismatch(self, value: PipelineMismatch) -> Self {
        self.set("pipeline_mismatch", value)
    }

    /// Seconds after which a page that was not fetched again is removed; 0: never. Range: 0 to
    /// 10000000000; default: 0.
    #[must_use]
    pub fn page_ttl_s(self, value: u64) -> Self {
        self.set("page_ttl_s", value)
    }
}
