//! No file of a crate uses another that uses it, directly or over others.
//!
//! A name is followed to the file that defines it, over imports and `pub use`, so that a parent which only hands on what
//! its children define is no part of a circle, and a child that takes `super::Thing` depends on the parent if the
//! parent's file defines it. Names in macros are followed, too; methods are not, since they name no file.

use crate::sources::{Import, Source, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::visit::{self, Visit};

type Module = Vec<String>;

/// What the names of a file mean in it.
#[derive(Default)]
struct Scope {
    own: BTreeSet<String>,
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

/// The files of all crates, by the module that each is.
pub struct Files<'a> {
    sources: BTreeMap<Module, &'a Source>,
    scopes: BTreeMap<Module, Scope>,
}

/// What a path leads to: a module or an item, which stands in the file of a module.
#[derive(PartialEq)]
enum Target {
    Module(Module),
    Item(Module),
}

impl<'a> Files<'a> {
    pub fn of(sources: &'a [Source]) -> Self {
        let scopes = sources.iter().map(|source| (source.module.clone(), Scope::of(&source.file))).collect();
        Self { sources: sources.iter().map(|source| (source.module.clone(), source)).collect(), scopes }
    }

    /// What a path means in a module; nothing for paths of other crates, of the language and of local names.
    fn target(&self, module: &Module, path: &[String], steps: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.inside(&module[..self.sources.get(module)?.depth].to_vec(), rest, steps),
            "self" => self.inside(module, rest, steps),
            "super" => self.inside(&module[..module.len() - 1].to_vec(), rest, steps),
            _ => self.named(module, first, rest, steps),
        }
    }

    /// As [`target`](Self::target), for a path from the module on.
    fn inside(&self, module: &Module, path: &[String], steps: usize) -> Option<Target> {
        match path.split_first() {
            None => Some(Target::Module(module.clone())),
            Some((first, rest)) if first == "super" || first == "self" => {
                let up = module.len() - usize::from(first == "super");
                self.inside(&module[..up].to_vec(), rest, steps)
            }
            Some((first, rest)) => self.named(module, first, rest, steps),
        }
    }

    fn named(&self, module: &Module, name: &String, rest: &[String], steps: usize) -> Option<Target> {
        // An import may lead to itself over another file's glob.
        let steps = steps.checked_sub(1)?;
        let scope = self.scopes.get(module)?;
        let child = [&module[..], std::slice::from_ref(name)].concat();
        let is_child = self.sources.contains_key(&child);
        if is_child && !rest.is_empty() {
            return self.inside(&child, rest, steps);
        }
        if scope.own.contains(name) {
            return Some(Target::Item(module.clone()));
        }
        if let Some(path) = scope.imports.get(name) {
            // `use log::log` leads out of the crate, not back to itself.
            let outside = path.first() == Some(name);
            return if outside { None } else { self.target(module, &[path, rest].concat(), steps) };
        }
        if is_child {
            return Some(Target::Module(child));
        }
        let path = |glob: &Vec<String>| [&glob[..], std::slice::from_ref(name), rest].concat();
        scope.globs.iter().find_map(|glob| self.target(module, &path(glob), steps))
    }

    /// The files that each file uses, with what it names there first.
    pub fn uses(&self) -> BTreeMap<&'a Path, BTreeMap<&'a Path, String>> {
        let mut uses: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (module, source) in &self.sources {
            let used = uses.entry(source.path.as_path()).or_default();
            for path in Named::of(&source.file) {
                if let Some(Target::Item(other)) = self.target(module, &path, 20)
                    && other != *module
                {
                    used.entry(self.sources[&other].path.as_path()).or_insert_with(|| path.join("::"));
                }
            }
        }
        uses
    }
}

impl Scope {
    fn of(file: &syn::File) -> Self {
        let mut scope = Self::default();
        for item in &file.items {
            scope.own.extend(name(item).map(ToString::to_string));
        }
        scope.visit_file(file);
        scope
    }
}

/// The name that an item gives itself; `mod name;` is found by its file.
fn name(item: &syn::Item) -> Option<&syn::Ident> {
    match item {
        syn::Item::Const(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Macro(item) => item.ident.as_ref(),
        syn::Item::Mod(item) => item.content.as_ref().map(|_| &item.ident),
        syn::Item::Static(item) => Some(&item.ident),
        syn::Item::Struct(item) => Some(&item.ident),
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::TraitAlias(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

impl Visit<'_> for Scope {
    fn visit_item_use(&mut self, import: &syn::ItemUse) {
        for Import { path, name } in Import::of(import) {
            match name {
                Some(name) => drop(self.imports.insert(name, path)),
                None => self.globs.push(path),
            }
        }
    }

    // The names of an inline module are its own.
    fn visit_item_mod(&mut self, _: &syn::ItemMod) {}
}

/// Every path that a file uses; `pub use` only hands one on.
#[derive(Default)]
struct Named(Vec<Vec<String>>);

impl Named {
    fn of(file: &syn::File) -> Vec<Vec<String>> {
        let mut named = Self::default();
        named.visit_file(file);
        named.0
    }
}

impl<'a> Visit<'a> for Named {
    fn visit_item_use(&mut self, import: &'a syn::ItemUse) {
        if matches!(import.vis, syn::Visibility::Inherited) {
            self.0.extend(Import::of(import).into_iter().map(|import| import.path));
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.0.extend(tokens(call));
        visit::visit_macro(self, call);
    }
}

/// The circles: each is a set of files that reach each other, with the uses inside it.
pub fn circles<'a>(
    uses: &BTreeMap<&'a Path, BTreeMap<&'a Path, String>>,
) -> BTreeMap<BTreeSet<&'a Path>, Vec<String>> {
    let reached = |from: &'a Path| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            open.extend(
                uses.get(file).into_iter().flat_map(BTreeMap::keys).filter(|next| seen.insert(**next)),
            );
        }
        seen
    };
    let reached: BTreeMap<_, _> = uses.keys().map(|from| (*from, reached(from))).collect();
    let mut circles: BTreeMap<BTreeSet<&Path>, Vec<String>> = BTreeMap::new();
    for (from, used) in uses {
        for (other, path) in used.iter().filter(|(other, _)| reached[*other].contains(from)) {
            let back = |file: &&&Path| reached[**file].contains(from);
            let circle = reached[from].iter().filter(back).copied().collect();
            let line = format!("{} names {path} of {}", from.display(), other.display());
            circles.entry(circle).or_default().push(line);
        }
    }
    circles
}
