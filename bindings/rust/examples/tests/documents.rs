//! Every block of Rust in the documents is a program that runs and prints what the text behind it says.
use std::path::{Path, PathBuf};
use std::process::Command;

const DOCUMENTS: [&str; 3] = ["docs/guide-rust.md", "README.md", "bindings/rust/ndc/README.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The language and the code of each block.
fn blocks(document: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let mut out: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(language) if !inside => {
                out.push((language.to_owned(), String::new()));
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => out.last_mut().unwrap().1.push_str(&format!("{}\n", line)),
            None => (),
        }
    }
    out
}

/// A block without `main` is the inside of one.
fn program(code: &str) -> String {
    if code.contains("fn main()") {
        return code.to_owned();
    }
    format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{}\nOk(())\n}}\n", code)
}

/// The words that a block without a text behind it says in comments behind what it prints.
fn said_in_comments(code: &str) -> String {
    code.lines().filter_map(|line| Some(line.split_once("); // ")?.1.to_owned() + "\n")).collect()
}

#[test]
fn every_block_runs_and_prints_what_it_says() {
    let folder = std::env::temp_dir().join(format!("ndc-documents-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("src/bin")).unwrap();
    let manifest = format!(
        "[package]\nname = \"documents\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [dependencies]\nndc-dedup = {{ path = \"{}\" }}\n",
        root().join("bindings/rust/ndc").canonicalize().unwrap().display()
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let mut wanted = Vec::new();
    for document in DOCUMENTS {
        let found = blocks(document);
        for (number, (_, code)) in found.iter().enumerate().filter(|(_, (language, _))| language == "rust") {
            let said = match found.get(number + 1) {
                Some((language, text)) if language == "text" => text.clone(),
                _ => said_in_comments(code),
            };
            let name = format!("block{}", wanted.len());
            std::fs::write(folder.join(format!("src/bin/{}.rs", name)), program(code)).unwrap();
            wanted.push((name, document, said));
        }
        assert!(found.iter().any(|(language, _)| language == "rust"), "{} has no block", document);
    }
    let cargo = std::env::var("CARGO").unwrap();
    let target = PathBuf::from(env!("CARGO_BIN_EXE_crawl")).with_file_name("documents");
    let built = Command::new(cargo)
        .args(["build", "--offline", "--quiet"])
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for (name, document, said) in wanted {
        let here = folder.join(&name);
        std::fs::create_dir(&here).unwrap();
        let ran = Command::new(target.join("debug").join(&name)).current_dir(here).output().unwrap();
        assert!(ran.status.success(), "{}, {}: {}", document, name, String::from_utf8_lossy(&ran.stderr));
        assert!(!said.is_empty(), "{}, {} says nothing", document, name);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), said, "{}, {}", document, name);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What the guide does not name nobody finds.
#[test]
fn the_guide_names_every_method_and_error() {
    let guide = std::fs::read_to_string(root().join("docs/guide-rust.md")).unwrap();
    let source = |name| std::fs::read_to_string(root().join("bindings/rust/ndc/src").join(name)).unwrap();
    let engine = source("engine.rs");
    let methods = engine.split("impl Drop for Engine").next().unwrap().split("    pub fn ").skip(1);
    let names: Vec<&str> = methods.filter_map(|rest| rest.split(['(', '<']).next()).collect();
    assert!(names.len() > 20);
    for name in names.iter().filter(|name| **name != "check_features") {
        assert!(guide.contains(&format!("{}(", name)), "{}", name);
    }
    let errors = source("error.rs");
    let variants: Vec<&str> = errors.split(" = ND_ERR_").filter_map(|rest| rest.rsplit(' ').next()).collect();
    let variants = &variants[..variants.len() - 1];
    assert_eq!(variants.len(), 10);
    for name in variants {
        assert!(guide.contains(&format!("`{}`", name)), "{}", name);
    }
}
