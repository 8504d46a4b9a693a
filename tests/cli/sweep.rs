//! `isx sweep`: the same bytes whoever computes them, and figures that `isx explore` confirms.

use crate::scene::Scene;

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_what_sweeps_need() {
    let scene = Scene::with("spec.yaml", "schema: isx.sweep/1\n");
    let told = "error: the records of sweeps are Parquet; this isx was built without Parquet; `cargo install --path . \
                --features full` builds it with\n";
    assert_eq!(scene.isx("sweep run spec.yaml --out o").refused(2, &[]).stderr, told);
    assert_eq!(scene.isx("sweep merge o -o o.parquet").refused(2, &[]).stderr, told);
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use super::*;
    use crate::scene::Ran;
    use isx::quantity::{Rational, format_decimal};
    use isx::sampling::Sampler;
    use isx::sweep::Record;
    use serde_json::Value;
    use std::path::Path;
    use std::time::Duration;

    const SPEC: &str = "\
schema: isx.sweep/1
seed: 2026
sets_per_point: 520
grid: {utilization: 0.9..1.3/0.2, tasks: [3, 4]}
paired: {scheduler: [edf, rm]}
recipe: {periods: [10ms, 20ms, 40ms], choices: 2, area: 1..99}
measure: [min_area, least_utilization, breakdown, points]
budgets: [0, 60.5, 150]
";

    fn merged(scene: &Scene, folders: &str) -> Vec<u8> {
        scene.isx(&format!("sweep merge {folders} -o merged.parquet")).code(0);
        std::fs::read(scene.path("merged.parquet")).unwrap()
    }

    fn records(file: &Path) -> Vec<Record> {
        let mut records = Vec::new();
        isx::sweep::stored::read(file, &mut |record| records.push(record)).unwrap();
        records
    }

    #[test]
    fn one_run_is_seven_shards_and_any_threads_and_twenty_kills() {
        let scene = Scene::with("spec.yaml", SPEC);
        let told = scene.isx("sweep run spec.yaml --out one --threads 1").code(0);
        assert_eq!(told.stdout, "All 12 chunks are in one.\n");
        assert!(told.stderr.contains("note: measured 3120 sets in "), "{}", told.stderr);
        let whole = merged(&scene, "one");
        assert_eq!(records(&scene.path("merged.parquet")).len(), 2 * 3120);
        for shard in 0..7 {
            let folder = if shard < 4 { "some" } else { "others" };
            scene.isx(&format!("sweep run spec.yaml --out {folder} --shard {shard}/7 --threads 3")).code(0);
        }
        assert!(merged(&scene, "some others") == whole);
        // Chunks that several folders have are compared.
        assert!(merged(&scene, "one others some one") == whole);

        let (mut sampler, mut partial) = (Sampler::new(7), 0);
        let run = ["sweep", "run", "spec.yaml", "--out", "killed", "--threads", "2"];
        for _ in 0..20 {
            let mut child = scene.command(&run).stdout(std::process::Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(sampler.uniform(1, 600)));
            child.kill().unwrap();
            child.wait().unwrap();
            let files = std::fs::read_dir(scene.path("killed")).into_iter().flatten();
            let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
            let ending = |wanted: &str| {
                files.iter().filter(|file| file.extension().is_some_and(|e| e == wanted)).count()
            };
            partial += ending("tmp");
            // There is always something left to do.
            if ending("parquet") > 9 {
                for chunk in 0..4 {
                    let _ = std::fs::remove_file(scene.path(format!("killed/{:08}.parquet", chunk * 3)));
                }
            }
        }
        scene.isx(&run.join(" ")).code(0);
        assert!(merged(&scene, "killed") == whole);
        let left = scene.files();
        assert!(
            left.keys().all(|file| file.extension().is_none_or(|ending| ending != "tmp")),
            "{partial} were there"
        );
        let chunks = |folder: &str| {
            left.iter()
                .filter(|(file, _)| file.starts_with(folder))
                .map(|(_, bytes)| bytes.clone())
                .collect::<Vec<_>>()
        };
        assert!(chunks("killed") == chunks("one"));
    }

    #[test]
    fn an_interrupted_run_leaves_whole_chunks_and_goes_on() {
        let scene = Scene::with("spec.yaml", SPEC);
        let run = ["sweep", "run", "spec.yaml", "--out", "o", "--threads", "1"];
        let child = scene.command(&run).stdout(std::process::Stdio::null()).spawn().unwrap();
        while std::fs::read_dir(scene.path("o")).map_or(0, Iterator::count) < 3 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130));
        let status = scene.isx("sweep status o --json").code(0).json();
        let done = status["done"].as_u64().unwrap();
        assert!((1..12).contains(&done), "{status}");
        assert_eq!(status["missing"].as_array().unwrap().len() as u64, 12 - done);
        let refused = scene.isx("sweep merge o -o m.parquet").refused(2, &[]);
        assert!(
            refused.stderr.starts_with(&format!("error: {} of 12 chunks are missing (", 12 - done)),
            "{}",
            refused.stderr
        );
        let later = scene.isx("sweep run spec.yaml --out o --max-time 1s --shard 11/12").code(0);
        assert!(
            later.stdout.contains(" of 12 chunks are in o; ")
                && later.stdout.ends_with(", 0 of them in this share.\n")
        );
    }

    fn exact(value: &Value) -> Rational {
        let part = |name: &str| value[name].as_str().unwrap().parse().unwrap();
        Rational::new(part("num"), part("den"))
    }

    #[test]
    fn records_are_what_explore_says_of_the_set_that_show_prints() {
        let scene = Scene::with("spec.yaml", SPEC);
        scene.isx("sweep run spec.yaml --out o").code(0);
        merged(&scene, "o");
        let records = records(&scene.path("merged.parquet"));
        let (mut sampler, mut between, mut none) = (Sampler::new(3), 0, 0);
        for _ in 0..40 {
            let record = sampler.pick(&records).unwrap();
            let (point, index) = (record.point, record.index);
            let with = ["", " --with scheduler=rm"][record.pair as usize];
            scene.isx(&format!("sweep show spec.yaml --set {point}:{index}{with} -o set.yaml")).code(0);
            let text = scene.read("set.yaml");
            assert_eq!(text.contains("\nscheduler: rm\n"), record.pair == 1);
            let command = text.lines().find_map(|line| line.strip_prefix("#   isx ")).unwrap();
            assert_eq!(scene.isx(command).code(0).stdout, text, "the command in its header makes it again");
            let front = scene.isx("explore set.yaml --json").code(0).json();
            assert_eq!(exact(&front["base"]["utilization"]), record.utilization, "{record:?}");
            let smallest = front["min_schedulable_area"].as_str().map(str::to_owned);
            assert_eq!(smallest, record.min_area.as_ref().map(format_decimal), "{record:?}");
            let points = front["points"].as_array().unwrap();
            assert_eq!(Some(points.len() as u64), record.points);
            assert_eq!(Some(exact(&points.last().unwrap()["utilization"])), record.least_utilization);
            for (budget, accepted) in ["0", "60.5", "150"].iter().zip(&record.accepted) {
                let code = if *accepted == Some(true) { 0 } else { 1 };
                scene.isx(&format!("check set.yaml --area {budget}")).code(code);
            }
            // At breakdown the software-only design is at its margin.
            let shown = scene.isx("show set.yaml --area 0 --json").code(0).json();
            if front["points"][0]["area"] == "0"
                && front["base"]["utilization"] == front["points"][0]["utilization"]
            {
                let margin = exact(&shown["margin"]);
                assert_eq!(&record.utilization * margin, record.breakdown.clone().unwrap(), "{shown}");
                between += 1;
            }
            none += usize::from(record.min_area.is_none());
        }
        assert!(between > 30 && none < 30, "{between} margins, {none} that no design schedules");
    }

    #[test]
    fn a_changed_byte_of_a_chunk_is_found_wherever_it_is() {
        let small = SPEC.replace("520", "5").replace("0.9..1.3/0.2", "[1.1]");
        let scene = Scene::with("spec.yaml", &small);
        scene.isx("sweep run spec.yaml --out o").code(0);
        let whole = merged(&scene, "o");
        let file = scene.path("o/00000001.parquet");
        let bytes = std::fs::read(&file).unwrap();
        for at in (0..bytes.len()).step_by(bytes.len() / 60) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x20;
            std::fs::write(&file, changed).unwrap();
            let told = scene
                .isx("sweep merge o -o merged.parquet")
                .refused(7, &["error: `o/00000001.parquet` is "])
                .stderr;
            assert!(
                told.ends_with("; delete it, and run the sweep again to compute that chunk\n"),
                "{at}: {told}"
            );
        }
        assert!(std::fs::read(scene.path("merged.parquet")).unwrap() == whole, "the old file is as it was");
        std::fs::write(&file, std::fs::read(scene.path("o/00000000.parquet")).unwrap()).unwrap();
        assert_eq!(
            scene.isx("sweep merge o -o x.parquet").refused(7, &[]).stderr,
            "error: `o/00000001.parquet` is chunk 0, not 1; delete it, and run the sweep again to compute that chunk\n"
        );
        std::fs::remove_file(&file).unwrap();
        scene.isx("sweep run spec.yaml --out o").code(0);
        assert!(merged(&scene, "o") == whole);
        scene.write("o/sweep.yaml", scene.read("o/sweep.yaml").replace("2026", "2027"));
        assert_eq!(
            scene.isx("sweep status o").refused(7, &[]).stderr,
            "error: `o/sweep.yaml` was changed after isx wrote it: name another folder, or delete this one\n"
        );
    }

    #[test]
    fn a_folder_holds_one_sweep() {
        let scene = Scene::with("spec.yaml", SPEC);
        scene.write("other.yaml", SPEC.replace("[3, 4]", "[3, 5]"));
        scene.write(
            "same.yaml",
            SPEC.replace("0.9..1.3/0.2", "[0.90, 1.1, 1.30]").replace("2, area", "2 , area"),
        );
        let nothing = "--max-time 1s --shard 1000/1001";
        scene.isx(&format!("sweep run spec.yaml --out o {nothing}")).code(0);
        scene.isx(&format!("sweep run same.yaml --out o {nothing}")).code(0);
        assert_eq!(
            scene.isx(&format!("sweep run other.yaml --out o {nothing}")).refused(2, &[]).stderr,
            "error: `o` holds another sweep: `tasks: [3, 4]` is there, `tasks: [3, 5]` was asked for; name another folder, \
             or delete this one\n"
        );
        scene.isx(&format!("sweep run other.yaml --out p {nothing}")).code(0);
        assert_eq!(
            scene.isx("sweep merge o p -o x.parquet").refused(2, &[]).stderr,
            "error: `p` is another sweep than `o`: their `sweep.yaml` differ\n"
        );
        assert_eq!(
            scene.isx("sweep status none").refused(2, &[]).stderr,
            "error: `none/sweep.yaml` is not there: `isx sweep run` makes the folder of a sweep\n"
        );
        let told = scene.isx("sweep status o").code(0).stdout;
        assert_eq!(told, "chunks   0 of 12 done\nsets     0 of 3120 done\nmissing  0-11\n");
    }

    #[test]
    fn files_are_measured_as_they_are_and_under_other_schedulers() {
        let scene = Scene::small();
        scene.write("short.yaml", "{name: short, tasks: [{name: a, wcet: 3, period: 9, deadline: 5}, {name: b, wcet: 3, period: 10, deadline: 5}]}");
        scene.write("spec.yaml", "schema: isx.sweep/1\nfiles: [small.yaml, \"s*t.yaml\"]\npaired: {scheduler: [edf, dm]}\nmeasure: [min_area, breakdown]\nbudgets: [1.25]\n");
        scene.isx("sweep run spec.yaml --out o").code(0);
        merged(&scene, "o");
        let records = records(&scene.path("merged.parquet"));
        let told = |record: &Record| {
            let area = record.min_area.as_ref().map(format_decimal);
            (
                record.index,
                record.pair,
                area,
                record.accepted[0],
                record.breakdown.clone().unwrap().to_string(),
            )
        };
        let expected = [
            (0, 0, Some("1.25".to_owned()), Some(true), "1".to_owned()),
            (0, 1, Some("4.25".to_owned()), Some(false), "6/7".to_owned()),
            (1, 0, None, Some(false), "19/36".to_owned()),
            (1, 1, None, Some(false), "19/36".to_owned()),
        ];
        assert_eq!(records.iter().map(told).collect::<Vec<_>>(), expected);
        assert_eq!(scene.isx("sweep show spec.yaml --set 0:0").code(0).stdout, crate::scene::SMALL);
        scene.write("small.yaml", crate::scene::SMALL.replace("4 ms", "3 ms"));
        let spec: &str = &scene.read("o/sweep.yaml");
        scene.write("again.yaml", spec);
        assert_eq!(
            scene.isx("sweep run again.yaml --out p").refused(2, &[]).stderr,
            "error: small.yaml: the file is another one than when the sweep began; put the old one back, or begin the sweep \
             in another folder\n"
        );
    }

    #[test]
    fn wrong_arguments_are_refused_in_words() {
        let scene = Scene::with("spec.yaml", SPEC);
        let told = |line: &str| -> Ran { scene.isx(line).refused(2, &[]) };
        assert!(
            told("sweep run spec.yaml --out o --shard 7/7")
                .stderr
                .contains("of 7 shares the last is 6/7: they are numbered from 0")
        );
        assert!(
            told("sweep run spec.yaml --out o --max-time 5")
                .stderr
                .contains("write a whole number with s, min or h, such as 30min")
        );
        assert_eq!(
            told("sweep show spec.yaml --set 6:0").stderr,
            "error: there is no point 6: they are numbered 0 to 5\n"
        );
        assert_eq!(
            told("sweep show spec.yaml --set 5:520").stderr,
            "error: there is no set 520: they are numbered 0 to 519\n"
        );
        assert_eq!(
            told("sweep show spec.yaml --set 0:0 --with scheduler=dm").stderr,
            "error: `scheduler` has no value `dm`: `edf`, `rm`\n"
        );
        assert!(scene.isx("schema sweep").code(0).stdout.contains("\"isx.sweep/1\""));
    }
}
