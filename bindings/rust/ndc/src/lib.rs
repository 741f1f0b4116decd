//! ndc finds near-duplicate web pages as a crawler fetches them: *is this page new, the same as before, or a
//! near-duplicate of one I have?* This crate is the Rust side of `ndcapi.h`.
//!
//! ```
//! use ndc::{Engine, Options, Page};
//!
//! # let directory = std::env::temp_dir().join(format!("ndc-crate-{}", std::process::id()));
//! # let path = &directory;
//! let pages = Engine::open(path, &Options::new())?; // or Engine::in_memory
//! let html = "<p>The council will rebuild the lighthouse in spring.</p>";
//! for url in ["http://one.example/", "http://two.example/"] {
//!     let result = pages.check(&Page::new(url, html).content_type("text/html"))?;
//!     println!("{} is {} in group {:?}", url, result.verdict, result.group_id);
//! }
//! let groups: Vec<u64> = pages.groups()?.map(|group| group.page_count).collect();
//! assert_eq!(groups, [2]);
//! pages.close()?;
//! # std::fs::remove_dir_all(directory).unwrap();
//! # Ok::<(), ndc::Error>(())
//! ```
//!
//! - [`Engine`]: checking pages and asking about them, in memory or in a store; `Send` and `Sync`.
//! - [`Options`] with [`options`]: the builder, the choices, the logger.
//! - [`Reader`], [`Features`], [`SiteModel`], [`Signature`]: comparing pages without an engine.
//! - [`sys`]: the C interface, for what has no method here; [`Engine::as_ptr`] leads there.
//!
//! # Linking
//!
//! The crate is linked with `libndc.so`, 2.0 or a newer 2.x, which is found at build time by pkg-config, in the
//! directory that the environment variable `NDC_LIB_DIR` names, or, with feature `bundled`, in the crate itself. Where
//! the library at run time is another version, every fallible call is an [`Error::UnsupportedVersion`].
//!
//! # Panics
//!
//! No function panics of itself. A panic of a closure ends the iteration and goes on in the caller; a panic of a logger
//! ends the call of the logger alone.
#![warn(missing_docs)]

mod answers;
mod engine;
mod error;
pub mod options;
mod outputs;
mod page;
mod stateless;

pub use answers::{CheckResult, Event, EventKind, Flags, Group, Keep, PageInfo, SimilarPage, Statistics, Verdict};
pub use engine::{verify, Engine, RemovalFilter, StoreFault};
pub use error::{version, Error, Result};
pub use ndc_sys as sys;
pub use options::{Level, Options};
pub use page::Page;
pub use stateless::{Features, Reader, Signature, SiteModel};
