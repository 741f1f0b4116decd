//! The C interface of ndc, which finds near-duplicate web pages: the declarations of `ndcapi.h`, whose comments say
//! what each function does, what it borrows and who frees what. Programs take the crate `ndc-dedup`, which is safe.
//!
//! The library is found at build time in the directory that the environment variable `NDC_LIB_DIR` names, in this crate
//! (feature `bundled`), or by pkg-config. Dependents' build scripts get its directory as `DEP_NDC_LIB_DIR`.
#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod bindings;

pub use bindings::*;
