//! `isx sweep`: the same bytes whoever computes them, and figures that `isx explore` confirms.

use crate::scene::Scene;

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_what_sweeps_need() {
    let scene = Scene::with("spec.yaml", "schema: isx.sweep/1\n");
    let printed = "error: the records of sweeps are Parquet; this isx was built without Parquet; `cargo install --path . \
                --features full` builds it with\n";
    assert_eq!(scene.isx("sweep run spec.yaml --out o").refused(2, &[]).stderr, printed);
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use super::*;
    use crate::scene::Ran;
    use isx::quantity::Rational;
    use isx::sampling::Sampler;
    use isx::sweep::parquet::file::reader::{FileReader, SerializedFileReader};
    use isx::sweep::parquet::record::Field;
    use serde_json::Value;
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

    /// The names and bytes of the chunks in a folder.
    fn chunks(scene: &Scene, folder: &str) -> Vec<(String, Vec<u8>)> {
        let files = scene.files();
        let inside = files.iter().filter_map(|(file, bytes)| {
            Some((file.strip_prefix(folder).ok()?.to_str()?.to_owned(), bytes.clone()))
        });
        inside.collect()
    }

    fn reader(scene: &Scene, folder: &str, name: &str) -> SerializedFileReader<std::fs::File> {
        SerializedFileReader::new(std::fs::File::open(scene.path(folder).join(name)).unwrap()).unwrap()
    }

    /// What a chunk says of itself.
    fn key(scene: &Scene, folder: &str, name: &str, key: &str) -> String {
        let keys =
            reader(scene, folder, name).metadata().file_metadata().key_value_metadata().unwrap().clone();
        keys.into_iter().find(|own| own.key == key).and_then(|own| own.value).unwrap()
    }

    /// The records of all chunks in a folder, each as JSON.
    fn rows(scene: &Scene, folder: &str) -> Vec<Value> {
        let value = |field: &Field| match field {
            Field::Null => Value::Null,
            Field::Bool(flag) => Value::from(*flag),
            Field::Long(number) => Value::from(*number),
            Field::Str(text) => Value::from(text.as_str()),
            other => Value::from(other.to_string()),
        };
        let mut rows = Vec::new();
        for (name, _) in chunks(scene, folder) {
            for row in reader(scene, folder, &name).get_row_iter(None).unwrap() {
                let row = row.unwrap();
                rows.push(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect());
            }
        }
        rows
    }

    #[test]
    fn one_run_is_seven_shards_and_any_threads_and_twenty_kills() {
        let scene = Scene::with("spec.yaml", SPEC);
        let printed = scene.isx("sweep run spec.yaml --out one --threads 1").code(0);
        assert_eq!(printed.stdout, "All 12 chunks are in one.\n");
        assert!(printed.stderr.contains("note: measured 3120 sets in "), "{}", printed.stderr);
        let whole = chunks(&scene, "one");
        assert_eq!((whole.len(), rows(&scene, "one").len()), (12, 2 * 3120));
        let names: Vec<&str> = whole.iter().map(|(name, _)| name.as_str()).collect();
        let (sweep, _) = names[0].split_once('-').unwrap();
        let wanted: Vec<String> = (0..12).map(|chunk| format!("{sweep}-{chunk:06}.parquet")).collect();
        assert_eq!(names, wanted);
        // Each names its sweep and its number inside, too.
        for (number, name) in names.iter().enumerate() {
            let key = |wanted: &str| key(&scene, "one", name, wanted);
            assert_eq!((key("isx.chunk"), key("isx.schema")), (number.to_string(), "isx.sweep/1".to_owned()));
            assert!(key("isx.sweep").starts_with("schema: isx.sweep/1\nseed: 2026\n"));
        }
        for shard in 0..7 {
            let folder = if shard < 4 { "some" } else { "others" };
            scene.isx(&format!("sweep run spec.yaml --out {folder} --shard {shard}/7 --threads 3")).code(0);
        }
        let mut both = [chunks(&scene, "some"), chunks(&scene, "others")].concat();
        both.sort();
        assert!(both == whole);

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
                for name in wanted.iter().step_by(3) {
                    let _ = std::fs::remove_file(scene.path(format!("killed/{name}")));
                }
            }
        }
        scene.isx(&run.join(" ")).code(0);
        assert!(chunks(&scene, "killed") == whole, "{partial} were there half written");
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
        let whole = chunks(&scene, "o").iter().filter(|(name, _)| name.ends_with(".parquet")).count();
        assert!((1..12).contains(&whole), "{whole}");
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
        let records = rows(&scene, "o");
        let (mut sampler, mut between, mut none) = (Sampler::new(3), 0, 0);
        for _ in 0..40 {
            let record = sampler.pick(&records).unwrap();
            let (point, index) = (&record["point"], &record["index"]);
            let is_rm = record["scheduler"] == "rm";
            let with = if is_rm { " --with scheduler=rm" } else { "" };
            scene.isx(&format!("sweep show spec.yaml --set {point}:{index}{with} -o set.yaml")).code(0);
            let text = scene.read("set.yaml");
            assert_eq!(text.contains("\nscheduler: rm\n"), is_rm);
            let command = text.lines().find_map(|line| line.strip_prefix("#   isx ")).unwrap();
            assert_eq!(scene.isx(command).code(0).stdout, text, "the command in its header makes it again");
            let front = scene.isx("explore set.yaml --json").code(0).json();
            let fraction =
                |name: &str| (record[format!("{name}_num")].clone(), record[format!("{name}_den")].clone());
            let of =
                |design: &Value| (design["utilization"]["num"].clone(), design["utilization"]["den"].clone());
            assert_eq!(of(&front["base"]), fraction("utilization"), "{record}");
            for column in ["min_area", "min_area_low", "min_area_high"] {
                assert_eq!(front["min_schedulable_area"], record[column], "{record}");
            }
            let points = front["points"].as_array().unwrap();
            assert_eq!(Some(points.len() as u64), record["points"].as_u64());
            assert_eq!(of(points.last().unwrap()), fraction("least_utilization"));
            assert_eq!(record["accepted_any"].as_bool(), Some(!record["min_area"].is_null()));
            for budget in ["0", "60.5", "150"] {
                let accepted = record[format!("accepted_{budget}")].as_bool().unwrap();
                scene.isx(&format!("check set.yaml --area {budget}")).code(i32::from(!accepted));
                assert!(!accepted || record["accepted_any"] == true);
            }
            // At breakdown the software-only design is at its margin.
            let shown = scene.isx("show set.yaml --area 0 --json").code(0).json();
            if front["points"][0]["area"] == "0"
                && front["base"]["utilization"] == front["points"][0]["utilization"]
            {
                let margin = exact(&shown["margin"]);
                let breakdown = (exact(&front["base"]["utilization"]) * margin).to_string();
                for column in ["breakdown", "breakdown_low", "breakdown_high"] {
                    assert_eq!(record[column], breakdown.as_str(), "{shown}");
                }
                between += 1;
            }
            none += usize::from(record["min_area"].is_null());
        }
        assert!(between > 30 && none < 30, "{between} margins, {none} that no design schedules");
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
        scene.isx("sweep run spec.yaml --out o --shard 11/12").code(0);
        let there = &chunks(&scene, "o")[0].0;
        let printed = scene.isx(&format!("sweep run other.yaml --out o {nothing}")).refused(2, &[]).stderr;
        let begins = format!(
            "error: `o` holds another sweep: `{there}` is there, and the names of this one begin with "
        );
        assert!(printed.starts_with(&begins), "{printed}");
        let again = scene.isx(&format!("sweep run same.yaml --out o {nothing}")).code(0).stdout;
        assert_eq!(again, "1 of 12 chunks are in o; 11 are missing, 0 of them in this share.\n");
    }

    #[test]
    fn files_are_measured_as_they_are_and_under_other_schedulers() {
        let scene = Scene::small();
        scene.write("short.yaml", "{name: short, tasks: [{name: a, wcet: 3, period: 9, deadline: 5}, {name: b, wcet: 3, period: 10, deadline: 5}]}");
        scene.write("spec.yaml", "schema: isx.sweep/1\nfiles: [small.yaml, \"s*t.yaml\"]\npaired: {scheduler: [edf, dm]}\nmeasure: [min_area, breakdown]\nbudgets: [1.25]\n");
        scene.isx("sweep run spec.yaml --out o").code(0);
        let printed = rows(&scene, "o").into_iter().map(|row| {
            let column = |name: &str| row[name].as_str().map(str::to_owned);
            (
                column("file"),
                column("scheduler"),
                column("min_area"),
                row["accepted_1.25"].as_bool(),
                column("breakdown"),
            )
        });
        let row = |file: &str, scheduler: &str, area: Option<&str>, accepted, breakdown: &str| {
            let text = |text: &str| Some(text.to_owned());
            (text(file), text(scheduler), area.map(str::to_owned), Some(accepted), text(breakdown))
        };
        let expected = [
            row("small.yaml", "edf", Some("1.25"), true, "1"),
            row("small.yaml", "dm", Some("4.25"), false, "6/7"),
            row("short.yaml", "edf", None, false, "19/36"),
            row("short.yaml", "dm", None, false, "19/36"),
        ];
        assert_eq!(printed.collect::<Vec<_>>(), expected);
        assert_eq!(scene.isx("sweep show spec.yaml --set 0:0").code(0).stdout, crate::scene::SMALL);
        scene.write("small.yaml", crate::scene::SMALL.replace("4 ms", "3 ms"));
        let (name, _) = chunks(&scene, "o").remove(0);
        let spec = key(&scene, "o", &name, "isx.sweep");
        scene.write("again.yaml", spec);
        assert_eq!(
            scene.isx("sweep run again.yaml --out p").refused(2, &[]).stderr,
            "error: small.yaml: the file is another one than when the sweep began; put the old one back, or begin the sweep \
             in another folder\n"
        );
    }

    /// Where searches end before they decide, no two columns contradict each other.
    #[test]
    fn what_is_accepted_within_an_area_is_accepted_with_any_and_what_is_not_decided_has_bounds() {
        let spec = "{schema: isx.sweep/1, seed: 11, sets_per_point: 60, grid: {utilization: [0.9, 1.1]}, recipe: {tasks: 8, \
                    choices: 2..4, savings: \"correlated:0.05..0.60\", deadlines: \"constrained:0.50..1.00\"}, \
                    measure: [min_area, breakdown], budgets: [0, 20000], steps: 10000}";
        let scene = Scene::with("spec.yaml", spec);
        scene.isx("sweep run spec.yaml --out o").code(0);
        let (mut open, mut enough, mut breakdowns) = (0, 0, 0);
        let number = |value: &Value| {
            value.as_str().map(|text| {
                let (num, den) = text.split_once('/').unwrap_or((text, "1"));
                num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap()
            })
        };
        for row in rows(&scene, "o") {
            let accepted = |name: &str| row[name].as_bool();
            if accepted("accepted_0") == Some(true) || accepted("accepted_20000") == Some(true) {
                assert_eq!(accepted("accepted_any"), Some(true), "{row}");
            }
            if accepted("accepted_any") == Some(false) {
                assert_eq!(
                    (accepted("accepted_0"), accepted("accepted_20000")),
                    (Some(false), Some(false)),
                    "{row}"
                );
            }
            let [area, low, high] =
                ["min_area", "min_area_low", "min_area_high"].map(|name| number(&row[name]));
            assert_eq!(high.is_some(), accepted("accepted_any") == Some(true), "{row}");
            assert!(area.is_none() || (low == area && high == area), "{row}");
            if let (None, Some(high)) = (area, high) {
                assert!(low.is_some_and(|low| low <= high) && row["unknown"] == true, "{row}");
                assert!(high > 20000.0 || accepted("accepted_20000") == Some(true), "{row}");
                enough += 1;
            }
            open += usize::from(area.is_none() && accepted("accepted_any") != Some(false));
            let [known, low, high] =
                ["breakdown", "breakdown_low", "breakdown_high"].map(|name| number(&row[name]));
            let (low, high) = (low.unwrap(), high.unwrap());
            assert!(
                0.0 <= low
                    && low <= high
                    && high <= 1.0
                    && known.is_none_or(|known| known == low && known == high)
            );
            breakdowns += usize::from(known.is_none());
        }
        assert!(open > 10 && enough > 5 && breakdowns > 0, "{open} {enough} {breakdowns}");
    }

    #[test]
    fn what_sweeps_no_longer_do_is_answered_by_where_it_is_now() {
        let scene = Scene::new();
        for (line, words) in [
            ("sweep merge o -o x.parquet", "SQL over DIR/*.parquet"),
            ("sweep status o", "`isx sweep run` says how many are missing"),
            ("sweep report x.parquet", "python/examples/sweep_curves.py"),
        ] {
            let printed = scene.isx(line).code(2).stderr;
            assert!(printed.contains(words), "{line}: {printed}");
        }
    }

    #[test]
    fn wrong_arguments_are_refused_in_words() {
        let scene = Scene::with("spec.yaml", SPEC);
        let printed = |line: &str| -> Ran { scene.isx(line).refused(2, &[]) };
        assert!(
            printed("sweep run spec.yaml --out o --shard 7/7")
                .stderr
                .contains("of 7 shares the last is 6/7: they are numbered from 0")
        );
        assert!(
            printed("sweep run spec.yaml --out o --max-time 5")
                .stderr
                .contains("write a whole number with s, min or h, such as 30min")
        );
        assert_eq!(
            printed("sweep show spec.yaml --set 6:0").stderr,
            "error: there is no point 6: they are numbered 0 to 5\n"
        );
        assert_eq!(
            printed("sweep show spec.yaml --set 5:520").stderr,
            "error: there is no set 520: they are numbered 0 to 519\n"
        );
        assert_eq!(
            printed("sweep show spec.yaml --set 0:0 --with scheduler=dm").stderr,
            "error: `scheduler` has no value `dm`: `edf`, `rm`\n"
        );
        assert!(scene.isx("schema sweep").code(0).stdout.contains("\"isx.sweep/1\""));
    }
}
