//! What can go wrong, as one enum, and the calls of the C interface that turn a status into it.
use ndc_sys::*;
use std::ffi::{CStr, CString};
use std::fmt;
use std::os::raw::c_char;
use std::sync::atomic::{AtomicBool, Ordering};

macro_rules! errors {
    ($($(#[$about:meta])* $name:ident = $status:ident,)*) => {
        /// Why a call failed, with the library's explanation in one sentence. A call that failed has changed nothing,
        /// except [`Engine::remove_matching`](crate::Engine::remove_matching), which removes page by page.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Error {
            $($(#[$about])* $name(String),)*
        }

        impl Error {
            fn new(status: nd_status, message: String) -> Self {
                match status {
                    $($status => Error::$name(message),)*
                    _ => Error::Internal(message),
                }
            }

            /// The explanation, without the kind.
            pub fn message(&self) -> &str {
                match self {
                    $(Error::$name(message) => message,)*
                }
            }
        }
    };
}

errors! {
    /// An unknown option, a value out of range, no store, a call for stores on an engine in memory; an engine that was
    /// opened by the parent of this process.
    InvalidArgument = ND_ERR_INVALID_ARGUMENT,
    /// The system has no memory left.
    NoMemory = ND_ERR_NO_MEMORY,
    /// A disk is full or broken: make room and call again.
    Io = ND_ERR_IO,
    /// Bytes or files that ndc did not write, or that were damaged.
    Corrupt = ND_ERR_CORRUPT,
    /// Written by another version, or the library is one that this crate was not made for.
    UnsupportedVersion = ND_ERR_UNSUPPORTED_VERSION,
    /// The store has a writer.
    Locked = ND_ERR_LOCKED,
    /// A change through a reader.
    ReadOnly = ND_ERR_READ_ONLY,
    /// No such page, group or store.
    NotFound = ND_ERR_NOT_FOUND,
    /// Something is too long, or there are too many.
    Limit = ND_ERR_LIMIT,
    /// A fault in ndc: please report it.
    Internal = ND_ERR_INTERNAL,
}

/// What fallible calls return.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.message())
    }
}

impl std::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        use std::io::ErrorKind;
        let kind = match &error {
            Error::InvalidArgument(_) => ErrorKind::InvalidInput,
            Error::NoMemory(_) => ErrorKind::OutOfMemory,
            Error::Corrupt(_) => ErrorKind::InvalidData,
            Error::UnsupportedVersion(_) => ErrorKind::Unsupported,
            Error::Locked(_) => ErrorKind::WouldBlock,
            Error::ReadOnly(_) => ErrorKind::PermissionDenied,
            Error::NotFound(_) => ErrorKind::NotFound,
            _ => ErrorKind::Other,
        };
        std::io::Error::new(kind, error)
    }
}

/// The version of the library that was loaded, such as "2.0.0".
pub fn version() -> String {
    // SAFETY: a static string, of every version of the library.
    unsafe { text(nd_version_string()) }
}

/// Calls the library, unless it is of a version whose structs and functions may be others than this crate's.
#[inline]
pub(crate) fn call(function: impl FnOnce() -> nd_status) -> Result<()> {
    static FITS: AtomicBool = AtomicBool::new(false);
    if !FITS.load(Ordering::Relaxed) {
        check_version()?;
        FITS.store(true, Ordering::Relaxed);
    }
    match function() {
        ND_OK => Ok(()),
        status => Err(last_error(status)),
    }
}

#[cold]
fn check_version() -> Result<()> {
    let wanted = ND_VERSION_MAJOR << 16 | ND_VERSION_MINOR << 8 | ND_VERSION_PATCH;
    // SAFETY: takes nothing.
    let found = unsafe { nd_version() };
    if found >> 16 == wanted >> 16 && found >= wanted {
        return Ok(());
    }
    Err(Error::UnsupportedVersion(format!(
        "the library is version {}; this crate was made for {}.{}.{}",
        version(),
        ND_VERSION_MAJOR,
        ND_VERSION_MINOR,
        ND_VERSION_PATCH
    )))
}

#[cold]
fn last_error(status: nd_status) -> Error {
    // SAFETY: both are never NULL, and nothing was called since on this thread.
    let message = unsafe {
        match text(nd_last_error()) {
            said if said.is_empty() => text(nd_status_string(status)),
            said => said,
        }
    };
    Error::new(status, message)
}

/// # Safety
/// `string` is NUL-terminated.
unsafe fn text(string: *const c_char) -> String {
    CStr::from_ptr(string).to_string_lossy().into_owned()
}

/// For arguments that C takes without a size.
pub(crate) fn c_string(what: &str, bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|_| Error::InvalidArgument(format!("the {} has a NUL in it", what)))
}
