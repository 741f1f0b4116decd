//! The counters of an engine, as ndcapi.h has them: bindings/rust/generate writes this file.

/// What an engine has counted since it was opened, and the bytes that it takes now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Pages: in the engine now.
    pub pages: u64,
    /// Groups: in the engine now.
    pub groups: u64,
    /// Checks: `nd_check_page` and `nd_check_features` that returned ND_OK.
    pub checks: u64,
    /// Queries.
    pub queries: u64,
    /// Verdict new: of checks.
    pub verdict_new: u64,
    /// Verdict unchanged: of checks.
    pub verdict_unchanged: u64,
    /// Verdict exact: of checks.
    pub verdict_exact: u64,
    /// Verdict near: of checks.
    pub verdict_near: u64,
    /// Verdict no text: of checks.
    pub verdict_no_text: u64,
    /// Recrawls.
    pub recrawls: u64,
    /// Changed.
    pub changed: u64,
    /// Regrouped.
    pub regrouped: u64,
    /// Removed.
    pub removed: u64,
    /// Body bytes: of checks.
    pub body_bytes: u64,
    /// Candidates: groups that shared a key or spot signatures with a page, or that the detector
    /// found; ranked and capped.
    pub candidates: u64,
    /// Verifications: LCS comparisons; with decide=method comparisons by the detector's score.
    pub verifications: u64,
    /// Rejected by sketch: of them ended by the filtered sketch alone.
    pub rejected_by_sketch: u64,
    /// Retried commits: repeated looks at the candidates because another page was committed
    /// meanwhile; a check may need several.
    pub retried_commits: u64,
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
    /// Hot keys deleted: keys deleted as template or spam.
    pub hot_keys_deleted: u64,
    /// Keys: in the index now.
    pub keys: u64,
    /// Bytes total: the sum of the following.
    pub bytes_total: u64,
    /// Bytes index.
    pub bytes_index: u64,
    /// Bytes features.
    pub bytes_features: u64,
    /// Bytes pages.
    pub bytes_pages: u64,
    /// Bytes events.
    pub bytes_events: u64,
    /// Bytes scratch: memory kept for the next call.
    pub bytes_scratch: u64,
    /// Reverified: of recrawls: the same text, decided again because more of its site was known.
    pub reverified: u64,
    /// Limit index: pages and groups that keys_bytes, spot_bytes or detector_bytes kept out of an
    /// index of candidates, or removed from it.
    pub limit_index: u64,
    /// Bytes spots: of bytes_index: the index of spot signatures.
    pub bytes_spots: u64,
    /// Limit spots: checks of pages whose spot signatures were made with other parameters or, where
    /// the detector compares nothing else, are more than are kept: not flagged.
    pub limit_spots: u64,
    /// Generation: of the store: its last snapshot; 0 in memory. And the following:.
    pub generation: u64,
    /// Snapshots: taken since ``Engine::open``.
    pub snapshots: u64,
    /// Bytes disk: of the last snapshot's files.
    pub bytes_disk: u64,
    /// Bytes journal: since the last snapshot.
    pub bytes_journal: u64,
    /// Expired: of removed: by page_ttl_s.
    pub expired: u64,
    /// Limit sites: sites, and parts of them, that were forgotten beyond site_bytes. Since 2.0.
    pub limit_sites: u64,
    /// Without own text: of checks, with detector=lcs: pages read here that had nothing but what
    /// many pages of their site have, numbers aside: calendars without end, errors sent as pages.
    /// Since 2.0.
    pub without_own_text: u64,
}

impl Statistics {
    pub(crate) fn new(counts: &ndc_sys::nd_stats) -> Self {
        Statistics {
            pages: counts.pages,
            groups: counts.groups,
            checks: counts.checks,
            queries: counts.queries,
            verdict_new: counts.verdict_new,
            verdict_unchanged: counts.verdict_unchanged,
            verdict_exact: counts.verdict_exact,
            verdict_near: counts.verdict_near,
            verdict_no_text: counts.verdict_no_text,
            recrawls: counts.recrawls,
            changed: counts.changed,
            regrouped: counts.regrouped,
            removed: counts.removed,
            body_bytes: counts.body_bytes,
            candidates: counts.candidates,
            verifications: counts.verifications,
            rejected_by_sketch: counts.rejected_by_sketch,
            retried_commits: counts.retried_commits,
            limit_page_bytes: counts.limit_page_bytes,
            limit_markup: counts.limit_markup,
            limit_tokens: counts.limit_tokens,
            limit_candidates: counts.limit_candidates,
            limit_verifications: counts.limit_verifications,
            limit_work: counts.limit_work,
            limit_memory: counts.limit_memory,
            hot_keys_deleted: counts.hot_keys_deleted,
            keys: counts.keys,
            bytes_total: counts.bytes_total,
            bytes_index: counts.bytes_index,
            bytes_features: counts.bytes_features,
            bytes_pages: counts.bytes_pages,
            bytes_events: counts.bytes_events,
            bytes_scratch: counts.bytes_scratch,
            reverified: counts.reverified,
            limit_index: counts.limit_index,
            bytes_spots: counts.bytes_spots,
            limit_spots: counts.limit_spots,
            generation: counts.generation,
            snapshots: counts.snapshots,
            bytes_disk: counts.bytes_disk,
            bytes_journal: counts.bytes_journal,
            expired: counts.expired,
            limit_sites: counts.limit_sites,
            without_own_text: counts.without_own_text,
        }
    }

    /// All counters with their names.
    pub fn fields(&self) -> [(&'static str, u64); 44] {
        [
            ("pages", self.pages),
            ("groups", self.groups),
            ("checks", self.checks),
            ("queries", self.queries),
            ("verdict_new", self.verdict_new),
            ("verdict_unchanged", self.verdict_unchanged),
            ("verdict_exact", self.verdict_exact),
            ("verdict_near", self.verdict_near),
            ("verdict_no_text", self.verdict_no_text),
            ("recrawls", self.recrawls),
            ("changed", self.changed),
            ("regrouped", self.regrouped),
            ("removed", self.removed),
            ("body_bytes", self.body_bytes),
            ("candidates", self.candidates),
            ("verifications", self.verifications),
            ("rejected_by_sketch", self.rejected_by_sketch),
            ("retried_commits", self.retried_commits),
            ("limit_page_bytes", self.limit_page_bytes),
            ("limit_markup", self.limit_markup),
            ("limit_tokens", self.limit_tokens),
            ("limit_candidates", self.limit_candidates),
            ("limit_verifications", self.limit_verifications),
            ("limit_work", self.limit_work),
            ("limit_memory", self.limit_memory),
            ("hot_keys_deleted", self.hot_keys_deleted),
            ("keys", self.keys),
            ("bytes_total", self.bytes_total),
            ("bytes_index", self.bytes_index),
            ("bytes_features", self.bytes_features),
            ("bytes_pages", self.bytes_pages),
            ("bytes_events", self.bytes_events),
            ("bytes_scratch", self.bytes_scratch),
            ("reverified", self.reverified),
            ("limit_index", self.limit_index),
            ("bytes_spots", self.bytes_spots),
            ("limit_spots", self.limit_spots),
            ("generation", self.generation),
            ("snapshots", self.snapshots),
            ("bytes_disk", self.bytes_disk),
            ("bytes_journal", self.bytes_journal),
            ("expired", self.expired),
            ("limit_sites", self.limit_sites),
            ("without_own_text", self.without_own_text),
        ]
    }
}
