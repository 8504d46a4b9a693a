//! Sweeps on the GPU: the same bytes as on the processor.

use crate::harness::*;
use isx::machine::Machine;
use isx::sweep::folder::{Folder, Ran, Run, missing};
use isx::sweep::{Spec, chunk};
use std::path::Path;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    on_gpu(
        "sweep",
        &tests![chunks_have_the_bytes_of_the_processor, two_workers_of_one_gpu_write_the_same_files],
    )
}

fn spec(sets: u64) -> Spec {
    let text = format!(
        "{{schema: isx.sweep/1, seed: 11, sets_per_point: {sets}, grid: {{utilization: [0.9, 1.3], tasks: [3, 12, 60], \
         savings: ['uncorrelated:0.05..0.60', 'correlated:0.05..0.60']}}, recipe: {{periods: automotive, choices: 0..12}}, \
         paired: {{scheduler: [edf, rm]}}, measure: [min_area, least_utilization], budgets: [900, 4000], steps: 1000}}"
    );
    Spec::read("sweep.yaml", text.as_bytes(), Path::new("")).unwrap()
}

fn chunks_have_the_bytes_of_the_processor() {
    let (spec, machine) = (spec(40), Machine::default().with_threads(1));
    for number in 0..spec.chunks() {
        let [alone, together] =
            [false, true].map(|on_gpu| chunk::bytes(&spec, number, &machine, on_gpu, &|| true).unwrap());
        assert!(alone == together, "chunk {number}");
    }
}

fn two_workers_of_one_gpu_write_the_same_files() {
    let spec = spec(600);
    let written = |gpus: &[Machine], threads: usize| -> Vec<Vec<u8>> {
        let room = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(room.path(), &spec).unwrap();
        let chunks = missing(&folder, &spec, (0, 1)).unwrap();
        let run = Run {
            spec: &spec,
            folder: &folder,
            share: (0, 1),
            until: None,
            threads,
            gpus,
            progress: &|_| {},
        };
        assert_eq!(run.compute(&chunks).unwrap(), Ran { sets: 12 * 600, left: 0 });
        chunks.iter().map(|&chunk| std::fs::read(folder.file(chunk)).unwrap()).collect()
    };
    let alone = written(&[], 2);
    let gpu = || Machine::default().with_gpu(0);
    assert!(written(&[gpu()], 4) == alone);
    assert!(written(&[gpu(), gpu()], 1) == alone);
}
