//! Damaged task sets that name reports: for each, `NAME.yaml.message` has the whole error message.
//!
//! Their reports are those of the good set, in `tests/data/import/measured`.

use super::imports::{compare, files, folder};
use isx::import::{Files, Imported, Options, Refusal, Tables, import};
use isx::taskset::{Reading, read_bytes, read_file};
use std::path::Path;

fn imported(name: &str, bytes: &[u8]) -> Result<Imported, Refusal> {
    let options = Options { files: Files::beside(&folder("measured/set.yaml")), ..Options::default() };
    import(name, bytes, None, Tables::default(), &options)
}

fn good() -> String {
    std::fs::read_to_string(folder("measured/set.yaml")).unwrap()
}

/// The good set with this in place of that.
fn changed(from: &str, to: &str) -> Imported {
    assert_eq!(good().matches(from).count(), 1, "{from}");
    imported("set.yaml", good().replace(from, to).as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[test]
fn every_damaged_set_is_refused_where_it_or_its_report_is_damaged() {
    let files = files("damaged-measured");
    assert!(files.len() >= 30, "{}", files.len());
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let refusal = imported(&name, text.as_bytes()).unwrap_err();
        compare(&file, &refusal);
        let shown = refusal.to_string();
        for diagnostic in refusal.error.diagnostics() {
            let (line, column) = diagnostic.position();
            assert!(shown.contains(&format!("--> {}:{line}:{column}", diagnostic.file())), "{shown}");
            assert!([name.as_str(), "broken.json"].contains(&diagnostic.file()), "{shown}");
            assert!(diagnostic.file() == "broken.json" || line <= text.lines().count(), "{shown}");
        }
    }
}

#[test]
fn a_good_set_gives_differences_worst_clocks_and_what_to_doubt() {
    let imported = imported("set.yaml", good().as_bytes()).unwrap();
    let wanted = std::fs::read_to_string(folder("measured/frozen.yaml")).unwrap();
    let without_version =
        |text: &str| text.replace(&format!("isx {} ", env!("CARGO_PKG_VERSION")), "isx VERSION ");
    assert_eq!(without_version(&imported.yaml), wanted, "{}", imported.yaml);
    let messages: Vec<&str> = imported.warnings.iter().map(|warning| warning.message()).collect();
    assert_eq!(
        messages,
        [
            "the base reaches 41.5 MHz, and the clock is faster",
            "block `crc` takes 197 LUT, and builds of one design lie 224 apart (crc-s1.json, crc-s2.json less base-s1.json, base-s2.json)",
            "no choice uses block `mul`",
            "block `mul` takes -299 LUT: the design with it is smaller (mul.json less base-s1.json, base-s2.json)",
            "no choice uses block `shift`",
            "block `shift` takes 4 LUT, and builds of one design lie 11 apart (shift.json less base-s1.json, base-s2.json)",
            "blocks crc + shift together: 411 LUT built, 201 LUT by their sum (104.5 %)",
        ]
    );
    let lines: Vec<usize> = imported.warnings.iter().map(|warning| warning.position().0).collect();
    assert_eq!(lines, [4, 9, 15, 15, 16, 16, 20]);
    let task_set = imported.reading.task_set;
    assert_eq!(task_set.blocks[0].fmax.as_ref().unwrap().to_string(), "39125000");
    // The numbers alone are the same set, and nothing is left to import in them.
    let Reading { task_set: again, measured, .. } = read_bytes("frozen.yaml", wanted.as_bytes()).unwrap();
    assert!(task_set == again && measured.is_none());
    let refused = self::imported("frozen.yaml", wanted.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("the file is a task set already, and names no reports"), "{refused}");
}

#[test]
fn a_set_with_one_area_has_reports_of_areas() {
    let text = good()
        .replace("resources: {LUT: SB_LUT4, DSP: SB_MAC16}\ndevice: iCE40UP5K\n", "area_unit: LUT\n")
        .replace("base: {reports: [base-s1.json, base-s2.json], timing: [crc.1.json]}\n", "")
        .replace(", less: base}", "}")
        .replace("      less: base\n", "")
        .replace("less: [base, port]", "less: port")
        .replace("cost:", "area:");
    let (head, tail) = text.split_once("merge_above").unwrap();
    let text = format!("{head}tasks:{}", tail.split_once("tasks:").unwrap().1);
    let set = imported("set.yaml", text.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"));
    let set = set.reading.task_set;
    assert_eq!((set.area_unit(), set.is_one_area()), ("LUT", true));
    let areas: Vec<String> = set.blocks.iter().map(|block| block.cost[0].to_string()).collect();
    assert_eq!(areas, ["1796", "1650", "188", "1300", "1603"]);
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

const IN_LINES: &str = "# ours
name: x
clock: 48 MHz
resources: # of Yosys
  LUT: SB_LUT4 # cells
  \"FF\":
    - SB_DFFE
base:
  reports: [base-s2.json]
blocks:
  - name: port
    cost: # measured
      less: base
      reports:
        - port.json
  - name: sha
    fmax: {timing: [crc.1.json]}
    cost:
      reports: [port+sha.json]
      less:
        - base
        - port
check:
  - blocks: [port, sha]
    reports: [port+sha.json] # both
tasks:
  - name: t
    wcet:
      name: cycles
      reports: [run.json]
    period: 20 ms
    choices: [{name: c, uses: [port, sha], wcet: 7}]
";
const IN_BRACES: &str = "{\"name\": x, clock: 48 MHz, resources: {LUT: SB_LUT4, \"FF\": [SB_DFFE]}, base: {reports: [base-s2.json]},
blocks: [{name: port, cost: {less: base, reports: [port.json]}}, {name: sha, fmax: {timing: [crc.1.json]}, cost: {reports: [port+sha.json],
less: [base, port]}}], check: [{blocks: [port, sha], reports: [port+sha.json]}], tasks: [{name: t, wcet: {name: cycles, reports: [run.json]},
period: 20 ms, choices: [{name: c, uses: [port, sha], wcet: 7}]}]}
";

#[test]
fn every_form_of_yaml_gives_the_same_set() {
    let sets = [IN_LINES.to_owned(), IN_LINES.replace('\n', "\r\n"), IN_BRACES.to_owned()].map(|text| {
        let got = imported("set.yaml", text.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert!(got.yaml.contains("source: \"port.json less base-s2.json\""), "{}", got.yaml);
        assert_eq!(got.reading.task_set, read_bytes("again.yaml", got.yaml.as_bytes()).unwrap().task_set);
        assert_eq!(got.reading.task_set.blocks[1].cost[0].to_string(), "188");
        got.reading.task_set
    });
    assert!(sets[0] == sets[1] && sets[0] == sets[2]);
}

/// What has no place for a source is noted in the head.
#[test]
fn a_core_and_a_switch_are_measured_too() {
    let text = "name: x\nclock: 48 MHz\nresources: {LUT: SB_LUT4}\ncores: {count: 1..2, cost: {reports: [base-s2.json]}}\n\
                switch: {reports: [run.json], name: cycles}\ntasks: [{name: t, wcet: 5, period: 20 ms}]\n";
    let yaml = imported("set.yaml", text.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}")).yaml;
    for line in [
        "cores: {count: 1..2, cost: {LUT: 1599}}",
        "switch: 5897",
        "# `cost` of `cores`: base-s2.json.",
        "# `switch` of the task set: run.json cycles.",
    ] {
        assert!(yaml.lines().any(|other| other == line), "{line}: {yaml}");
    }
}

#[test]
fn a_text_without_a_file_names_no_reports() {
    let refused = read_bytes("set.yaml", good().as_bytes()).unwrap_err().to_string();
    assert!(
        refused.contains(
            "reports are read relative to a file, and this text comes from no file\n --> set.yaml:7:7"
        ),
        "{refused}"
    );
}

#[test]
fn the_committed_measured_set_is_what_its_reports_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("benchmarks/measured/measured.yaml");
    let options = Options { files: Files::beside(&file), ..Options::default() };
    let bytes = std::fs::read(&file).unwrap();
    let imported = import("measured.yaml", &bytes, None, Tables::default(), &options)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let committed = std::fs::read_to_string(root.join("tasksets/picorv32-measured.yaml")).unwrap();
    assert!(imported.yaml == committed, "import it again: make -C benchmarks/measured set");
    assert!(imported.warnings.is_empty() && imported.left_out.is_empty());
    assert_eq!(read_file(&file).unwrap().task_set, imported.reading.task_set);
}
