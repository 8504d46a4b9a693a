//! A program that is told to terminate removes its unfinished files. This is the only test in its program, because it
//! cannot be undone.

use isx::report::files::{remove_unfinished, write_whole};
use std::io::ErrorKind;

#[test]
fn unfinished_files_are_removed_and_none_comes_after() {
    let root = tempfile::tempdir().unwrap();
    let count = || std::fs::read_dir(root.path()).unwrap().count();
    let path = root.path().join("front.json");
    write_whole(&path, |out| out.write_all(b"old")).unwrap();
    let result = write_whole(&path, |out| {
        out.write_all(b"new")?;
        out.flush()?;
        assert_eq!(count(), 2, "the file and its successor to be");
        std::thread::scope(|scope| scope.spawn(remove_unfinished).join().unwrap());
        assert_eq!(count(), 1);
        Ok(())
    });
    assert!(result.is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    let error = write_whole(&root.path().join("other"), |_| Ok(())).unwrap_err();
    assert_eq!(error.cause().kind(), ErrorKind::Interrupted);
    assert_eq!(count(), 1);
}
