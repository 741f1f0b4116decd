//! Made-up pages, and folders that are gone with the test.
#![allow(dead_code)] // no test file uses all of it
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub const STORY: &str = "<p>The council will rebuild the lighthouse in spring. The keeper's house becomes a museum of \
    the coast, and the lamp, which was lit for the first time in 1871, will burn again on its birthday.</p>";

/// The words of a page, the same for the same seed.
pub fn text(seed: u64, words: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut out = String::new();
    for _ in 0..words {
        for _ in 0..2 + next() % 3 {
            let number = next() as usize;
            out.push(b"bdfgklmnprstvz"[number % 14] as char);
            out.push(b"aeiou"[number / 14 % 5] as char);
        }
        out.push(' ');
    }
    out
}

pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("ndc-rust-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
