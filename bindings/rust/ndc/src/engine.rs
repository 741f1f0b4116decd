//! The engine: opening, checking, asking, removing, and closing when it is dropped.
use crate::answers::{CheckResult, Event, Group, Keep, PageInfo, SimilarPage, Statistics};
use crate::error::{c_string, call, Error, Result};
use crate::options::{is_logging, Logger, Options};
use crate::outputs::{alone, collect, filled_text, visit, with_url};
use crate::page::{milliseconds, Page};
use crate::Features;
use ndc_sys::*;
use std::ops::ControlFlow;
use std::os::raw::c_char;
use std::os::unix::ffi::OsStrExt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use std::vec::IntoIter;
use std::{fmt, mem, ptr, thread};

/// An index of pages: says of each page that is fetched whether it is new, the same as before, or a near-duplicate.
///
/// Any number of threads may call one engine, through references or an `Arc`. It is closed when it is dropped;
/// [`close`](Engine::close) also tells what went wrong then. In a forked child every call on an engine of the parent
/// is an [`Error::InvalidArgument`], and dropping it does nothing.
///
/// ```
/// use ndc::{Engine, Options, Page, Verdict};
///
/// let engine = Engine::in_memory(&Options::new())?;
/// let story = "<p>The council will rebuild the lighthouse in spring, and the lamp will burn again.</p>";
/// let first = engine.check(&Page::new("http://one.example/", story))?;
/// let second = engine.check(&Page::new("http://two.example/", story).content_type("text/html"))?;
/// assert_eq!((first.verdict, second.verdict), (Verdict::New, Verdict::Exact));
/// assert_eq!(second.matched_page_id, first.page_id);
/// # Ok::<(), ndc::Error>(())
/// ```
pub struct Engine {
    engine: *mut nd_engine,
    logger: Option<Arc<Logger>>,
}

// SAFETY: any number of threads may call the library's engine, and any may close it when no other call is running,
// which the borrow of each call ensures. Of a logger only `Fn + Send + Sync` is taken.
unsafe impl Send for Engine {}
unsafe impl Sync for Engine {}
// A call that a panic ends, which a closure of the caller may do, leaves the library's engine whole.
impl UnwindSafe for Engine {}
impl RefUnwindSafe for Engine {}

impl Engine {
    /// Opens a store, a directory that is created if it does not exist; its parents are not. A store has one writer: a
    /// second one gets [`Error::Locked`].
    ///
    /// Unlike the C interface this opens stores with `mmap=false` unless told otherwise: of a mapped file a fault of
    /// the disk would end the process.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self> {
        let path = c_string("path", path.as_ref().as_os_str().as_bytes())?;
        if options.has("mmap") {
            Self::open_at(path.as_ptr(), options)
        } else {
            Self::open_at(path.as_ptr(), &options.clone().mmap(false))
        }
    }

    /// Opens an engine that keeps its pages in memory.
    pub fn in_memory(options: &Options) -> Result<Self> {
        Self::open_at(ptr::null(), options)
    }

    fn open_at(path: *const c_char, options: &Options) -> Result<Self> {
        let native = options.native()?;
        let mut engine = ptr::null_mut();
        // SAFETY: the path is NULL or NUL-terminated; the logger lives until the engine is closed.
        call(|| unsafe { nd_open(path, native.0, &mut engine) })?;
        Ok(Engine { engine, logger: options.shared_logger() })
    }

    /// Compares the page with all before it and adds it. The verdict is advice: whatever it is, the page is in the
    /// index.
    #[inline]
    pub fn check(&self, page: &Page<'_>) -> Result<CheckResult> {
        self.answer(|engine, result| unsafe { nd_check_page(engine, &page.native(), result) })
    }

    /// [`check`](Engine::check), and the text that is the page's own by what was known before it.
    pub fn check_with_text(&self, page: &Page<'_>) -> Result<(CheckResult, String)> {
        let mut result = nd_result::default();
        let text = filled_text(|text| unsafe { nd_check_page_text(self.engine, &page.native(), &mut result, text) })?;
        Ok((CheckResult::new(&result), text))
    }

    /// Checks a page whose features were computed elsewhere.
    pub fn check_features(&self, features: &Features) -> Result<CheckResult> {
        let bytes = features.as_bytes();
        self.answer(|engine, result| unsafe { nd_check_features(engine, bytes.as_ptr().cast(), bytes.len(), result) })
    }

    /// The answer of [`check`](Engine::check), but nothing changes.
    #[inline]
    pub fn query(&self, page: &Page<'_>) -> Result<CheckResult> {
        self.answer(|engine, result| unsafe { nd_query_page(engine, &page.native(), result) })
    }

    /// The text of a page that is its own, without what its site repeats. The page need not be known.
    pub fn own_text(&self, page: &Page<'_>) -> Result<String> {
        filled_text(|text| unsafe { nd_own_text(self.engine, &page.native(), text) })
    }

    /// Forgets a page; false if it is not known.
    pub fn remove<U: AsRef<[u8]> + ?Sized>(&self, url: &U) -> Result<bool> {
        let url = url.as_ref();
        let removed = call(|| unsafe { nd_remove_page(self.engine, url.as_ptr().cast(), url.len()) });
        Ok(found(removed)?.is_some())
    }

    /// Forgets every page that the filter matches, and says how many.
    pub fn remove_matching(&self, filter: &RemovalFilter<'_>) -> Result<u64> {
        // The beginning of 1970 is C's sign for any time.
        if filter.fetched_before_ms.map_or(false, |before| before <= 0) {
            return Err(Error::InvalidArgument("fetched before: the time must be after the beginning of 1970".into()));
        }
        let filter = nd_filter {
            flags: if filter.purge { ND_REMOVE_PURGE } else { 0 },
            url_prefix: filter.url_prefix.as_ptr().cast(),
            url_prefix_size: filter.url_prefix.len(),
            site: filter.site.as_ptr().cast(),
            site_size: filter.site.len(),
            fetched_before_ms: filter.fetched_before_ms.unwrap_or(0),
            ..nd_filter::default()
        };
        let mut removed = 0;
        call(|| unsafe { nd_remove_matching(self.engine, &filter, &mut removed) })?;
        Ok(removed)
    }

    /// The page of a URL.
    pub fn find<U: AsRef<[u8]> + ?Sized>(&self, url: &U) -> Result<Option<PageInfo>> {
        let url = url.as_ref();
        let mut info = nd_page_info::default();
        let asked = call(|| unsafe { nd_find_page(self.engine, url.as_ptr().cast(), url.len(), &mut info) });
        Ok(found(asked)?.map(|()| PageInfo::new(&info, url)))
    }

    /// The page of an id.
    pub fn page(&self, page_id: u64) -> Result<Option<PageInfo>> {
        found(page_with_url(|info, url, size| unsafe { nd_get_page(self.engine, page_id, info, url, size) }))
    }

    /// The page of a group to keep when its copies are left out.
    pub fn kept(&self, group_id: u64, keep: Keep) -> Result<PageInfo> {
        let rule = keep.code();
        page_with_url(|info, url, size| unsafe { nd_kept_page(self.engine, group_id, rule, info, url, size) })
    }

    /// The pages of a group, oldest first.
    pub fn members(&self, group_id: u64) -> Result<IntoIter<PageInfo>> {
        let rows = collect(PageInfo::new, |context| unsafe {
            nd_each_page(self.engine, group_id, Some(with_url::<nd_page_info>), context)
        });
        Ok(rows?.into_iter())
    }

    /// All groups, ascending by id; [`each_group`](Engine::each_group) takes no memory for them.
    pub fn groups(&self) -> Result<IntoIter<Group>> {
        let rows = collect(
            |info, _| Group::new(info),
            |context| unsafe { nd_each_group(self.engine, Some(alone::<nd_group_info>), context) },
        );
        Ok(rows?.into_iter())
    }

    /// Calls the closure, which may use the engine, for each group until it breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// # let engine = ndc::Engine::in_memory(&ndc::Options::new())?;
    /// # engine.check(&ndc::Page::new("http://one.example/", "<p>A page"))?;
    /// let mut largest = 0;
    /// engine.each_group(|group| {
    ///     largest = largest.max(group.page_count);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(largest, 1);
    /// # Ok::<(), ndc::Error>(())
    /// ```
    pub fn each_group(&self, mut group: impl FnMut(Group) -> ControlFlow<()>) -> Result<()> {
        visit(
            |info, _| group(Group::new(info)),
            |context| unsafe { nd_each_group(self.engine, Some(alone::<nd_group_info>), context) },
        )
    }

    /// The events after a sequence number, 0 for all that are kept, in order.
    pub fn events(&self, after: u64) -> Result<IntoIter<Event>> {
        let rows = collect(
            |event, _| Event::new(event),
            |context| unsafe { nd_each_event(self.engine, after, Some(alone::<nd_event>), context) },
        );
        Ok(rows?.into_iter())
    }

    /// The known pages that resemble a known page most, best first, 1 to 1000 of them.
    pub fn similar(&self, page_id: u64, limit: u32) -> Result<IntoIter<SimilarPage>> {
        let rows = collect(SimilarPage::new, |context| unsafe {
            nd_similar_pages(self.engine, page_id, limit, Some(with_url::<nd_similar_page>), context)
        });
        Ok(rows?.into_iter())
    }

    /// Whether page `b` is the same document as page `a`, by what is known now: ask before `b` is left out because `a`
    /// is kept ([`CheckResult::is_copy`]).
    pub fn compare(&self, a: u64, b: u64) -> Result<CheckResult> {
        self.answer(|engine, result| unsafe { nd_compare_pages(engine, a, b, result) })
    }

    /// Why two pages are, or are not, near-duplicates, as a JSON object; `ndcapi.h` describes it at `nd_explain`.
    pub fn explain(&self, a: u64, b: u64) -> Result<String> {
        filled_text(|json| unsafe { nd_explain(self.engine, a, b, json) })
    }

    /// Decides all pages of an engine in memory again, by what is known of their sites now: the answer and the URL of
    /// each, in the order in which they came. It takes memory for a second engine.
    pub fn settle(&mut self) -> Result<IntoIter<(Vec<u8>, CheckResult)>> {
        let rows = collect(
            |result, url| (url.to_vec(), CheckResult::new(result)),
            |context| unsafe { nd_settle(self.engine, Some(with_url::<nd_result>), context) },
        );
        Ok(rows?.into_iter())
    }

    /// What the engine has counted.
    pub fn stats(&self) -> Result<Statistics> {
        let mut stats = nd_stats::default();
        call(|| unsafe { nd_get_stats(self.engine, &mut stats) })?;
        Ok(Statistics::new(&stats))
    }

    /// The same in the Prometheus text exposition format, with a histogram of the time that checks took.
    pub fn metrics(&self) -> Result<String> {
        filled_text(|text| unsafe { nd_metrics(self.engine, text) })
    }

    /// Writes what has changed: when it returns, everything that was answered before the call is on disk.
    pub fn snapshot(&self) -> Result<()> {
        call(|| unsafe { nd_snapshot(self.engine) })
    }

    /// Rewrites the store without what was removed or replaced.
    pub fn compact(&self) -> Result<()> {
        call(|| unsafe { nd_compact(self.engine) })
    }

    /// Moves a read-only engine to the newest snapshot.
    pub fn refresh(&self) -> Result<()> {
        call(|| unsafe { nd_refresh(self.engine) })
    }

    /// Takes a snapshot, unless option `durability` is none, and closes the engine, whatever it returns.
    pub fn close(mut self) -> Result<()> {
        if is_logging() {
            let said = "an engine cannot be closed by a logger; it is closed as soon as the logger has returned";
            return Err(Error::InvalidArgument(said.to_owned()));
        }
        let engine = mem::replace(&mut self.engine, ptr::null_mut());
        // SAFETY: no call is running, since this one has the engine.
        call(|| unsafe { nd_close(engine) })
    }

    /// For functions of [`ndc_sys`] that this crate has no method for. They must not close it.
    pub fn as_ptr(&self) -> *mut nd_engine {
        self.engine
    }

    // SAFETY of this and all other calls here: the engine is open as long as `self` is there, arguments live until the
    // call returns, and outputs have the size that they say.
    #[inline]
    fn answer(&self, function: impl FnOnce(*mut nd_engine, *mut nd_result) -> nd_status) -> Result<CheckResult> {
        let mut result = nd_result::default();
        call(|| function(self.engine, &mut result))?;
        Ok(CheckResult::new(&result))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.engine.is_null() {
            return;
        }
        if !is_logging() {
            // SAFETY: no call is running. Nobody is there to be told what goes wrong, but the logger.
            unsafe { nd_close(self.engine) };
            return;
        }
        // A logger that had a weak reference has dropped the last strong one: it may be running on the engine's own
        // thread, which nd_close waits for.
        let closed = Engine { engine: self.engine, logger: self.logger.take() };
        let closed = mem::ManuallyDrop::new(closed);
        // Where no thread can be started, the engine stays open, with its logger.
        let _ = thread::Builder::new().spawn(move || drop(mem::ManuallyDrop::into_inner(closed)));
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// `None` instead of [`Error::NotFound`].
fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// A page and its URL, for which there may be too little room at first.
fn page_with_url(
    mut function: impl FnMut(*mut nd_page_info, *mut c_char, *mut usize) -> nd_status,
) -> Result<PageInfo> {
    let mut url = vec![0u8; 512];
    loop {
        let mut info = nd_page_info::default();
        let mut size = url.len();
        match call(|| function(&mut info, url.as_mut_ptr().cast(), &mut size)) {
            Ok(()) => return Ok(PageInfo::new(&info, &url[..size])),
            // The returned size does not count the NUL.
            Err(Error::Limit(_)) if size >= url.len() => url.resize(size + 1, 0),
            Err(other) => return Err(other),
        }
    }
}

/// Which pages to remove: all that is set must hold, and at least one must be set.
///
/// ```
/// use ndc::{Engine, Options, Page, RemovalFilter};
///
/// let engine = Engine::in_memory(&Options::new())?;
/// engine.check(&Page::new("http://www.example.org/a", "<p>A page that will be forgotten."))?;
/// assert_eq!(engine.remove_matching(&RemovalFilter::new().site("example.org").purge())?, 1);
/// # Ok::<(), ndc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct RemovalFilter<'a> {
    url_prefix: &'a [u8],
    site: &'a [u8],
    fetched_before_ms: Option<i64>,
    purge: bool,
}

impl<'a> RemovalFilter<'a> {
    /// One that matches nothing yet, and is refused.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the URL begins with.
    #[must_use]
    pub fn url_prefix<U: AsRef<[u8]> + ?Sized>(mut self, prefix: &'a U) -> Self {
        self.url_prefix = prefix.as_ref();
        self
    }

    /// The registrable domain, such as `example.co.uk`.
    #[must_use]
    pub fn site(mut self, site: &'a str) -> Self {
        self.site = site.as_bytes();
        self
    }

    /// Those that were fetched last before this time, which has to be after the beginning of 1970.
    #[must_use]
    pub fn fetched_before(mut self, time: SystemTime) -> Self {
        self.fetched_before_ms = Some(milliseconds(time));
        self
    }

    /// Also removes texts that still represent a group.
    #[must_use]
    pub fn purge(mut self) -> Self {
        self.purge = true;
        self
    }
}

/// A fault in a file of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreFault {
    /// The file's name in the store's directory.
    pub file: String,
    /// Where the checked part begins, in bytes.
    pub offset: u64,
    /// What is wrong.
    pub sentence: String,
}

/// Reads every file of a store, and returns each fault. A writer may be at work.
pub fn verify(path: impl AsRef<Path>) -> Result<Vec<StoreFault>> {
    let path = c_string("path", path.as_ref().as_os_str().as_bytes())?;
    // SAFETY: NUL-terminated strings that live until the callback returns.
    let text = |string| unsafe { std::ffi::CStr::from_ptr(string) }.to_string_lossy().into_owned();
    let mut faults = Vec::new();
    let read = visit(
        |fault: &nd_store_fault, _| {
            let (file, sentence) = (text(fault.file), text(fault.sentence));
            faults.push(StoreFault { file, offset: fault.offset, sentence });
            ControlFlow::Continue(())
        },
        |context| unsafe { nd_verify_store(path.as_ptr(), Some(alone::<nd_store_fault>), context) },
    );
    match read {
        Err(Error::Corrupt(_)) if !faults.is_empty() => Ok(faults),
        other => other.map(|()| faults),
    }
}
