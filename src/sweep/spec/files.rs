//! The files that a specification names, and the digest of bytes.

use sha2::{Digest, Sha256};
use std::path::Path;

/// The files of a name, in order: of a folder all that end in `.yaml` or `.yml`; a `*` in the last part of the name
/// stands for any characters. None if there is no such file.
pub fn files_in(folder: &Path, name: &str) -> Vec<String> {
    let path = folder.join(name);
    let (inside, pattern) = match name.rsplit_once('/') {
        _ if path.is_dir() => (format!("{}/", name.trim_end_matches('/')), None),
        Some((inside, pattern)) => (format!("{inside}/"), Some(pattern)),
        None => (String::new(), Some(name)),
    };
    let Some(pattern) = pattern.filter(|pattern| pattern.contains('*') || !path.is_dir()) else {
        return listed(folder, &inside, &|name| name.ends_with(".yaml") || name.ends_with(".yml"));
    };
    match pattern.contains('*') {
        true => listed(folder, &inside, &|name| matches(pattern, name)),
        false if path.is_file() => vec![name.to_owned()],
        false => Vec::new(),
    }
}

fn listed(folder: &Path, inside: &str, is_wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let listed = folder.join(inside);
    let listed = if listed.as_os_str().is_empty() { Path::new(".") } else { &listed };
    let entries = std::fs::read_dir(listed).into_iter().flatten().filter_map(Result::ok);
    let names = entries
        .filter(|entry| !entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_wanted(name)).collect();
    names.sort();
    names.iter().map(|name| format!("{inside}{name}")).collect()
}

/// Whether a name is this pattern, in which `*` stands for any characters. As shells do, it does not match hidden files.
fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let mut parts = pattern.split('*');
    let (Some(first), Some(mut rest)) =
        (parts.next(), name.strip_prefix(pattern.split('*').next().unwrap_or("")))
    else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return first == name };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
