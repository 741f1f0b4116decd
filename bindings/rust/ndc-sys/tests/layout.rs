//! The generated structs have the sizes and offsets that a C compiler gives those of include/ndcapi.h.
#[rustfmt::skip]
mod structs;

use std::fmt::Write;
use std::process::Command;

#[test]
fn c_has_the_same_layout() {
    let offsets = structs::offsets();
    assert!(structs::SIZES.len() > 10 && offsets.len() > 100);
    let mut program = String::from("#include <ndcapi.h>\n#include <stddef.h>\n");
    for (name, size) in structs::SIZES {
        writeln!(program, "_Static_assert(sizeof({}) == {}, \"{}\");", name, size, name).unwrap();
    }
    for (name, field, offset) in &offsets {
        writeln!(program, "_Static_assert(offsetof({0}, {1}) == {2}, \"{0}.{1}\");", name, field, offset).unwrap();
    }
    let folder = std::env::temp_dir().join(format!("ndc-layout-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let compiles = |text: &str| {
        let source = folder.join("layout.c");
        std::fs::write(&source, text).unwrap();
        let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../include");
        Command::new("cc").args(["-fsyntax-only", "-DND_EXPERIMENTAL", "-I", include]).arg(source).output().unwrap()
    };
    let done = compiles(&program);
    let other = compiles(&program.replace("offsetof(nd_page, url) == 8", "offsetof(nd_page, url) == 9"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(!other.status.success());
}
