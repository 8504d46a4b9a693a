//! The sources of all crates as a Rust parser reads them, without their tests.

use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// A source file: its path below `src` without the ending, and its content without tests.
pub struct Source {
    pub path: PathBuf,
    /// The crate and the module's path in it, `["mckp", "dense", "row"]` for `mckp/dense/row.rs`.
    pub module: Vec<String>,
    /// How many names at its beginning are those of the crate's folder.
    pub depth: usize,
    pub file: syn::File,
}

/// Whether an attribute leaves an item to tests.
fn is_test(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
}

/// The sources of every crate below a folder.
pub fn sources_below(root: &Path) -> Vec<Source> {
    let outside = |path: &PathBuf| {
        !matches!(path.file_name().unwrap().to_str(), Some("tests.rs" | "testing.rs"))
            && path.parent() != Some(root)
            && !path.starts_with(root.join("bench/tests"))
    };
    let files = rust_files(root).into_iter().filter(outside);
    files.map(|path| source(root, path)).collect()
}

/// Every Rust file below a folder, in order.
pub fn rust_files(root: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(ending) if ending == "rs" => paths.push(path),
                _ => {}
            }
        }
    }
    paths.sort();
    paths
}

fn source(root: &Path, path: PathBuf) -> Source {
    let mut file = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
    file.items.retain(|item| match item {
        syn::Item::Mod(module) => !module.attrs.iter().any(is_test),
        syn::Item::Use(import) => !import.attrs.iter().any(is_test),
        _ => true,
    });
    let is_crate = |folder: &&Path| ["lib.rs", "main.rs"].iter().any(|file| folder.join(file).exists());
    let its_crate = path.ancestors().skip(1).find(is_crate).unwrap();
    let depth = its_crate.strip_prefix(root).unwrap().iter().count();
    let inside = path.strip_prefix(root).unwrap().with_extension("");
    let mut module: Vec<String> = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if matches!(module.last().unwrap().as_str(), "mod" | "lib" | "main") {
        module.pop();
    }
    Source { path: inside, module, depth, file }
}

/// A path that a `use` brings in, and the name that it has then; none where it brings in all names behind it.
pub struct Import {
    pub path: Vec<String>,
    pub name: Option<String>,
}

impl Import {
    pub fn of(import: &syn::ItemUse) -> Vec<Self> {
        let mut imports = Vec::new();
        Self::tree(&mut imports, &[], &import.tree);
        imports
    }

    fn tree(imports: &mut Vec<Self>, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        let (path, name) = match tree {
            syn::UseTree::Path(path) => return Self::tree(imports, &with(&path.ident), &path.tree),
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| Self::tree(imports, before, tree));
            }
            syn::UseTree::Name(name) if name.ident == "self" => (before.to_vec(), before.last().cloned()),
            syn::UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            syn::UseTree::Rename(name) if name.ident == "self" => {
                (before.to_vec(), Some(name.rename.to_string()))
            }
            syn::UseTree::Rename(name) => (with(&name.ident), Some(name.rename.to_string())),
            syn::UseTree::Glob(_) => (before.to_vec(), None),
        };
        imports.push(Self { path, name });
    }
}

/// The paths among the words of a macro's call.
pub fn tokens(call: &syn::Macro) -> Vec<Vec<String>> {
    let text = call.tokens.to_string().replace(" :: ", "::");
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let paths = words.map(|word| word.trim_matches(':')).filter(|word| !word.is_empty());
    paths.map(|path| path.split("::").map(str::to_owned).collect()).collect()
}

/// Collects every path that a file names, in imports and elsewhere, with grouped imports expanded.
#[derive(Default)]
pub struct Paths(Vec<Vec<String>>);

impl Paths {
    pub fn of(file: &syn::File) -> Vec<Vec<String>> {
        let mut paths = Self::default();
        paths.visit_file(file);
        paths.0
    }
}

impl<'a> Visit<'a> for Paths {
    fn visit_item_use(&mut self, import: &'a syn::ItemUse) {
        self.0.extend(Import::of(import).into_iter().map(|import| import.path));
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    // The `crate` of `pub(crate)` is no import.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}
}

/// The path starting at its crate, if it is one of isx.
pub fn resolved(module: &[String], path: &[String]) -> Option<Vec<String>> {
    match path.first()?.as_str() {
        "crate" => Some([&module[..1], &path[1..]].concat()),
        name if name.starts_with("isx_") => Some([&[name[4..].to_owned()], &path[1..]].concat()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            let kept = module.len().checked_sub(ups).filter(|&kept| kept > 0)?;
            Some([&module[..kept], &path[ups..]].concat())
        }
        _ => None,
    }
}
