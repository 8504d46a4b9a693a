//! `isx sweep report`: the curves of a merged sweep.

use crate::scene::Scene;
use isx::quantity::Rational;
use isx::sweep::stored::Writer;
use isx::sweep::{Record, Spec};
use serde_json::Value;

const SPEC: &str = "\
schema: isx.sweep/1
seed: 7
sets_per_point: 12
grid: {utilization: [0.8, 1, 1.4], tasks: [3, 5]}
paired: {scheduler: [edf, rm]}
recipe: {utilizations: fixed-sum, choices: 1..3}
measure: [min_area, breakdown]
budgets: [0, 1500]
";

fn merged() -> Scene {
    let scene = Scene::with("spec.yaml", SPEC);
    scene.isx("sweep run spec.yaml --out sets --threads 2").code(0);
    scene.isx("sweep merge sets -o edf-rm.parquet").code(0);
    scene
}

#[test]
fn one_file_becomes_a_page_and_tables_of_the_same_figures() {
    let scene = merged();
    assert_eq!(scene.isx("sweep report edf-rm.parquet").code(0).stderr, "note: wrote edf-rm.html\n");
    let page = std::fs::read_to_string(scene.path("edf-rm.html")).unwrap();
    assert!(page.contains("<title>edf-rm – isx report</title>") && page.matches("<svg ").count() >= 5);
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let document: Value =
        serde_json::from_str(&scene.isx("sweep report edf-rm.parquet --format json -o -").code(0).stdout)
            .unwrap();
    assert_eq!(data["sweep"], document);
    assert_eq!(data["origin"]["command"], "isx sweep report edf-rm.parquet");
    assert!(
        document["specification"]
            .as_str()
            .unwrap()
            .starts_with("schema: isx.sweep/1\nseed: 7\nsets_per_point: 12\n")
    );
    let csv = scene.isx("sweep report edf-rm.parquet --format csv -o -").code(0).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0].starts_with("utilization,tasks,scheduler,sets,mean_utilization,accepted_area_0,"),
        "{csv}"
    );
    assert_eq!((lines.len(), document["cells"].as_array().unwrap().len()), (13, 12));
    for (cell, line) in document["cells"].as_array().unwrap().iter().zip(&lines[1..]) {
        let test = &cell["tests"][0];
        let values = &cell["values"];
        let [u, n, s] = ["utilization", "tasks", "scheduler"].map(|key| values[key].as_str().unwrap());
        let mean = cell["mean_utilization"].as_str().unwrap();
        let [ratio, low, high] = ["ratio", "low", "high"].map(|key| test[key].as_str().unwrap());
        let (accepted, unknown) = (&test["accepted"], &test["unknown"]);
        let begin = format!("{u},{n},{s},12,{mean},{accepted},{unknown},{ratio},{low},{high},");
        assert!(line.starts_with(&begin), "{line} {begin}");
    }
    // The ending says the format, and the same command writes the same bytes.
    scene.isx("sweep report edf-rm.parquet -o a.parquet --quiet").code(0);
    scene.isx("sweep report edf-rm.parquet -o b.parquet --quiet").code(0);
    let [one, other] = ["a.parquet", "b.parquet"].map(|file| std::fs::read(scene.path(file)).unwrap());
    assert!(one == other && one.starts_with(b"PAR1"));
    scene.isx("sweep report edf-rm.parquet --format csv --quiet").code(0);
    assert_eq!(std::fs::read_to_string(scene.path("edf-rm.curves.csv")).unwrap(), csv);
}

#[test]
fn a_page_of_too_many_points_is_refused_and_a_table_of_them_is_written() {
    let scene = Scene::new();
    let text = "{schema: isx.sweep/1, seed: 1, sets_per_point: 1, grid: {utilization: 0.001..6.7/0.001},\n\
                paired: {scheduler: [edf, rm, dm]}, budgets: [0]}";
    let spec = Spec::read("spec.yaml", text.as_bytes(), std::path::Path::new("")).unwrap();
    let record = |(point, pair)| Record {
        point,
        index: 0,
        pair,
        utilization: Rational::new((point + 1).into(), 1000.into()),
        accepted: vec![Some(point < 1000)],
        ..Record::default()
    };
    let records = (0..6700).flat_map(|point| (0..3).map(move |pair| (point, pair))).map(record).collect();
    let mut file = std::fs::File::create(scene.path("many.parquet")).unwrap();
    let mut writer = Writer::new(&spec, &mut file).unwrap();
    writer.add(records).unwrap();
    writer.finish().unwrap();
    assert_eq!(
        scene.isx("sweep report many.parquet").refused(2, &[]).stderr,
        "error: 20100 points and paired values are too many for a page, which shows up to 20000: take --format csv\n"
    );
    assert!(!scene.path("many.html").exists());
    let csv = scene.isx("sweep report many.parquet --format csv -o -").code(0).stdout;
    assert_eq!(csv.lines().count(), 20_101);
    assert_eq!(csv.lines().nth(1), Some("0.001,edf,1,0.001000000,1,0,1.000000000,0.025000000,1.000000000"));
}

#[test]
fn what_is_no_merged_sweep_is_refused() {
    let scene = merged();
    let refused = |line: &str| scene.isx(line).refused(2, &[]).stderr;
    assert_eq!(
        refused("sweep report edf-rm.parquet -o edf-rm.parquet"),
        "error: `edf-rm.parquet` is the sweep itself: name another file with -o\n"
    );
    assert_eq!(
        refused("sweep report sets/00000000.parquet"),
        "error: sets/00000000.parquet: this is no sweep: `isx sweep merge` writes one\n"
    );
    assert_eq!(
        refused("sweep report none.parquet"),
        "error: none.parquet: No such file or directory (os error 2)\n"
    );
    let mut bytes = std::fs::read(scene.path("edf-rm.parquet")).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle] ^= 0x55;
    std::fs::write(scene.path("damaged.parquet"), bytes).unwrap();
    // Whatever a changed byte does, the file is read or refused, and nothing is written if it is refused.
    let ran = scene.isx("sweep report damaged.parquet");
    assert_eq!(
        scene.path("damaged.html").exists(),
        ran.stderr == "note: wrote damaged.html\n",
        "{}",
        ran.stderr
    );
}
