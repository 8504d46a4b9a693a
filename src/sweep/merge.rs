//! All chunks as one file, in the order of point, set and paired value: the same bytes whoever computed them.

use crate::folder::{Folder, in_ranges};
use crate::record::Record;
use crate::spec::{Spec, SweepError};
use crate::stored::{Writer, read_chunk};
use isx_report::files::Staged;
use std::fs;
use std::path::{Path, PathBuf};

/// Merges the chunks of these folders into `out`, and returns how many records it has. `progress` receives the number of
/// chunks that are done. A chunk that several folders have must be the same in all.
///
/// # Errors
///
/// If the folders belong to several sweeps, a chunk is missing or damaged, or the file cannot be written: then it is as it
/// was before.
pub fn merge(folders: &[PathBuf], out: &Path, progress: &dyn Fn(u64, u64)) -> Result<u64, SweepError> {
    let mut opened: Vec<(Folder, Vec<bool>)> = Vec::new();
    let mut spec: Option<Spec> = None;
    for path in folders {
        let (folder, own) = Folder::open(path)?;
        match &spec {
            Some(first) if first.sha256() != own.sha256() => {
                let first = folders[0].display();
                let message = format!(
                    "`{}` is another sweep than `{first}`: their `sweep.yaml` differ",
                    path.display()
                );
                return Err(SweepError::Asked(message));
            }
            _ => {}
        }
        let done = folder.done(&own)?;
        opened.push((folder, done));
        spec.get_or_insert(own);
    }
    let spec = spec.ok_or_else(|| SweepError::Asked("name the folder of a sweep".to_owned()))?;
    let is_done = |chunk: u64| opened.iter().any(|(_, done)| done[chunk as usize]);
    let missing: Vec<u64> = (0..spec.chunks()).filter(|&chunk| !is_done(chunk)).collect();
    if !missing.is_empty() {
        return Err(SweepError::Asked(format!(
            "{} of {} chunks are missing ({}): run the sweep to its end, or name the other folders that it was written to",
            missing.len(),
            spec.chunks(),
            in_ranges(&missing)
        )));
    }
    let (mut records, mut failed) = (0, None);
    let staged = Staged::write(out, true, |out| {
        let mut writer = Writer::new(&spec, out)?;
        for chunk in 0..spec.chunks() {
            match one_chunk(&spec, &opened, chunk) {
                Ok(own) => {
                    records += own.len() as u64;
                    writer.add(own)?;
                }
                Err(error) => {
                    failed = Some(error);
                    return Err(std::io::Error::other("a chunk is not as it was written"));
                }
            }
            progress(chunk + 1, spec.chunks());
        }
        writer.finish()
    });
    if let Some(error) = failed {
        return Err(error);
    }
    staged?.put_in_place()?;
    Ok(records)
}

/// The records of a chunk, which all folders that have it must agree on.
fn one_chunk(spec: &Spec, folders: &[(Folder, Vec<bool>)], chunk: u64) -> Result<Vec<Record>, SweepError> {
    let files = folders.iter().filter(|(_, done)| done[chunk as usize]).map(|(folder, _)| folder.file(chunk));
    let mut first: Option<(PathBuf, Vec<u8>)> = None;
    let mut records = Vec::new();
    for file in files {
        let bytes = fs::read(&file);
        let bytes = bytes.map_err(|error| SweepError::Asked(format!("{}: {error}", file.display())))?;
        match &first {
            None => {
                records = read_chunk(spec, chunk, &file, bytes.clone())?;
                first = Some((file, bytes));
            }
            Some((_, same)) if *same == bytes => {}
            Some((other, _)) => {
                // If it is damaged, that is what is said.
                read_chunk(spec, chunk, &file, bytes)?;
                return Err(SweepError::Damaged(format!(
                    "`{}` and `{}` differ, and neither is damaged: different versions of isx computed them; delete one",
                    other.display(),
                    file.display()
                )));
            }
        }
    }
    Ok(records)
}
