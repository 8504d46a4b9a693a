//! Archives, packed and unpacked: `.tar.gz`, which Windows reads too since 2018. The same files give the same bytes.

use super::File;
use flate2::{Compression, GzBuilder, read::GzDecoder};
use std::io;
use std::path::Path;

/// Packs files, all of them changed at this time.
///
/// # Errors
///
/// If a file has a name that the format cannot hold.
pub fn pack(files: &[File], seconds: u64) -> io::Result<Vec<u8>> {
    let gzip = GzBuilder::new().write(Vec::new(), Compression::best());
    let mut tar = tar::Builder::new(gzip);
    for file in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(file.bytes.len() as u64);
        header.set_mode(file.mode());
        header.set_mtime(seconds);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, &file.path, file.bytes.as_slice())?;
    }
    tar.into_inner()?.finish()
}

/// Unpacks an archive into an empty folder.
///
/// # Errors
///
/// If the archive is damaged, or a file cannot be written.
pub fn unpack(archive: &[u8], folder: &Path) -> io::Result<()> {
    tar::Archive::new(GzDecoder::new(archive)).unpack(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unpacked_is_what_was_packed() {
        let program = File { path: "isx-1/isx".into(), bytes: vec![7; 100_000], is_program: true };
        let files = [program, File::text("isx-1/tasksets/a.yaml", "name: a\n")];
        let packed = pack(&files, 1_700_000_000).unwrap();
        assert!(packed.len() < 2000, "{} bytes", packed.len());
        assert_eq!(packed, pack(&files, 1_700_000_000).unwrap());
        let folder = tempfile::tempdir().unwrap();
        unpack(&packed, folder.path()).unwrap();
        for file in files {
            let path = folder.path().join(&file.path);
            assert_eq!(std::fs::read(&path).unwrap(), file.bytes, "{}", file.path);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = std::fs::metadata(&path).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, file.mode(), "{}", file.path);
            }
        }
        let half = &packed[..packed.len() / 2];
        assert!(unpack(half, tempfile::tempdir().unwrap().path()).is_err(), "a damaged archive");
    }
}
