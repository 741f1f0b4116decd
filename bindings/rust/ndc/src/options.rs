//! The options of an engine as a builder, and the logger that goes with them.
use crate::error::{c_string, call, Result};
use ndc_sys::*;
use std::cell::Cell;
use std::fmt;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::Arc;

#[path = "setters.rs"]
#[rustfmt::skip]
mod setters;

pub use setters::*;

/// How serious a line of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Something failed.
    Error,
    /// Something is not as one would expect.
    Warning,
    /// Something happened.
    Info,
}

type Log = Box<dyn Fn(Level, &str) + Send + Sync>;

/// What C gets as the context of the callback.
pub(crate) struct Logger(Log);

impl fmt::Debug for Logger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Logger")
    }
}

/// The options of an engine, or of what works without one. Those that are not set have their defaults, or those of the
/// store. Keys and values are checked by the call that takes the options.
///
/// ```
/// use ndc::{options::Durability, Engine, Options};
///
/// let options = Options::new().durability(Durability::Sync).memory_budget_bytes(1 << 28);
/// # let directory = std::env::temp_dir().join(format!("ndc-doc-{}", std::process::id()));
/// let engine = Engine::open(&directory, &options)?;
/// # drop(engine);
/// # std::fs::remove_dir_all(&directory).unwrap();
/// assert!(Engine::in_memory(&Options::new().resemblance(7.0)).is_err());
/// # Ok::<(), ndc::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Options {
    settings: Vec<(String, String)>,
    logger: Option<Arc<Logger>>,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets an option by its name, such as an experimental one, which begins with `x_` and which another release may
    /// change or drop.
    #[must_use]
    pub fn set(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.settings.push((key.to_owned(), value.to_string()));
        self
    }

    /// The value of an option, which may be its default. A store's own values show in no options.
    pub fn get(&self, key: &str) -> Result<String> {
        let key = c_string("name of an option", key.as_bytes())?;
        let options = self.native()?;
        let get = |value, size: &mut usize| unsafe { nd_options_get(options.0, key.as_ptr(), value, size) };
        let mut size = 0;
        call(|| get(ptr::null_mut(), &mut size))?;
        // With room for the NUL, which the size does not count.
        let mut value = vec![0u8; size + 1];
        size = value.len();
        call(|| get(value.as_mut_ptr().cast(), &mut size))?;
        Ok(String::from_utf8_lossy(&value[..size]).into_owned())
    }

    /// Gets each line that the library logs, also those of an open that fails. It is called by the threads that call
    /// the engine and by the engine's own, by several at once; if it panics, the panic goes no further.
    #[must_use]
    pub fn logger(mut self, logger: impl Fn(Level, &str) + Send + Sync + 'static) -> Self {
        self.logger = Some(Arc::new(Logger(Box::new(logger))));
        self
    }

    pub(crate) fn shared_logger(&self) -> Option<Arc<Logger>> {
        self.logger.clone()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.settings.iter().any(|(set, _)| set == key)
    }

    /// For one call, after which `self` must live on as long as anything that copied its logger.
    pub(crate) fn native(&self) -> Result<NativeOptions> {
        let mut options = NativeOptions(ptr::null_mut());
        // SAFETY: what it returns is freed by NativeOptions.
        call(|| unsafe { nd_options_new(&mut options.0) })?;
        for (key, value) in &self.settings {
            let (key, value) =
                (c_string("name of an option", key.as_bytes())?, c_string("value of an option", value.as_bytes())?);
            // SAFETY: both are NUL-terminated.
            call(|| unsafe { nd_options_set(options.0, key.as_ptr(), value.as_ptr()) })?;
        }
        if let Some(logger) = &self.logger {
            let context = Arc::as_ptr(logger) as *mut c_void;
            // SAFETY: whoever opens an engine with them keeps the logger until the engine is closed.
            call(|| unsafe { nd_options_set_logger(options.0, Some(log), context) })?;
        }
        Ok(options)
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map().entries(self.settings.iter().map(|(key, value)| (key, value))).finish()
    }
}

/// The options as C has them.
pub(crate) struct NativeOptions(pub(crate) *mut nd_options);

impl Drop for NativeOptions {
    fn drop(&mut self) {
        // SAFETY: of nd_options_new, or NULL; nothing keeps it.
        unsafe { nd_options_free(self.0) }
    }
}

thread_local! {
    static LOGGING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a logger, where no engine can be closed.
pub(crate) fn is_logging() -> bool {
    LOGGING.try_with(Cell::get).unwrap_or(false)
}

unsafe extern "C" fn log(level: i32, message: *const c_char, size: usize, context: *mut c_void) {
    let level = match level {
        ND_LOG_ERROR => Level::Error,
        ND_LOG_WARNING => Level::Warning,
        _ => Level::Info,
    };
    let logger = &*(context as *const Logger);
    let message = String::from_utf8_lossy(std::slice::from_raw_parts(message.cast(), size));
    let outer = LOGGING.try_with(|logging| logging.replace(true)).unwrap_or(false);
    // What a panic may have left half done is the logger's own. To drop what it carries may panic again.
    let mut panic = catch_unwind(AssertUnwindSafe(|| (logger.0)(level, &message))).err();
    while let Some(payload) = panic {
        panic = catch_unwind(AssertUnwindSafe(|| drop(payload))).err();
    }
    let _ = LOGGING.try_with(|logging| logging.set(outer));
}
