//! Reports of synthesis tools: what each form of a tool's files counts, and what is refused by name.

use super::scene::{Ran, Scene, has};

/// A task set in tables, whose choice `unit` takes its area from a report.
fn scene() -> Scene {
    let scene = Scene::with("tasks.csv", "name;period_ms;wcet_ms\nwork;10;8\n");
    scene.write("uses.csv", "task;choice;uses;wcet_ms\nwork;c;unit;3\n");
    scene
}

/// The command that reads the area of `unit` in this resource from a report with this name.
fn line(scene: &Scene, resource: &str, report: &str) -> String {
    scene.write("choices.csv", format!("task;choice;area [{resource}];wcet_ms\nwork;unit;;3\n"));
    format!("import tasks.csv --choices choices.csv --area-report unit={report} -q")
}

/// How much of each resource a report counts.
fn counts(file: &str, content: impl AsRef<[u8]>, wanted: &[(&str, &str)]) {
    let scene = scene();
    scene.write(file, content);
    for (resource, amount) in wanted {
        let yaml = scene.isx(&line(&scene, resource, file)).code(0).stdout;
        assert!(yaml.contains(&format!("        area: {amount}\n")), "{resource} of {file}: {yaml}");
        assert!(yaml.contains(&format!("source: \"{amount} {resource} in {file}\"")), "{resource}: {yaml}");
    }
}

/// A report is refused by these words, for this resource.
fn refused(file: &str, content: impl AsRef<[u8]>, resource: &str, words: &[&str]) {
    let scene = scene();
    scene.write(file, content);
    scene.isx(&line(&scene, resource, file)).refused(2, words);
}

fn yosys(cells: &str) -> String {
    format!(
        "{{\"creator\": \"Yosys 0.55\", \"modules\": {{}}, \"design\": {{\"num_cells_by_type\": {{{cells}}}}}}}"
    )
}

fn nextpnr(used: &[(&str, u32)]) -> String {
    let rows: Vec<String> = used
        .iter()
        .map(|(name, used)| format!("\"{name}\": {{\"used\": {used}, \"available\": 9000}}"))
        .collect();
    let fmax = "{\"clk\": {\"achieved\": 50.5, \"constraint\": 12}}";
    format!("{{\"utilization\": {{{}}}, \"fmax\": {fmax}}}", rows.join(", "))
}

/// A report of sites with these rows, for this device.
fn vivado(device: &str, rows: &[(&str, &str)]) -> String {
    let rule = "+----------------+------+-------+\n";
    let rows: String = rows.iter().map(|(name, used)| format!("| {name} | {used} | 0 |\n")).collect();
    let device = if device.is_empty() { String::new() } else { format!("| Device       : {device}\n") };
    let head = "| Command      : report_utilization -file unit.rpt\n";
    format!("{head}{device}\n{rule}| Site Type | Used | Fixed |\n{rule}{rows}{rule}")
}

/// A fitter's report for this family with these rows in its summaries.
fn quartus(family: &str, rows: &[(&str, &str)]) -> String {
    let rule = "+---------+--------+\n";
    let rows: String = rows.iter().map(|(name, used)| format!("; {name} ; {used} ;\n")).collect();
    let table = |title: &str, rows: &str| format!("\n{rule}; {title} ;\n{rule}{rows}{rule}");
    let summary = table("Fitter Summary", &format!("; Family ; {family} ;\n"));
    format!("Fitter report for unit\n{summary}{}", table("Fitter Resource Usage Summary", &rows))
}

#[test]
fn a_usual_name_is_never_a_cell_of_that_name() {
    let ecp5 = yosys("\"LUT4\": 60, \"CCU2C\": 30, \"TRELLIS_FF\": 20, \"DP16KD\": 1, \"PDPW16KD\": 2");
    counts(
        "ecp5.json",
        &ecp5,
        &[("LUT4", "120"), ("LC", "120"), ("DFF", "20"), ("DP16KD", "3"), ("CCU2C", "30")],
    );
    let gowin = yosys("\"LUT2\": 10, \"LUT3\": 20, \"LUT4\": 5, \"ALU\": 40, \"DFF\": 3, \"DFFE\": 30");
    counts("gowin.json", gowin, &[("LUT4", "75"), ("DFF", "33")]);
    let artix = vivado("xc7a35t-1", &[("Slice LUTs", "700"), ("Block RAM Tile", "2.5"), ("RAMB18", "3")]);
    let primitives =
        "+---+---+\n| Ref Name | Used |\n+---+---+\n| LUT6 | 310 |\n| LUT4 | 9 |\n| FDRE | 7 |\n+---+---+\n";
    let artix = format!("{artix}\n{primitives}");
    counts("artix.rpt", &artix, &[("LUT6", "700"), ("RAMB36", "2.5"), ("RAMB18", "5"), ("FDRE", "7")]);
    refused(
        "artix.rpt",
        &artix,
        "LUT4",
        &["does not count `LUT4` by a usual word", "`resources: {LUT4: LUT4}`", "`Slice LUTs`"],
    );
    let instances = "\
+----------+--------+------------+-----+--------+--------+------------+
| Instance | Module | Total LUTs | FFs | RAMB36 | RAMB18 | DSP Blocks |
+----------+--------+------------+-----+--------+--------+------------+
| top      | (top)  | 700(3.37%) |  90 |      1 |      3 |          2 |
| part     | part   |        600 |  80 |      1 |      3 |          2 |
+----------+--------+------------+-----+--------+--------+------------+
";
    counts("hier.rpt", instances, &[("LUT", "700"), ("RAMB36", "2.5"), ("RAMB18", "5"), ("DSP48E1", "2")]);

    // The device's limit holds for what the name means.
    let scene = scene();
    scene.write("base.json", &ecp5);
    scene.write("unit.json", yosys("\"LUT4\": 70, \"CCU2C\": 13000, \"TRELLIS_FF\": 20"));
    scene.write("m.yaml", set_of("resources: [LUT4]\ndevice: LFE5U-25F", "base.json", "unit.json"));
    scene.isx("-q import m.yaml -o set.yaml").code(0);
    assert_eq!(
        scene.isx("check set.yaml -q").code(1).stdout,
        "m: NOT SCHEDULABLE under EDF on LFE5U-25F: LUT4 24288\n"
    );
}

/// A set that names reports is imported.
fn imported(scene: &Scene, text: impl AsRef<[u8]>) -> Ran {
    scene.write("m.yaml", text);
    scene.isx("import m.yaml")
}

fn set_of(head: &str, base: &str, unit: &str) -> String {
    format!(
        "name: m\nclock: 100 MHz\n{head}\nbase: {{reports: [{base}]}}\nblocks: [{{name: unit, cost: {{reports: [{unit}], less: base}}}}]\n\
         tasks: [{{name: work, period: 10 ms, wcet: 2000000, choices: [{{name: c, uses: [unit], wcet: 500}}]}}]\n"
    )
}

#[test]
fn reports_of_several_tools_families_or_devices_are_refused() {
    let scene = scene();
    let families = [
        ("ice40.json", yosys("\"SB_LUT4\": 310, \"SB_DFF\": 9")),
        ("ice40-pnr.json", nextpnr(&[("ICESTORM_LC", 310), ("ICESTORM_RAM", 4)])),
        ("ecp5.json", yosys("\"LUT4\": 480, \"CCU2C\": 3, \"TRELLIS_FF\": 9")),
        ("ecp5-pnr.json", nextpnr(&[("TRELLIS_COMB", 500), ("TRELLIS_FF", 40), ("DP16KD", 0)])),
        ("xilinx.json", yosys("\"LUT6\": 480, \"FDRE\": 30")),
        ("artix.rpt", vivado("xc7a35ticsg324-1L", &[("Slice LUTs", "500")])),
        ("zynq.rpt", vivado("7z020clg484-1", &[("Slice LUTs", "520")])),
        ("kintex-u.rpt", vivado("xcku040-ffva1156-2-e", &[("CLB LUTs", "520")])),
        ("versal.rpt", vivado("xcvc1902-vsva2197-2MP-e-S", &[("CLB LUTs", "520"), ("Registers", "9")])),
        ("cyclone4.fit.rpt", quartus("Cyclone IV E", &[("Total logic elements", "512 / 4,608 ( 11 % )")])),
        ("max10.fit.rpt", quartus("MAX 10", &[("Total logic elements", "612 / 8,064 ( 8 % )")])),
        ("cyclone2.fit.rpt", quartus("Cyclone II", &[("Total logic elements", "612 / 4,608 ( 13 % )")])),
    ];
    for (file, content) in &families {
        scene.write(file, content);
    }
    scene.write("blocks.csv", "block;area [LUT]\nunit;\n");
    let tools = "the reports are of several tools: such amounts cannot be compared";
    let several = "the reports are of several families: such amounts cannot be compared";
    for (base, unit, words) in [
        (
            "ice40-pnr.json",
            "xilinx.json",
            [tools, "nextpnr for iCE40: ice40-pnr.json", "Yosys for Xilinx 7 series"],
        ),
        (
            "ice40.json",
            "ice40-pnr.json",
            [tools, "Yosys for iCE40: ice40.json", "nextpnr for iCE40: ice40-pnr.json"],
        ),
        ("ice40.json", "ecp5.json", [several, "Yosys for iCE40: ice40.json", "Yosys for ECP5: ecp5.json"]),
        (
            "ice40-pnr.json",
            "ecp5-pnr.json",
            [several, "nextpnr for iCE40", "nextpnr for ECP5: ecp5-pnr.json"],
        ),
        (
            "artix.rpt",
            "xilinx.json",
            [tools, "Vivado for xc7a35ticsg324-1L (Xilinx 7 series): artix.rpt", "Yosys for"],
        ),
        (
            "artix.rpt",
            "kintex-u.rpt",
            [several, "Vivado for xcku040-ffva1156-2-e (Xilinx UltraScale)", "artix.rpt"],
        ),
        ("kintex-u.rpt", "versal.rpt", [several, "(Versal): versal.rpt", "kintex-u.rpt"]),
        (
            "cyclone2.fit.rpt",
            "cyclone4.fit.rpt",
            [several, "Quartus for Cyclone II", "Quartus for Cyclone IV E"],
        ),
    ] {
        let tables = "import tasks.csv --choices uses.csv --blocks blocks.csv";
        let ran = scene.isx(&format!("{tables} --area-report base={base} --area-report unit={unit}"));
        let stderr = ran.refused(2, &words).stderr;
        assert!(stderr.contains("--> blocks.csv:2:1") && stderr.matches("error:").count() == 1, "{stderr}");
        imported(&scene, set_of("resources: [LUT]", base, unit))
            .refused(2, &[&words[..], &["--> m.yaml:5:40"]].concat());
        // Also where cells are named, and in the other order.
        imported(&scene, set_of("resources: {LUT: [SB_LUT4, LUT4, LUT6, ICESTORM_LC]}", unit, base))
            .refused(2, &words[..1]);
    }
    // Series of one family differ in clocks and hard blocks alone.
    for (base, unit) in [("artix.rpt", "zynq.rpt"), ("cyclone4.fit.rpt", "max10.fit.rpt")] {
        let ran = imported(&scene, set_of("resources: [LUT]", base, unit)).code(0);
        has(&ran.stderr, &["warning: the reports are of several series of one family"]);
        let ran = scene.isx(&format!(
            "import tasks.csv --choices uses.csv --blocks blocks.csv --area-report base={base} --area-report unit={unit}"
        ));
        assert!(ran.code(0).stderr.contains("warning: the reports are of several series"));
    }
    // The device, and clocks of another tool, must be of the family.
    for (device, report, words) in [
        ("LFE5U-25F", "artix.rpt", "the report is of another family than the device, LFE5U-25F"),
        ("iCE40UP5K", "ecp5.json", "Yosys for ECP5: ecp5.json; give reports for the device"),
        ("XC7A35T", "kintex-u.rpt", "another family than the device, XC7A35T"),
        ("EP4CE6", "cyclone2.fit.rpt", "another family than the device, EP4CE6"),
    ] {
        imported(&scene, set_of(&format!("resources: [LUT]\ndevice: {device}"), report, report))
            .refused(2, &[words, "m.yaml:5:18"]);
    }
    let timed = set_of("resources: [LUT]\ndevice: EP4CE6", "max10.fit.rpt", "max10.fit.rpt");
    imported(&scene, timed).code(0);
    let with = |timing: &str| {
        set_of("resources: [LUT]", "ecp5.json", "ecp5.json")
            .replace("less: base}", &format!("less: base}}, fmax: {{timing: [{timing}]}}"))
    };
    let yaml = imported(&scene, with("ecp5-pnr.json")).code(0).stdout;
    assert!(yaml.contains("fmax: 50.5 MHz"), "{yaml}");
    imported(&scene, with("ice40-pnr.json")).refused(2, &[several, "nextpnr for iCE40: ice40-pnr.json"]);
}

#[test]
fn designs_are_confirmed_by_reports_of_the_tool_and_family_of_the_base() {
    let scene = scene();
    scene.write("base.json", yosys("\"LUT4\": 100, \"CCU2C\": 10, \"TRELLIS_FF\": 20"));
    scene.write("unit.json", yosys("\"LUT4\": 150, \"CCU2C\": 10, \"TRELLIS_FF\": 20"));
    scene.write("m.yaml", set_of("resources: [LUT, FF]\ndevice: LFE5U-25F", "base.json", "unit.json"));
    scene.isx("-q import m.yaml -o set.yaml").code(0);
    scene.isx("-q explore set.yaml --format json --out front").code(0);
    scene.write("ice40.json", yosys("\"SB_LUT4\": 170, \"SB_DFF\": 20"));
    scene.write("artix.rpt", vivado("xc7a35t-1", &[("Slice LUTs", "170"), ("Slice Registers", "20")]));
    scene.write("xilinx.json", yosys("\"LUT6\": 170, \"FDRE\": 20"));
    scene.write("pnr.json", nextpnr(&[("TRELLIS_COMB", 900), ("TRELLIS_FF", 20)]));
    let confirm = "confirm set.yaml front/front.json --report 1";
    let measured = "confirm m.yaml front/front.json --report 1";
    scene.isx(&format!("{measured}=ice40.json")).refused(2, &["the report is of another family"]);
    scene.isx(&format!("{confirm}=artix.rpt")).refused(2, &["another family than the device, LFE5U-25F"]);
    scene.isx(&format!("{confirm}=xilinx.json,unit.json")).refused(2, &["Yosys for Xilinx 7 series"]);
    // After packing a design takes another number of LUTs: only the clock can be compared.
    let rows = scene.isx(&format!("{measured}=pnr.json --json")).json();
    assert_eq!(
        (&rows["rows"][0]["built"], &rows["rows"][0]["difference"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    let both = scene.isx(&format!("{measured}=unit.json,pnr.json --json")).json();
    assert_eq!(both["rows"][0]["built"]["LUT"], "170");
}

#[test]
fn a_missing_row_is_no_zero_unless_the_tool_lists_what_is_there() {
    let scene = scene();
    scene.write("base.rpt", vivado("", &[("Slice LUTs", "700")]));
    scene.write("unit.rpt", vivado("", &[("Slice LUTs", "720"), ("DSPs", "9")]));
    let row =
        ["report `base.rpt` (Vivado for Xilinx 7 series) has no row `DSPs`", "m.yaml:4:18", "`Slice LUTs`"];
    imported(&scene, set_of("resources: {LUT: Slice LUTs, DSP: DSPs}", "base.rpt", "unit.rpt"))
        .refused(2, &row);
    imported(&scene, set_of("resources: [LUT, DSP]", "base.rpt", "unit.rpt"))
        .refused(2, &["does not count `DSP` by a usual word", "m.yaml:4:18"]);
    scene.write("base.json", nextpnr(&[("ICESTORM_LC", 700)]));
    scene.write("unit.json", nextpnr(&[("ICESTORM_LC", 720), ("ICESTORM_DSP", 4)]));
    imported(&scene, set_of("resources: {LUT: ICESTORM_LC, DSP: ICESTORM_DSP}", "base.json", "unit.json"))
        .refused(2, &["has no row `ICESTORM_DSP`"]);

    // Yosys, and Vivado's table of primitives, leave out what there is none of.
    scene.write("base.json", yosys("\"SB_LUT4\": 700"));
    scene.write("unit.json", yosys("\"SB_LUT4\": 720, \"SB_MAC16\": 4"));
    for resources in ["{LUT: SB_LUT4, DSP: SB_MAC16}", "[LUT, DSP]"] {
        assert!(
            imported(&scene, set_of(&format!("resources: {resources}"), "base.json", "unit.json"))
                .code(0)
                .stdout
                .contains("cost: {LUT: 20, DSP: 4}")
        );
    }
    imported(&scene, set_of("resources: {LUT: SB_LUT4, AREA: area}", "base.json", "unit.json"))
        .refused(2, &["has no row `area`"]);
    let primitives =
        |rows: &str| format!("{}\n+--+--+\n| Ref Name | Used |\n+--+--+\n{rows}+--+--+\n", vivado("", &[]));
    scene.write("base.rpt", primitives("| LUT6 | 5 |\n"));
    scene.write("unit.rpt", primitives("| LUT6 | 5 |\n| DSP48E1 | 3 |\n"));
    assert!(
        imported(&scene, set_of("resources: {LUT: [LUT5, LUT6], DSP: DSP48E1}", "base.rpt", "unit.rpt"))
            .code(0)
            .stdout
            .contains("cost: {DSP: 3}")
    );
    imported(&scene, set_of("resources: {LUT: LUT6, DSP: DSPs}", "base.rpt", "unit.rpt"))
        .refused(2, &["has no row `DSPs`"]);
}

#[test]
fn a_negative_difference_of_reports_is_a_warning() {
    let scene = scene();
    scene.write("base.json", yosys("\"SB_LUT4\": 700, \"SB_MAC16\": 4"));
    scene.write("unit.json", yosys("\"SB_LUT4\": 720"));
    scene.write("blocks.csv", "block;cost.LUT;cost.DSP\nunit;;\n");
    let ran = scene.isx(
        "import tasks.csv --choices uses.csv --blocks blocks.csv --area-report base=base.json --area-report unit=unit.json",
    );
    let ran = ran.code(0);
    assert!(ran.stdout.contains("cost: {LUT: 20, DSP: -4}"), "{}", ran.stdout);
    assert!(ran.stderr.contains("warning: block `unit` makes the design smaller"), "{}", ran.stderr);
    assert!(ran.stderr.contains("blocks.csv:2:1"), "{}", ran.stderr);
}

#[test]
fn vivado_of_all_years_is_read_or_named() {
    let old = vivado("", &[("Slice LUTs*", "910"), ("Slice Registers", "35(Lost)"), ("DSPs", "")]);
    counts("old.rpt", &old, &[("LUT", "910")]);
    refused("old.rpt", &old, "FF", &["`Slice Registers`: `35(Lost)` is not a decimal number", "old.rpt:7:"]);
    refused("old.rpt", &old, "DSP", &["`DSPs`: a number is missing", "old.rpt:8:"]);
    let percent = vivado("", &[("Slice LUTs", "4.25%")]);
    refused("percent.rpt", percent, "LUT", &["`4.25%`", "a percentage is no amount"]);
    let versal = [("Registers", "1210"), ("CLB LUTs", "640"), ("DSP Slices", "12"), ("URAM", "3")];
    let versal = vivado("xcv80", &versal);
    counts("versal.rpt", versal, &[("LUT", "640"), ("FF", "1210"), ("DSP", "12"), ("URAM", "3")]);
    let plus =
        vivado("xczu7ev-2", &[("CLB LUTs", "640"), ("CLB Registers", "99"), ("DSPs", "2"), ("URAM", "3")]);
    counts("plus.rpt", plus, &[("LUT", "640"), ("FF", "99"), ("DSP", "2"), ("URAM", "3")]);
    let csv = "Site Type,Used,Fixed,Available,Util%\nSlice LUTs,500,0,20800,2.40\n";
    counts("unit.csv", csv, &[("LUT", "500")]);
    for (content, words) in [
        ("Name,Slice LUTs,Slice Registers\ntop,4.25%,<0.01%\n", "a table of Vivado's window, in percent"),
        ("\"Name\",\"CLB LUTs (230400)\",\"CLB Registers\"\ntop,425,7\n", "a table of Vivado's window"),
        (
            "| Tool Version : Vivado v.2019.2\n| Command      : report_clock_utilization -file c.rpt\n+--+--+\n| Type | Used |\n+--+--+\n| BUFG | 3 |\n+--+--+\n",
            "Vivado's `report_clock_utilization`",
        ),
        (
            "| Tool Version : Vivado v.2023.1\n| Command      : report_timing_summary -file t.rpt\n",
            "Vivado's `report_timing_summary`",
        ),
        ("#-----\n# Vivado v2023.1 (64-bit)\n# Start of session at: now\n", "a log of Vivado"),
        (
            "<?xml version=\"1.0\"?>\n<RptDoc><application name=\"report_utilization\"/></RptDoc>\n",
            "`report_utilization` as XML",
        ),
        ("====\n== Vitis HLS Report for 'fir'\n====\n", "a report of Vitis HLS"),
    ] {
        refused(
            "other.rpt",
            content,
            "LUT",
            &["the file is no report that isx reads", words, "report_utilization"],
        );
    }
}

#[test]
fn quartus_of_all_editions_is_read_or_named() {
    let used = |name: &'static str, amount: &'static str| vec![(name, amount)];
    for (family, row, resource, amount) in [
        ("Cyclone II", used("M4Ks", "3 / 26 ( 12 % )"), "BRAM", "3"),
        ("Cyclone II", used("M4Ks", "3 / 26 ( 12 % )"), "M4K", "3"),
        ("Cyclone IV E", used("M9Ks", "38 / 432 ( 9 % )"), "RAM", "38"),
        ("Stratix IV", used("M144K blocks", "0 / 22 ( 0 % )"), "M144K blocks", "0"),
        ("Cyclone V", used("M10K blocks", "2 / 308 ( < 1 % )"), "BRAM", "2"),
        ("Arria 10", used("M20K blocks", "1,032 / 2,131 ( 48 % )"), "M20K", "1032"),
        ("Stratix", used("M512s", "4 / 224 ( 2 % )"), "M512", "4"),
        ("Stratix IV", used("DSP block 18-bit elements", "4 / 224 ( 2 % )"), "DSP", "4"),
        ("Cyclone IV E", used("Embedded Multiplier 9-bit elements", "6 / 30 ( 20 % )"), "MULT18", "3"),
        ("Cyclone IV E", used("Embedded Multiplier 9-bit elements", "6 / 30 ( 20 % )"), "MULT9", "6"),
        ("Agilex 7", used("Total DSP Blocks", "7 / 4,510 ( < 1 % )"), "DSP", "7"),
        ("Agilex 7", used("Total dedicated logic registers", "10271"), "FF", "10271"),
        ("Agilex 7", used("DSP Blocks needed [=A-B]", "7"), "DSP Blocks needed [=A-B]", "7"),
        ("Cyclone V", used("Logic utilization (in ALMs)", "930 / 18,480 ( 5 % )"), "ALM", "930"),
        ("Cyclone V", used("Combinational ALUT usage for logic", "1,137"), "LUT", "1137"),
    ] {
        counts("unit.fit.rpt", quartus(family, &row), &[(resource, amount)]);
    }
    // Memory blocks of two sizes have no common number.
    let two = quartus("Stratix", &[("M4Ks", "3 / 82 ( 4 % )"), ("M512s", "4 / 224 ( 2 % )")]);
    refused("unit.fit.rpt", two, "BRAM", &["does not count `BRAM` by a usual word", "`M4Ks`, `M512s`"]);
    // Quartus writes degrees in Latin-1.
    let mut latin = quartus("MAX 10", &[("Total logic elements", "12 / 8,064 ( < 1 % )")]).into_bytes();
    latin.extend(b"\n; 85 \xB0C ;\n");
    counts("unit.fit.rpt", latin, &[("LE", "12")]);
    for (file, content, words) in [
        (
            "top.fit.place.rpt",
            "Fitter Place Stage Report for top\n\n; Fitter Resource Usage Summary ;\n",
            "\"Fitter Place Stage\"",
        ),
        (
            "top.fit.finalize.rpt",
            "Fitter Finalize Stage Report for top\nQuartus Prime\n",
            "\"Fitter Finalize Stage\"",
        ),
        (
            "top.map.rpt",
            "Analysis & Synthesis report for top\n\n; Total logic elements ; 5 ;\n",
            "estimates before placement",
        ),
        ("top.syn.rpt", "Synthesis report\nQuartus Prime Version 24.1\n", "estimates before placement"),
        (
            "top.sta.rpt",
            "TimeQuest Timing Analyzer report for top\nQuartus II\n",
            "\"TimeQuest Timing Analyzer\"",
        ),
        ("top.asm.rpt", "Assembler report for top\nQuartus II\n", "\"Assembler\""),
        ("top.flow.rpt", "Flow report for top\nQuartus II\n", "\"Flow\""),
        (
            "top.fit.summary",
            "Fitter Status : Successful\nQuartus II Version : 13\n",
            "it has the totals alone",
        ),
        (
            "top.syn.summary",
            "Synthesis Status : Successful\nRevision Name : top\n",
            "summary of \"Synthesis\"",
        ),
    ] {
        refused(
            file,
            content,
            "LE",
            &["the file is no report that isx reads", words, "give the fitter's report, `top.fit.rpt`"],
        );
    }
}

#[test]
fn yosys_is_read_within_its_log_and_named_in_other_forms() {
    let stat = yosys("\"SB_LUT4\": 8");
    for text in [
        format!("Reading the packed library x.lib.gz\n{stat}\n"),
        format!("\n4. Printing statistics.\n\n{stat}"),
        format!("{stat}\nEnd of script.\n"),
        format!("=== a ü ===\r\n{stat}\r\nEnd.\r\n"),
    ] {
        counts("stat.json", text, &[("LUT", "8"), ("SB_LUT4", "8")]);
    }
    refused(
        "stat.json",
        format!("log\n{stat}\n{stat}\n"),
        "LUT",
        &["more than one JSON value", "stat.json:3:1"],
    );
    let way = "`tee -q -o stat.json stat -json`";
    for (text, words) in [
        (
            "12. Printing statistics.\n\n=== top ===\n\n        9        - wires\n        4     35.5 cells\n",
            "Yosys's statistics as text",
        ),
        (
            "=== top ===\n\n   Number of wires: 3\n   Number of cells: 2\n     SB_LUT4 2\n",
            "Yosys's statistics as text",
        ),
        ("Yosys Open SYnthesis Suite\n\n1. Executing Verilog-2005 frontend.\n", "Yosys's log"),
        (
            "{\"creator\": \"Yosys 0.61\", \"modules\": {\"box\": {\"ports\": {}, \"cells\": {}}, \"top\": {\"ports\": {}, \"cells\": {\"a\": {\"type\": \"LUT4\"}}}}}",
            "a netlist (`write_json`), not statistics",
        ),
        (
            "{\"creator\": \"Next Generation Place and Route (Version nextpnr-0.7)\", \"modules\": {\"top\": {\"cells\": {}}}}",
            "a netlist",
        ),
    ] {
        refused("unit.json", text, "LUT", &["the file is no report that isx reads", words, way]);
    }
    refused(
        "pnr.log",
        "Info: Device utilisation:\nInfo: ICESTORM_LC: 9/ 5280\n",
        "LUT",
        &["nextpnr's log", "--report FILE.json"],
    );
}

#[test]
fn the_area_of_openroad_is_that_of_cells_without_macros_and_pads() {
    let metrics = |stages: &str| format!("{{\"run__flow__platform\": \"sky130hd\", {stages}}}");
    let synth = "\"synth__design__instance__area__stdcell\": 5310.5";
    let all = format!(
        "{synth}, \"floorplan__design__instance__area__stdcell\": 410.5, \"floorplan__design__instance__area__macros\": 3400.0, \
         \"finish__design__instance__area__stdcell\": 2222.0"
    );
    counts(
        "m.json",
        metrics(&all),
        &[("area", "410.5"), ("synth__design__instance__area__stdcell", "5310.5")],
    );
    let words = ["only the stage `synth` has an area", "macros and pads included", "m.json:1:"];
    refused("m.json", metrics(synth), "area", &words);
    counts(
        "metrics.csv",
        "Metric,Value\ndesign__instance__area__stdcell,1234.5\ndesign__violations,inf\n",
        &[("area", "1234.5")],
    );
    refused(
        "metrics.csv",
        "design,design_name,config,flow_status,total_runtime\n/a,a,r,ok,1\n",
        "area",
        &["OpenLane 1"],
    );
    let scene = scene();
    scene.write("base.json", metrics(&all));
    scene.write("unit.json", metrics(&all).replace("sky130hd", "nangate45"));
    let line = line(&scene, "area", "unit.json");
    scene
        .isx(&format!("{line} --area-report base=base.json"))
        .refused(2, &["OpenROAD for sky130hd: base.json", "nangate45"]);
}

#[test]
fn a_message_lists_the_names_of_the_report_and_the_way_out() {
    let xilinx = nextpnr(&[("SLICE_LUTX", 44), ("SLICE_FFX", 9)]);
    counts("unit.json", &xilinx, &[("LUT", "44"), ("FF", "9"), ("SLICE_LUTX", "44")]);
    refused(
        "unit.json",
        &xilinx,
        "ALM",
        &[
            "report `unit.json` (nextpnr for Xilinx 7 series) does not count `ALM` by a usual word",
            "--> choices.csv:2:6",
            "name one of its words in the head of the column, as in `area [SLICE_FFX]`",
            "the report has `SLICE_FFX`, `SLICE_LUTX`",
        ],
    );
    for (used, lut) in [
        (&[("TRELLIS_COMB", 70), ("TRELLIS_FF", 3)][..], "70"),
        (&[("OXIDE_COMB", 70), ("OXIDE_FF", 3)], "70"),
        (&[("LUT4", 50), ("ALU", 20), ("DFF", 3), ("BSRAM", 1)], "70"),
        (&[("MISTRAL_COMB", 70), ("MISTRAL_FF", 3)], "70"),
    ] {
        counts("unit.json", nextpnr(used), &[("LUT", lut)]);
    }
}

#[test]
fn a_report_in_place_of_tasks_is_recognized() {
    let scene = scene();
    let mut latin = quartus("MAX 10", &[]).into_bytes();
    latin.extend(b"; 85 \xB0C ;\n");
    let way = "--area-report NAME=unit.rpt";
    for (content, words) in [
        (vivado("", &[("Slice LUTs", "910")]).into_bytes(), ["it is a report of Vivado", way]),
        (nextpnr(&[("ICESTORM_LC", 44)]).into_bytes(), ["it is a report of nextpnr", way]),
        (yosys("\"SB_LUT4\": 4").into_bytes(), ["it is a report of Yosys", way]),
        (latin, ["it is a report of Quartus", way]),
        (b"{\"synth__design__instance__area__stdcell\": 5}".to_vec(), ["it is a report of OpenROAD", way]),
        (b"Metric,Value\ndesign__instance__area__stdcell,5\n".to_vec(), ["it is a report of OpenROAD", way]),
        (b"lut: 9\nreg: 3\nblkmem: 0\ndsp: 0\n".to_vec(), ["it is a report of edalize", way]),
        (b"{\"cycles\": 9}".to_vec(), ["it is a report of a run", "`wcet: {reports: [FILE], name: ..}`"]),
        (
            b"{\"creator\": \"Yosys\", \"modules\": {\"top\": {\"cells\": {}}}}".to_vec(),
            ["a netlist", "stat -json"],
        ),
        (
            b"| Command : report_power\n".to_vec(),
            ["Vivado's `report_power`", "give that of `report_utilization"],
        ),
        (
            b"Analysis & Synthesis report for top\nQuartus\n".to_vec(),
            ["\"Analysis & Synthesis\"", "give the fitter's report"],
        ),
        (
            b"//Report of the place and route\n\n1. PnR Messages\n".to_vec(),
            ["a report of Gowin's tools", "isx does not read them"],
        ),
        (
            b"Lattice Mapping Report File for Design Module 'top'\n".to_vec(),
            ["Lattice Diamond or Radiant", "does not read"],
        ),
        (b"Microsemi Libero Software\n| 4LUT | 7 |\n".to_vec(), ["Microchip's Libero", "does not read"]),
    ] {
        scene.write("unit.rpt", content);
        scene
            .isx("import unit.rpt")
            .refused(2, &[&words[..], &["error: the file has no tasks: it is ", "unit.rpt:1:1"]].concat());
    }
    // Files with tasks are read as before, whatever they mention.
    scene.write("rt.json", "/* Libero, report_utilization */ {\"tasks\": {\"a\": {\"run\": 2, \"timer\": {\"ref\": \"u\", \"period\": 10}}}}");
    scene.isx("import rt.json").code(0);
    scene.write("t.csv", "# from report_utilization, Site Type, Used\nname,period_ms,wcet_ms\na,10,1\n");
    scene.isx("import t.csv").code(0);
}
