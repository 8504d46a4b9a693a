//! The compiled kernels of isx's engines, as PTX text. `cargo xtask kernels` writes the files; a crate of its own brings
//! them to every engine, in the repository and from a registry alike.
//!
//! Those of the papers (`papers/`) are not listed: `isx-papers` includes their files itself.

macro_rules! files {
    ($($stem:literal: $($compute:literal),+;)+) => {
        &[$($((
            $stem,
            $compute,
            include_str!(concat!("ptx/", $stem, ".compute_", $compute, ".ptx")),
        )),+),+]
    };
}

/// Stem, compute capability and text of every kernel file.
const FILES: &[(&str, u32, &str)] = files! {
    "knapsack_ends": 70;
    "knapsack_exchange": 70;
    "knapsack_join": 70;
    "knapsack_step": 90, 70;
    "knapsack_tile": 70;
    "knapsack_walk": 70;
    "mckp_packed_x16": 90;
    "mckp_packed_x32": 90;
    "mckp_packed_x8": 90;
    "mckp_tiled_i32x12": 90, 70;
    "mckp_tiled_i32x16": 90, 70;
    "mckp_tiled_i32x32": 90, 70;
    "mckp_tiled_i32x4": 90, 70;
    "mckp_tiled_i32x8": 90, 70;
    "mckp_tiled_i64x4": 90, 70;
    "mckp_tiled_i64x8": 90, 70;
    "mckp_walk": 70;
    "resources_front": 70;
    "resources_table": 90, 70;
    "resources_walk": 70;
};

/// The text of `ptx/STEM.compute_COMPUTE.ptx`. In a constant, a file that is not listed is an error of the compiler, and
/// a program contains only the files that it names.
///
/// # Panics
///
/// If the file is not listed.
pub const fn ptx(stem: &str, compute: u32) -> &'static str {
    let mut at = 0;
    while at < FILES.len() {
        let (name, lowest, text) = FILES[at];
        if lowest == compute && is_same(name, stem) {
            return text;
        }
        at += 1;
    }
    panic!("no such kernel file")
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_by_its_name() {
        for (stem, compute, text) in FILES {
            let path = format!("{}/ptx/{stem}.compute_{compute}.ptx", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(std::fs::read_to_string(path).unwrap(), *text);
            assert_eq!(ptx(stem, *compute), *text);
            assert!(text.contains(&format!(".target sm_{compute}")), "{stem}");
        }
    }
}
