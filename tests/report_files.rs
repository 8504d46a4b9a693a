//! Files appear complete or not at all, whatever fails.

use isx::report::files::{WriteError, check_writable, output_directory, write_whole};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The names in a directory.
#[allow(clippy::unwrap_used)]
fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn text(content: &'static str) -> impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()> {
    move |out| out.write_all(content.as_bytes())
}

/// Writes half of a file and then fails as if the disk were full.
fn half_then_full(out: &mut (dyn Write + Send)) -> io::Result<()> {
    out.write_all(&vec![b'x'; 100_000])?;
    out.flush()?;
    Err(ErrorKind::StorageFull.into())
}

#[test]
fn a_file_is_written_whole_and_its_directory_made() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a/b/front.json");
    write_whole(&path, text("first")).unwrap();
    write_whole(&path, text("second")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "second");
    assert_eq!(names(path.parent().unwrap()), ["front.json"]);
}

#[test]
fn a_failing_write_leaves_the_old_file_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("front.json");
    let error = write_whole(&path, half_then_full).unwrap_err();
    assert_eq!(error.cause().kind(), ErrorKind::StorageFull);
    assert_eq!(names(root.path()), [""; 0]);
    write_whole(&path, text("old")).unwrap();
    let error = write_whole(&path, half_then_full).unwrap_err();
    assert!(matches!(&error, WriteError::File { path: named, .. } if *named == path));
    assert!(error.to_string().contains("front.json"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(root.path()), ["front.json"]);
}

#[test]
fn the_old_file_stands_until_the_new_one_is_complete() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("front.csv");
    write_whole(&path, text("old")).unwrap();
    let seen = path.clone();
    write_whole(&path, move |out| {
        out.write_all(b"new")?;
        out.flush()?;
        assert_eq!(fs::read_to_string(&seen).unwrap(), "old");
        Ok(())
    })
    .unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
}

#[test]
fn a_panicking_exporter_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("front.svg");
    let result = std::panic::catch_unwind(|| write_whole(&path, |_| panic!("in the exporter")));
    assert!(result.is_err());
    assert_eq!(names(root.path()), [""; 0]);
}

#[test]
fn what_cannot_hold_files_is_refused_before_and_at_writing() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "keep").unwrap();
    for path in [file.clone(), file.join("below"), file.join("below/deeper")] {
        let error = check_writable(&path).unwrap_err();
        assert!(matches!(error, WriteError::Directory { .. }), "{error}");
    }
    assert!(write_whole(&file.join("front.json"), text("x")).is_err());
    assert!(write_whole(root.path(), text("x")).is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "keep");
    assert_eq!(names(root.path()), ["file"]);
}

#[test]
fn checking_leaves_no_trace() {
    let root = tempfile::tempdir().unwrap();
    check_writable(root.path()).unwrap();
    check_writable(&root.path().join("to/be/made")).unwrap();
    assert_eq!(names(root.path()), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_takes_no_files_is_refused() {
    // Not even root can create files here, so the test is valid for every user.
    for path in ["/proc", "/proc/new"] {
        assert!(matches!(check_writable(Path::new(path)), Err(WriteError::Directory { .. })), "{path}");
        let file = PathBuf::from(path).join("front.json");
        assert!(write_whole(&file, text("x")).is_err(), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_keeps_its_file() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("locked");
    fs::create_dir(&directory).unwrap();
    let path = directory.join("front.json");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(directory.join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write in read-only directories");
        return;
    }
    assert_eq!(check_writable(&directory).unwrap_err().cause().kind(), ErrorKind::PermissionDenied);
    assert!(write_whole(&path, text("new")).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_as_they_are() {
    write_whole(Path::new("/dev/null"), text("x")).unwrap();
    let error = write_whole(Path::new("/dev/full"), text("x")).unwrap_err();
    assert_eq!(error.cause().kind(), ErrorKind::StorageFull);
    assert!(Path::new("/dev/full").exists());
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_the_umask_is_respected() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    let plain = root.path().join("plain");
    fs::write(&plain, "").unwrap();
    let target = root.path().join("target");
    fs::write(&target, "old").unwrap();
    let link = root.path().join("link");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    write_whole(&link, text("new")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&plain));
}

#[test]
fn names_in_a_file_never_form_a_path() {
    let root = Path::new("output");
    assert_eq!(output_directory(root, Path::new("/sets/aes.v2.yaml")), Path::new("output/aes.v2"));
    assert_eq!(output_directory(root, Path::new("..")), Path::new("output/taskset"));
    assert_eq!(output_directory(root, Path::new("../../x.yaml")), Path::new("output/x"));
}
