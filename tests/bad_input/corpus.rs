//! The fuzzer's seeds and findings pass the same checks here, on any compiler.

use crate::checks::ALL;
use std::path::{Path, PathBuf};

fn files(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(kind);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_file_of_the_corpus_passes_its_check() {
    for (kind, check) in ALL {
        let files = files(kind);
        assert!(files.len() >= 5, "{kind} has {} seeds", files.len());
        for file in &files {
            let bytes = std::fs::read(file).unwrap();
            println!("{}", file.display());
            check(&bytes);
        }
    }
}
