//! `cargo xtask kernels`: every `.cu` of `kernels/` to PTX, one file for each target that its first lines name.
//!
//! A kernel file names its targets in a line `// targets: compute_70 compute_90`; `kernels/FAMILY/NAME.cu` then becomes
//! `kernels/ptx/NAME.compute_70.ptx` and so on, that of `kernels/papers` in its own folder `ptx`. PTX of a lower target runs on every newer GPU. With a line
//! `// variants: A B` it becomes `kernels/ptx/NAME_A.compute_70.ptx` and so on, each compiled with `-DVARIANT_A`, so
//! that the driver need only compile the one that is used.

use crate::nvrtc::Nvrtc;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Kernels of the library, of the papers, and the planted errors that the sanitizer must find.
const FOLDERS: [(&str, &str); 3] =
    [(KERNELS, "kernels/ptx"), (PAPERS, "kernels/papers/ptx"), ("tests/gpu", "tests/gpu")];

const KERNELS: &str = "kernels";
const PAPERS: &str = "kernels/papers";

/// Compiles, and writes or compares.
pub fn run(check: bool, folder: Option<&str>) -> Result<(), String> {
    let nvrtc = Nvrtc::load(folder)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent folder")?;
    let mut wanted = BTreeMap::new();
    let headers = headers(&root.join(KERNELS))?;
    for (from, to) in FOLDERS {
        let sources = listed(&root.join(from), "cu")?.into_iter();
        let own = sources.filter(|source| from == PAPERS || !source.starts_with(root.join(PAPERS)));
        compile(&nvrtc, &headers, own, &root.join(to), &mut wanted)?;
    }
    let mut stale: Vec<PathBuf> = committed(root)?.into_iter().filter(|p| !wanted.contains_key(p)).collect();
    for (path, ptx) in &wanted {
        if fs::read_to_string(path).is_ok_and(|old| old == *ptx) {
            continue;
        }
        if check {
            stale.push(path.clone());
        } else {
            fs::create_dir_all(path.parent().unwrap_or(root)).map_err(|error| error.to_string())?;
            fs::write(path, ptx).map_err(|error| format!("{}: {error}", path.display()))?;
            println!("wrote {}", path.display());
        }
    }
    if !check {
        for path in stale.drain(..) {
            fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            println!("removed {}", path.display());
        }
    }
    if stale.is_empty() {
        println!("{} PTX files are what the kernels compile to", wanted.len());
        return Ok(());
    }
    let names: Vec<String> = stale.iter().map(|path| path.display().to_string()).collect();
    Err(format!(
        "not what the sources compile to: {}; run `cargo xtask kernels` and commit",
        names.join(", ")
    ))
}

fn compile(
    nvrtc: &Nvrtc,
    headers: &[(String, String)],
    sources: impl Iterator<Item = PathBuf>,
    to: &Path,
    wanted: &mut BTreeMap<PathBuf, String>,
) -> Result<(), String> {
    for source in sources {
        let text = fs::read_to_string(&source).map_err(|error| format!("{}: {error}", source.display()))?;
        let stem = stem(&source);
        let targets = text
            .lines()
            .find_map(|line| line.strip_prefix("// targets: "))
            .ok_or_else(|| format!("{stem}.cu has no line `// targets: ...`"))?;
        let variants = text.lines().find_map(|line| line.strip_prefix("// variants: ")).unwrap_or_default();
        let mut outputs: Vec<(String, Option<String>)> = variants
            .split_whitespace()
            .map(|variant| (format!("{stem}_{variant}"), Some(format!("-DVARIANT_{variant}"))))
            .collect();
        if outputs.is_empty() {
            outputs.push((stem.clone(), None));
        }
        for target in targets.split_whitespace() {
            let arch = format!("--gpu-architecture={target}");
            for (name, define) in &outputs {
                let mut options = vec![arch.as_str(), "--std=c++17", "-default-device"];
                options.extend(define.as_deref());
                let ptx = nvrtc.compile(&format!("{stem}.cu"), &text, headers, &options)?;
                wanted.insert(to.join(format!("{name}.{target}.ptx")), ptx);
            }
        }
    }
    Ok(())
}

fn headers(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let named = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text))
    };
    // Errors are planted in kernels by including them.
    let kernels = listed(folder, "cu")?;
    listed(folder, "cuh")?.into_iter().chain(kernels).map(named).collect()
}

fn committed(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for (_, folder) in FOLDERS {
        all.extend(listed(&root.join(folder), "ptx")?);
    }
    Ok(all)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of `folder` and of the folders in it with that extension, sorted; none if there is no such folder.
fn listed(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.is_dir() {
            files.extend(listed(&path, extension)?);
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
