//! What C gives in buffers and through callbacks, as vectors and closures; a panic of a closure is carried past C.
use crate::error::{call, Result};
use ndc_sys::*;
use std::any::Any;
use std::ops::ControlFlow;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::{ptr, slice};

/// The bytes that the library writes into the buffer.
pub(crate) fn filled(fill: impl FnOnce(*mut nd_buffer) -> nd_status) -> Result<Vec<u8>> {
    struct Buffer(nd_buffer);
    impl Drop for Buffer {
        fn drop(&mut self) {
            // SAFETY: the library filled it.
            unsafe { nd_buffer_free(&mut self.0) }
        }
    }
    let mut buffer = Buffer(nd_buffer::default());
    call(|| fill(&mut buffer.0))?;
    // SAFETY: `data` has `size` bytes; it may be NULL where there are none.
    Ok(unsafe { bytes(buffer.0.data, buffer.0.size) }.to_vec())
}

/// As [`filled`], of what the library promises to be UTF-8.
pub(crate) fn filled_text(fill: impl FnOnce(*mut nd_buffer) -> nd_status) -> Result<String> {
    let bytes = filled(fill)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|other| String::from_utf8_lossy(other.as_bytes()).into_owned()))
}

/// The values of a sized output.
pub(crate) fn sized<T: Copy + Default>(mut fill: impl FnMut(*mut T, &mut usize) -> nd_status) -> Result<Vec<T>> {
    let mut size = 0;
    call(|| fill(ptr::null_mut(), &mut size))?;
    let mut values = vec![T::default(); size];
    if size > 0 {
        call(|| fill(values.as_mut_ptr(), &mut size))?;
        values.truncate(size);
    }
    Ok(values)
}

unsafe fn bytes<'a>(data: *const c_char, size: usize) -> &'a [u8] {
    if size == 0 {
        &[]
    } else {
        slice::from_raw_parts(data.cast(), size)
    }
}

/// What C gets as the context of a callback: the closure, and the panic that ended it.
struct Visitor<'a, T> {
    visit: &'a mut dyn FnMut(&T, &[u8]) -> ControlFlow<()>,
    panic: Option<Box<dyn Any + Send>>,
}

/// Calls the library with `alone` or `with_url` and this context. A panic of the closure ends the iteration and goes on
/// here.
pub(crate) fn visit<T>(
    mut visit: impl FnMut(&T, &[u8]) -> ControlFlow<()>,
    function: impl FnOnce(*mut c_void) -> nd_status,
) -> Result<()> {
    let mut visitor = Visitor { visit: &mut visit, panic: None };
    let done = call(|| function((&mut visitor as *mut Visitor<'_, T>).cast()));
    match visitor.panic {
        Some(payload) => resume_unwind(payload),
        None => done,
    }
}

/// All rows, as `row` makes them.
pub(crate) fn collect<T, R>(
    row: impl Fn(&T, &[u8]) -> R,
    function: impl FnOnce(*mut c_void) -> nd_status,
) -> Result<Vec<R>> {
    let mut rows = Vec::new();
    visit(
        |item, url| {
            rows.push(row(item, url));
            ControlFlow::Continue(())
        },
        function,
    )?;
    Ok(rows)
}

pub(crate) unsafe extern "C" fn with_url<T>(
    item: *const T,
    url: *const c_char,
    size: usize,
    context: *mut c_void,
) -> i32 {
    let visitor = &mut *context.cast::<Visitor<'_, T>>();
    if visitor.panic.is_some() {
        return 1;
    }
    match catch_unwind(AssertUnwindSafe(|| (visitor.visit)(&*item, bytes(url, size)))) {
        Ok(ControlFlow::Continue(())) => 0,
        Ok(ControlFlow::Break(())) => 1,
        Err(payload) => {
            visitor.panic = Some(payload);
            1
        }
    }
}

pub(crate) unsafe extern "C" fn alone<T>(item: *const T, context: *mut c_void) -> i32 {
    with_url(item, ptr::null(), 0, context)
}
