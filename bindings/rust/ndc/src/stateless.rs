//! What needs no engine: features, signatures and what a site knows, for programs that compare pages elsewhere.
use crate::answers::CheckResult;
use crate::error::{call, Result};
use crate::options::{Logger, Options};
use crate::outputs::{filled, filled_text, sized};
use crate::page::Page;
use ndc_sys::*;
use std::ptr;
use std::sync::Arc;

/// Reads pages without an engine, by one set of options; it keeps its working memory between calls. Any number of
/// threads may use one.
///
/// ```
/// use ndc::{Options, Page, Reader, Verdict};
///
/// let reader = Reader::new(&Options::new())?;
/// let story = "<p>The council will rebuild the lighthouse in spring, and the lamp will burn again.</p>";
/// let a = reader.features(&Page::new("http://one.example/", story))?;
/// let b = reader.features(&Page::new("http://two.example/", story))?;
/// assert_eq!(a.decide(&b, &Options::new())?.verdict, Verdict::Exact);
/// # Ok::<(), ndc::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    reader: *mut nd_reader,
    _logger: Option<Arc<Logger>>,
}

// SAFETY: any number of threads may use the library's reader at once, and any may free it when no call is running,
// which the borrow of each call ensures.
unsafe impl Send for Reader {}
unsafe impl Sync for Reader {}

impl Reader {
    /// Copies the options.
    pub fn new(options: &Options) -> Result<Self> {
        let native = options.native()?;
        let mut reader = ptr::null_mut();
        // SAFETY: what it returns is freed by drop.
        call(|| unsafe { nd_reader_new(native.0, &mut reader) })?;
        Ok(Reader { reader, _logger: options.shared_logger() })
    }

    /// All that is needed to compare the page later and elsewhere.
    pub fn features(&self, page: &Page<'_>) -> Result<Features> {
        // SAFETY: the reader is there as long as `self`, as in the next three.
        filled(|bytes| unsafe { nd_reader_features(self.reader, &page.native(), bytes) }).map(Features)
    }

    /// A sketch of at most 127 bytes, which knows no site and decides less well.
    pub fn signature(&self, page: &Page<'_>) -> Result<Signature> {
        let mut bytes = vec![0; ND_SIGNATURE_MAX_SIZE];
        let mut size = bytes.len();
        // SAFETY: `bytes` has `size` bytes.
        call(|| unsafe { nd_reader_signature(self.reader, &page.native(), bytes.as_mut_ptr(), &mut size) })?;
        bytes.truncate(size);
        Ok(Signature(bytes))
    }

    /// What ndc sees of a page, as a JSON object; `ndcapi.h` describes it at `nd_extract`.
    pub fn extract(&self, page: &Page<'_>) -> Result<String> {
        filled_text(|json| unsafe { nd_reader_extract(self.reader, &page.native(), json) })
    }

    /// What option `detector` keeps of a page, as a JSON object; `ndcapi.h` describes it at `nd_describe_page`.
    pub fn describe(&self, page: &Page<'_>) -> Result<String> {
        filled_text(|json| unsafe { nd_reader_describe(self.reader, &page.native(), json) })
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: no call is running.
        unsafe { nd_reader_free(self.reader) }
    }
}

/// The features of a page: bytes that are portable between machines, versioned and checksummed. Bytes that are not of
/// ndc are an [`Error::Corrupt`](crate::Error::Corrupt) of whatever takes them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Features(Vec<u8>);

impl Features {
    /// Those that [`as_bytes`](Features::as_bytes) gave.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Features(bytes.into())
    }

    /// To be kept or sent.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Candidate keys: pages that share one are worth comparing.
    pub fn keys(&self) -> Result<Vec<u64>> {
        // SAFETY: the outputs have the size that they say, as in the next one.
        sized(|keys, count| unsafe { nd_features_keys(self.0.as_ptr().cast(), self.0.len(), keys, count) })
    }

    /// The hashes under which a site counts the page.
    pub fn parts(&self) -> Result<Vec<u64>> {
        sized(|parts, count| unsafe { nd_features_parts(self.0.as_ptr().cast(), self.0.len(), parts, count) })
    }

    /// The same page with what its site knows of it. The model must have learned the page.
    pub fn with_site(&self, site: &SiteModel) -> Result<Features> {
        let saved = site.save_of(&self.parts()?)?;
        // SAFETY: both are borrowed for the call.
        filled(|bytes| unsafe {
            nd_features_with_site(self.0.as_ptr().cast(), self.0.len(), saved.as_ptr().cast(), saved.len(), bytes)
        })
        .map(Features)
    }

    /// Whether the page `other` is the same document as this one, which plays the representative.
    pub fn decide(&self, other: &Features, options: &Options) -> Result<CheckResult> {
        let native = options.native()?;
        let (a, b) = (self.as_bytes(), other.as_bytes());
        let mut result = nd_result::default();
        // SAFETY: everything is borrowed for the call.
        call(|| unsafe {
            let (a_data, b_data) = (a.as_ptr().cast(), b.as_ptr().cast());
            nd_features_decide(a_data, a.len(), b_data, b.len(), native.0, &mut result)
        })?;
        Ok(CheckResult::new(&result))
    }
}

/// A sketch of a page; empty for a page without text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature(Vec<u8>);

impl Signature {
    /// Those that [`as_bytes`](Signature::as_bytes) gave.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Signature(bytes.into())
    }

    /// To be kept or sent.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Candidate keys, at most 32.
    pub fn keys(&self) -> Result<Vec<u64>> {
        // SAFETY: the output has the size that it says.
        sized(|keys, count| unsafe { nd_signature_keys(self.0.as_ptr(), self.0.len(), keys, count) })
    }

    /// The estimated similarity of the main content of two pages, 0 to 1.
    pub fn similarity(&self, other: &Signature) -> Result<f64> {
        let (a, b) = (self.as_bytes(), other.as_bytes());
        let mut similarity = 0.0;
        // SAFETY: both are borrowed for the call.
        call(|| unsafe { nd_signature_compare(a.as_ptr(), a.len(), b.as_ptr(), b.len(), &mut similarity) })?;
        Ok(similarity)
    }
}

/// What is known of one site: on how many of its pages each part stands. With it two records are decided as an engine
/// decides that knows these pages.
#[derive(Debug)]
pub struct SiteModel(*mut nd_site_model);

// SAFETY: one thread at a time, whichever.
unsafe impl Send for SiteModel {}

impl SiteModel {
    /// One that knows nothing.
    pub fn new() -> Result<Self> {
        let mut model = ptr::null_mut();
        // SAFETY: what it returns is freed by drop; until then the calls of all other methods are sound.
        call(|| unsafe { nd_site_model_new(&mut model) })?;
        Ok(SiteModel(model))
    }

    /// Learns a page, once; one that has other text now anew, after the old one was forgotten.
    pub fn learn(&mut self, page: &Features) -> Result<()> {
        let parts = page.parts()?;
        call(|| unsafe { nd_site_model_learn(self.0, parts.as_ptr(), parts.len()) })
    }

    /// Forgets a page that was learned.
    pub fn forget(&mut self, page: &Features) -> Result<()> {
        let parts = page.parts()?;
        call(|| unsafe { nd_site_model_forget(self.0, parts.as_ptr(), parts.len()) })
    }

    /// Adds what another model has learned, as [`save`](SiteModel::save) gave it.
    pub fn merge(&mut self, saved: &[u8]) -> Result<()> {
        call(|| unsafe { nd_site_model_merge(self.0, saved.as_ptr().cast(), saved.len()) })
    }

    /// The model as bytes, portable and checksummed.
    pub fn save(&self) -> Result<Vec<u8>> {
        filled(|bytes| unsafe { nd_site_model_save(self.0, ptr::null(), 0, bytes) })
    }

    /// Experimental: how much each block of a page that was learned is its own, 0 to 1, in document order.
    pub fn weights(&self, page: &Features) -> Result<Vec<f64>> {
        let (data, size) = (page.0.as_ptr().cast(), page.0.len());
        sized(|weights, count| unsafe { nd_site_model_weights(self.0, data, size, weights, count) })
    }

    fn save_of(&self, parts: &[u64]) -> Result<Vec<u8>> {
        filled(|bytes| unsafe { nd_site_model_save(self.0, parts.as_ptr(), parts.len(), bytes) })
    }
}

impl Drop for SiteModel {
    fn drop(&mut self) {
        // SAFETY: no call is running.
        unsafe { nd_site_model_free(self.0) }
    }
}
