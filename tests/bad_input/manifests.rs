//! Damaged manifests of measured hardware: for each, `NAME.yaml.message` has the whole error message.
//!
//! Their reports are those of the good manifest, in `tests/data/import/measured`.

use super::imports::{compare, files, folder};
use isx::import::{Files, Imported, Need, Options, Refusal, Tables, import};
use isx::taskset::Reading;
use std::path::Path;

fn imported(name: &str, bytes: &[u8]) -> Result<Imported, Refusal> {
    let beside =
        |path: &str| std::fs::read(folder("measured").join(path)).map_err(|_| "no such file".to_owned());
    let options = Options { files: Files::new(beside), ..Options::default() };
    import(name, bytes, None, Tables::default(), &options)
}

fn good() -> String {
    std::fs::read_to_string(folder("measured/measure.yaml")).unwrap()
}

/// The task set of the good manifest with this in place of that.
fn changed(from: &str, to: &str) -> Imported {
    assert_eq!(good().matches(from).count(), 1, "{from}");
    imported("measure.yaml", good().replace(from, to).as_bytes())
        .unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[test]
fn every_damaged_manifest_is_refused_where_it_or_its_report_is_damaged() {
    let files = files("damaged-manifests");
    assert!(files.len() >= 30, "{}", files.len());
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let refusal = imported(&name, &std::fs::read(&file).unwrap()).unwrap_err();
        compare(&file, &refusal);
        let shown = refusal.to_string();
        for diagnostic in refusal.error.diagnostics() {
            let (line, column) = diagnostic.position();
            assert!(shown.contains(&format!("--> {}:{line}:{column}", diagnostic.file())), "{shown}");
            assert!([name.as_str(), "broken.json"].contains(&diagnostic.file()), "{shown}");
        }
    }
}

#[test]
fn a_good_manifest_gives_differences_worst_clocks_and_what_to_doubt() {
    let imported = imported("measure.yaml", good().as_bytes()).unwrap();
    let told: Vec<&str> = imported.yaml.lines().collect();
    let wanted = std::fs::read_to_string(folder("measured/imported.yaml")).unwrap();
    let without_version =
        |text: &str| text.replace(&format!("isx {} ", env!("CARGO_PKG_VERSION")), "isx VERSION ");
    assert_eq!(without_version(&imported.yaml), wanted, "{told:#?}");
    let messages: Vec<&str> = imported.warnings.iter().map(|warning| warning.message()).collect();
    assert_eq!(
        messages,
        [
            "the base reaches 41.5 MHz, and the clock is faster",
            "block `crc` takes 197 LUT, and builds of one design lie 224 apart (crc-s1.json, crc-s2.json less base-s1.json, base-s2.json)",
            "block `mul` takes -299 LUT: the design with it is smaller (mul.json less base-s1.json, base-s2.json)",
            "block `shift` takes 4 LUT, and builds of one design lie 11 apart (shift.json less base-s1.json, base-s2.json)",
            "blocks crc + shift together: 411 LUT built, 201 LUT by their sum (104.5 %)",
        ]
    );
    let Reading { task_set, warnings } = imported.reading;
    assert_eq!(task_set.blocks[0].fmax.as_ref().unwrap().to_string(), "39125000");
    assert!(warnings.iter().all(|warning| !warning.message().contains("fmax")));
}

#[test]
fn one_resource_is_an_area_unless_there_is_a_device_or_a_negative_difference() {
    let one = good().replace("resources: {LUT: SB_LUT4, DSP: SB_MAC16}", "resources: [LUT]");
    let with_device = imported("measure.yaml", one.as_bytes()).unwrap();
    assert!(
        with_device.yaml.contains("resources: [LUT]\nbase: {LUT: 1599}\ndevice: iCE40UP5K\n"),
        "{}",
        with_device.yaml
    );
    let negative = one.replace("device: iCE40UP5K\n", "");
    let negative = imported("measure.yaml", negative.as_bytes()).unwrap();
    assert!(negative.yaml.contains("cost: {LUT: -299}"), "{}", negative.yaml);
    let area =
        one.replace("device: iCE40UP5K\n", "").replace("  mul: {reports: [mul.json], slot: unit}\n", "");
    let area = imported("measure.yaml", area.as_bytes()).unwrap();
    let set = area.reading.task_set;
    assert_eq!((set.area_unit(), set.is_one_area()), ("LUT", true));
    assert_eq!(
        set.blocks.iter().map(|block| block.cost[0].to_string()).collect::<Vec<_>>(),
        ["197", "51", "188", "4"]
    );
    assert!(
        area.yaml.contains("# The base takes 1599 LUT: base-s2.json (best of 2: 1599 to 1610 LUT).\n"),
        "{}",
        area.yaml
    );
}

#[test]
fn merged_blocks_are_offered_above_the_share_that_is_said_and_not_below() {
    let offered = |yaml: &str| {
        yaml.lines().filter(|line| line.starts_with("# - {name: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let much = changed("merge_above: 5 %", "merge_above: 0.05").yaml;
    assert!(much.contains("# - crc + shift: predicted 201 LUT, built 411, difference 210 (104.5 %); predicted 0 DSP, built 0, difference 0 (0 %)\n"), "{much}");
    // `mul` is in the slot of `crc`, so it goes into the new one with it; `port+sha` is just its blocks.
    assert_eq!(offered(&much), ["# - {name: \"crc+shift\", cost: {LUT: 411}, slot: together}"]);
    assert!(much.contains("# Sums of crc, mul, shift are off by more than 5 %."), "{much}");
    let little = changed("merge_above: 5 %", "merge_above: 104.6 %").yaml;
    assert_eq!(offered(&little), [""; 0]);
    assert!(little.contains("# Every sum is within 104.6 % of what was built.\n"), "{little}");
    let none = changed("check:\n  - {blocks: [port, sha], reports: [port+sha.json]}\n  - {blocks: [crc, shift], reports: [crc+sha.json]}\n", "").yaml;
    assert!(!none.contains("sums of their blocks") && !none.contains("within"), "{none}");
}

#[test]
fn a_manifest_without_a_way_to_its_reports_needs_one() {
    let refusal =
        import("measure.yaml", good().as_bytes(), None, Tables::default(), &Options::default()).unwrap_err();
    assert_eq!(refusal.need, Some(Need::Files));
}

#[test]
fn the_committed_measured_set_is_what_its_manifest_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = root.join("benchmarks/measured/measure.yaml");
    let folder = manifest.parent().unwrap().to_owned();
    let files =
        Files::new(move |path| std::fs::read(folder.join(path)).map_err(|problem| problem.to_string()));
    let options = Options { files, ..Options::default() };
    let bytes = std::fs::read(&manifest).unwrap();
    let imported = import("measure.yaml", &bytes, None, Tables::default(), &options)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let committed = std::fs::read_to_string(root.join("tasksets/picorv32-measured.yaml")).unwrap();
    assert!(imported.yaml == committed, "import it again: make -C benchmarks/measured manifest");
    assert!(imported.warnings.is_empty() && imported.left_out.is_empty());
}
