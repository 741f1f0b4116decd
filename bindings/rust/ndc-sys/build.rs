//! Finds libndc for the linker: in the directory that NDC_LIB_DIR names, in this crate (feature `bundled`), or by
//! pkg-config.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const LIBRARY: &str = "libndc.so.2";
/// What pkg-config's answer depends on.
const PKG_CONFIG_VARIABLES: [&str; 5] =
    ["PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR", "PKG_CONFIG_ALLOW_CROSS"];

fn main() {
    println!("cargo:rerun-if-env-changed=NDC_LIB_DIR");
    for name in PKG_CONFIG_VARIABLES {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    // Of documentation nothing is linked.
    if env::var_os("DOCS_RS").is_some() {
        return;
    }
    println!("cargo:rustc-link-lib=dylib=ndc");
    if let Some(directory) = env::var_os("NDC_LIB_DIR") {
        search(Path::new(&directory));
    } else if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        search(&bundled());
    } else {
        pkg_config();
    }
}

/// Cargo also gives the directory to the programs that it runs if it lies below `target`.
fn search(directory: &Path) {
    println!("cargo:rustc-link-search=native={}", directory.display());
    println!("cargo:lib_dir={}", directory.display());
}

/// A directory with the library of this crate under the name that linkers look for.
fn bundled() -> PathBuf {
    let variable = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let target = format!("{}-{}", env::var("CARGO_CFG_TARGET_OS").unwrap(), env::var("CARGO_CFG_TARGET_ARCH").unwrap());
    let native = variable("CARGO_MANIFEST_DIR").join("native").join(&target);
    println!("cargo:rerun-if-changed={}", native.display());
    let out = variable("OUT_DIR");
    for name in [LIBRARY, "libndc.so"] {
        if let Err(failure) = fs::copy(native.join(LIBRARY), out.join(name)) {
            panic!(
                "feature `bundled`: no library for {} in this crate ({}): name a directory with libndc.so by NDC_LIB_DIR",
                target, failure
            );
        }
    }
    out
}

fn pkg_config() {
    if env::var_os("HOST") != env::var_os("TARGET") && env::var_os("PKG_CONFIG_ALLOW_CROSS").is_none() {
        panic!(
            "pkg-config would find the library of this machine, not of the target: name a directory with libndc.so by \
             NDC_LIB_DIR, or set PKG_CONFIG_LIBDIR to that of the target, and PKG_CONFIG_ALLOW_CROSS=1"
        );
    }
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let version = concat!("ndc >= ", env!("CARGO_PKG_VERSION"));
    let ask = Command::new(program).env("PKG_CONFIG_ALLOW_SYSTEM_LIBS", "1").args(["--libs-only-L", version]).output();
    match ask {
        Ok(found) if found.status.success() => {
            for word in String::from_utf8_lossy(&found.stdout).split_whitespace() {
                search(Path::new(word.trim_start_matches("-L")));
            }
        }
        answer => {
            let said = match answer {
                Ok(found) => String::from_utf8_lossy(&found.stderr).trim().to_owned(),
                Err(failure) => failure.to_string(),
            };
            panic!(
                "pkg-config does not find ndc: {}. Install libndc-dev, set PKG_CONFIG_PATH, or name a directory with \
                 libndc.so by NDC_LIB_DIR, or take the feature `bundled`",
                said
            );
        }
    }
}
