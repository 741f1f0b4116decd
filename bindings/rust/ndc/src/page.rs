//! A page as it was fetched, which the calls of this crate borrow.
use ndc_sys::*;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A page as it was fetched: its URL, its body and what the fetcher knows. Everything is borrowed.
///
/// The URL may be any bytes, at most 1 MiB; two URLs are one if their bytes are equal, and with an empty one each page
/// is a new one. The body is as fetched, after transfer and content decoding.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    url: &'a [u8],
    body: &'a [u8],
    content_type: &'a [u8],
    fetched_at_ms: i64,
    truncated: bool,
}

impl<'a> Page<'a> {
    /// A page that was fetched just now.
    pub fn new<U, B>(url: &'a U, body: &'a B) -> Self
    where
        U: AsRef<[u8]> + ?Sized,
        B: AsRef<[u8]> + ?Sized,
    {
        Page { url: url.as_ref(), body: body.as_ref(), content_type: b"", fetched_at_ms: 0, truncated: false }
    }

    /// The value of the HTTP header, such as `text/html; charset=utf-8`. Plain text needs `text/plain`.
    #[must_use]
    pub fn content_type<C: AsRef<[u8]> + ?Sized>(mut self, content_type: &'a C) -> Self {
        self.content_type = content_type.as_ref();
        self
    }

    /// When it was fetched, in milliseconds; [`UNIX_EPOCH`] itself means now, and an earlier time is refused.
    #[must_use]
    pub fn fetched_at(mut self, time: SystemTime) -> Self {
        self.fetched_at_ms = milliseconds(time);
        self
    }

    /// Whether the fetcher has cut the body.
    #[must_use]
    pub fn truncated(mut self, truncated: bool) -> Self {
        self.truncated = truncated;
        self
    }

    #[inline]
    pub(crate) fn native(&self) -> nd_page {
        nd_page {
            struct_size: std::mem::size_of::<nd_page>() as u32,
            flags: if self.truncated { ND_PAGE_TRUNCATED } else { 0 },
            url: self.url.as_ptr().cast(),
            url_size: self.url.len(),
            body: self.body.as_ptr().cast(),
            body_size: self.body.len(),
            content_type: self.content_type.as_ptr().cast(),
            content_type_size: self.content_type.len(),
            fetched_at_ms: self.fetched_at_ms,
        }
    }
}

pub(crate) fn milliseconds(time: SystemTime) -> i64 {
    let whole = |distance: Duration| i64::try_from(distance.as_millis()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => whole(after),
        Err(before) => -whole(before.duration()),
    }
}

/// Of what the library gives, which knows no time before 1970.
pub(crate) fn system_time(milliseconds: i64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(milliseconds.unsigned_abs())
}
