//! `isx import` of tables: as Europe's spreadsheets write them, and with blocks that choices share.

use super::scene::{Scene, has};
use isx::quantity::Rational;
use isx::taskset::{TaskSet, read_str};

fn set(yaml: &str) -> TaskSet {
    read_str("imported.yaml", yaml).unwrap().task_set
}

fn without_sources(yaml: &str) -> String {
    yaml.lines()
        .filter(|line| !line.contains("source:") && !line.starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Semicolons and decimal commas, a byte-order mark, quoted cells, lines that end in CR LF, and Excel's first line: all
/// give the set of the plain file.
#[test]
fn a_european_table_is_the_plain_one() {
    let scene = Scene::new();
    let plain = "name,period_ms,wcet_us,deadline_ms\nvalve,5,800.5,3.5\n\"pump, big\",20.25,1500,\n";
    scene.write("plant.csv", plain);
    let wanted = scene.isx("import plant.csv").code(0).stdout;
    let first = &set(&wanted).tasks[0];
    assert_eq!(first.wcets[0], Rational::new(8005.into(), 10_000_000.into()));
    for (table, about) in [
        ("name;period_ms;wcet_us;deadline_ms\nvalve;5;800,5;3,5\npump, big;20,25;1500;\n", "semicolons"),
        (
            "\u{feff}name;period_ms;wcet_us;deadline_ms\r\nvalve;5;800,5;3,5\r\n\"pump, big\";20,25;1500;\r\n",
            "a mark",
        ),
        (
            "sep=;\r\nname;period_ms;wcet_us;deadline_ms\r\nvalve;5;800,5;3,5\r\npump, big;20,25;1500;\r\n",
            "sep=",
        ),
        (
            "sep=\t\r\nname\tperiod_ms\twcet_us\tdeadline_ms\r\nvalve\t5\t800,5\t3,5\r\npump, big\t20,25\t1500\t\r\n",
            "sep= and a tab",
        ),
        (
            "name,period_ms,wcet_us,deadline_ms\nvalve,5,\"800,5\",\"3,5\"\n\"pump, big\",\"20,25\",1500,\n",
            "quotes",
        ),
        ("name\tperiod_ms\twcet_us\tdeadline_ms\nvalve\t5\t800,5\t3,5\npump, big\t20,25\t1500\t\n", "tabs"),
        (
            "name;period_ms;wcet_us;deadline_ms\nvalve;5;800,500;3,5\npump, big;20,25;1500;\n",
            "three decimals",
        ),
        ("name;period;wcet;deadline\nvalve;5 ms;800,5 us;3,5 ms\npump, big;20,25 ms;1,5e3 us;\n", "units"),
    ] {
        scene.write("plant.csv", table);
        assert_eq!(
            without_sources(&scene.isx("import plant.csv").code(0).stdout),
            without_sources(&wanted),
            "{about}"
        );
    }
}

#[test]
fn a_decimal_mark_that_cannot_be_told_is_asked_for() {
    let scene = Scene::with("amb.csv", "name;period_ms;wcet_us\nvalve;5;1\npump;6;1.500\n");
    let wanted = "\
error: `1.500` may be 1.5 or 1500: no figure of the file shows its decimal mark
 --> amb.csv:3:8
  |
3 | pump;6;1.500
  |        ^^^^^ a decimal mark, or a thousands separator?
  |
  = help: write one figure so that it is plain, such as 1.5 or 1,5, and none with thousands separators
help: or say which it is with --decimal point or --decimal comma
";
    assert_eq!(scene.isx("import amb.csv").refused(2, &[]).stderr, wanted);
    let wcet = |line: &str| scene.isx(line).code(0).stdout.contains("wcet: 1500 ns");
    assert!(wcet("import amb.csv --decimal point"));
    scene
        .isx("import amb.csv --decimal comma")
        .refused(2, &["`1.500` has thousands separators", "amb.csv:3:8"]);
    scene.write("amb.csv", "name,period_ms,wcet_us\npump,6,\"1,500\"\n");
    scene.isx("import amb.csv").refused(2, &["`1,500` may be 1.5 or 1500", "amb.csv:2:8"]);
    assert!(wcet("import amb.csv --decimal comma"));
    // Programs that write commas between cells have decimal points; one plain figure shows the mark of all.
    for table in ["name,period_ms,wcet_us\npump,6,1.500\n", "name;period_ms;wcet_us\npump;0.5;1.500\n"] {
        scene.write("amb.csv", table);
        assert!(wcet("import amb.csv"));
    }
    scene.write("lab.xml", "<taskset><task id=\"1\" wcet=\"1\" period=\"9\"/></taskset>");
    scene
        .isx("import lab.xml --decimal comma")
        .refused(2, &["a decimal mark was named, and files of format schedcat have no use for it"]);
}

/// Two tasks, three choices and two blocks.
fn shared() -> Scene {
    let scene = Scene::with("plant.csv", "name,period_ms,wcet_us\nvalve,1,800\npump,2,1500\n");
    scene.write(
        "choices.csv",
        "task;choice;area [NAND2];wcet_us;uses\nvalve;mac;1,5;400;mul\nvalve;fast;;300;mul, box 2\npump;own;7;600;\n",
    );
    scene.write(
        "blocks.csv",
        "block;area;slot;fmax_MHz;source\nmul;310,5;;90,5;synthesis\nbox 2;464;crypto;;\n",
    );
    scene.write("boxes.csv", "block,area\nbox 2,1\n");
    scene
}

#[test]
fn blocks_of_choices_are_imported_and_paid_for_once() {
    let scene = shared();
    scene.write(
        "choices.csv",
        "task,choice,area [NAND2],wcet_us,uses\nvalve,mac,1.5,400,mul\npump,dsp,,600,mul\n",
    );
    let line = "import plant.csv --choices choices.csv --blocks blocks.csv --clock 100MHz -o plant.yaml";
    let ran = scene.isx(line).code(0);
    assert_eq!(
        ran.stderr,
        "note: wrote plant.yaml: 2 tasks, read as csv\nnote: next: isx explore plant.yaml\n"
    );
    let wanted = "\
name: plant
clock: 100 MHz
area_unit: NAND2
blocks:
  - name: mul
    area: 310.5
    fmax: 90.5 MHz
  - name: \"box 2\"
    area: 464
    slot: crypto
tasks:
  - name: valve
    wcet: 800 us
    period: 1 ms
    choices:
      - name: mac
        uses: [mul]
        area: 1.5
        wcet: 400 us
  - name: pump
    wcet: 1500 us
    period: 2 ms
    choices:
      - name: dsp
        uses: [mul]
        wcet: 600 us";
    let yaml = scene.read("plant.yaml");
    assert_eq!(without_sources(&yaml), wanted);
    has(&yaml, &["# Blocks are from blocks.csv: 2.\n", "source: \"blocks.csv line 3\"\n"]);
    let front = scene.isx("explore plant.yaml --json").code(0).json();
    let areas: Vec<_> = front["points"].as_array().unwrap().iter().map(|point| &point["area"]).collect();
    assert_eq!(areas, ["0", "310.5", "312"]);
}

#[test]
fn a_name_with_a_space_stands_alone() {
    let scene = shared();
    scene.write("choices.csv", "task,choice,wcet_us,uses\nvalve,fast,300,box 2\n");
    let yaml = scene.isx("import plant.csv --choices choices.csv --blocks boxes.csv").code(0).stdout;
    assert_eq!(set(&yaml).tasks[0].choices[0].uses, [0]);
}

#[test]
fn blocks_that_cannot_be_used_are_refused_at_their_place() {
    let scene = shared();
    let refused = |line: &str, wanted: &str| {
        assert_eq!(scene.isx(line).refused(2, &[]).stderr, wanted, "{line}");
    };
    refused(
        "import plant.csv --choices choices.csv",
        "\
error: choices use blocks, and no table gives the areas of blocks
 --> choices.csv:2:19
  |
2 | valve;mac;1,5;400;mul
  |                   ^^^ used here
help: give a table of blocks with --blocks: block, area, and optionally slot, fmax
",
    );
    refused(
        "import plant.csv --choices choices.csv --blocks blocks.csv",
        "\
error: `fmax` of block `mul` needs the processor's clock
 --> blocks.csv:2:12
  |
2 | mul;310,5;;90,5;synthesis
  |            ^^^^ a design with it runs at most this fast
help: give the processor's clock with --clock
",
    );
    refused(
        "import plant.csv --choices choices.csv --blocks boxes.csv",
        "\
error: `uses` of choice `mac` of task `valve`: no block is named `mul`
 --> choices.csv:2:19
  |
2 | valve;mac;1,5;400;mul
  |                   ^^^ expected the name of a block
  |
  = help: block names stand with spaces, commas or semicolons between them

error: `uses` of choice `fast` of task `valve`: no block is named `mul`
 --> choices.csv:3:17
  |
3 | valve;fast;;300;mul, box 2
  |                 ^^^^^^^^^^ expected the name of a block
  |
  = help: block names stand with spaces, commas or semicolons between them
",
    );
    scene.isx("import plant.csv --blocks blocks.csv").refused(2, &["--choices <FILE.csv>"]);
    scene
        .isx("import plant.csv --choices - --blocks -")
        .refused(2, &["error: only one of the files can be standard input"]);
}

#[test]
fn areas_are_taken_from_the_best_reports_less_the_base() {
    let scene = shared();
    scene.write("choices.csv", "task,choice,area [LUT],wcet_us,uses\nvalve,mac,,400,mul\npump,own,,600,\n");
    scene.write("blocks.csv", "block,area\nmul,\n");
    let stat = |luts: u32| {
        let cells = format!("{{\"$scopeinfo\": 1, \"SB_LUT4\": {luts}}}");
        format!(
            "{{\"creator\": \"Yosys\", \"modules\": {{}}, \"design\": {{\"num_cells_by_type\": {cells}}}}}"
        )
    };
    for (file, luts) in [("base.json", 1567), ("mul-1.json", 1960), ("mul-2.json", 1926), ("own.json", 1574)]
    {
        scene.write(file, stat(luts));
    }
    let tables = "import plant.csv --choices choices.csv --blocks blocks.csv";
    let reports =
        "--area-report base=base.json --area-report mul=mul-1.json,mul-2.json --area-report own=own.json";
    scene.write("blocks.csv", "block,area [LUT]\nmul,\n");
    let yaml = scene.isx(&format!("{tables} {reports}")).code(0).stdout;
    let imported = set(&yaml);
    assert_eq!(imported.blocks[0].cost[0].to_string(), "359");
    assert_eq!(imported.tasks[1].choices[0].cost[0].to_string(), "7");
    has(&yaml, &["1926 LUT in mul-2.json, best of 2, less the base: 1567 LUT in base.json"]);

    for (choices, blocks, more, words) in [
        (
            "",
            "mul,",
            "base=own.json",
            [
                "block `mul` makes the design smaller: 1567 LUT in base.json, less the base: 1574",
                "blocks.csv:2:1",
            ],
        ),
        ("", "mul,7", "", ["block `mul` has an area in the table and a report of it", "blocks.csv:2:1"]),
        (
            "",
            "mul,",
            "mac=own.json",
            ["choice `mac` of task `valve` has blocks and a report", "choices.csv:2:7"],
        ),
        (
            " [LUT]",
            "mul,",
            "",
            ["block `mul` has reports, and no table says in what areas are counted", "blocks.csv:2:1"],
        ),
        ("LUT", "mul,", "", ["(Yosys for iCE40) does not count `ALM` by a usual word", "blocks.csv:2:1"]),
    ] {
        let head = match choices {
            "" => "area [LUT]",
            "LUT" => "area [ALM]",
            _ => "area",
        };
        scene.write("blocks.csv", format!("block,{head}\n{blocks}\n"));
        let own = if more.starts_with("base") {
            "mul=base.json"
        } else {
            "mul=mul-1.json --area-report base=base.json"
        };
        let more = if more.is_empty() { String::new() } else { format!(" --area-report {more}") };
        scene
            .isx(&format!("{tables} --area-report own=mul-1.json --area-report {own}{more}"))
            .refused(2, &words);
    }
    scene.write("blocks.csv", "block,area [LUT]\nmul,\n");
    scene.isx(&format!("{tables} --area-report mul")).refused(2, &["`--area-report mul` is no NAME=FILE"]);
    scene.isx(&format!("{tables} --area-report mul=none.json")).refused(2, &["none.json: No such file"]);
    scene.write("text.rpt", "Number of cells: 12\n");
    scene.isx(&format!("{tables} --area-report mul=text.rpt")).refused(
        2,
        &[
            "error: the file is no report that isx reads",
            "--> text.rpt:1:1",
            "tee -q -o stat.json stat -json",
        ],
    );
    scene.isx(&format!("{tables} {reports} --area-report mull=mul-1.json")).refused(
        2,
        &["no block and no choice is named `mull`, of which there are reports", "did you mean `mul`?"],
    );
}

#[test]
fn costs_of_several_resources_are_imported_with_their_signs() {
    let scene = Scene::with("plant.csv", "name,period_ms,wcet_ms\nfir,10,8\niir,20,3\n");
    scene.write("blocks.csv", "block,cost.LUT,cost.DSP,slot\nmul,-30,4,m\nram,12.5,,\n");
    scene.write(
        "choices.csv",
        "task,choice,uses,cost [LUT],cost [BRAM],saves_ms\nfir,mac,mul,41,0.5,3\nfir,plain,mul ram,,,2\niir,own,,0,,1\n",
    );
    let ran = scene.isx("import plant.csv --choices choices.csv --blocks blocks.csv").code(0);
    assert_eq!(ran.stderr, "");
    has(
        &ran.stdout,
        &[
            "resources: [LUT, DSP, BRAM]\n",
            "    cost: {LUT: -30, DSP: 4}\n    slot: m\n",
            "        uses: [mul]\n        cost: {LUT: 41, BRAM: 0.5}\n",
            "        uses: [mul, ram]\n        saves: 2 ms\n",
            "      - name: own\n        cost: {}\n",
        ],
    );
    // Both tables have areas, or both costs; one resource is an area in its unit.
    scene.write("blocks.csv", "block,area\nmul,7\nram,8\n");
    scene
        .isx("import plant.csv --choices choices.csv --blocks blocks.csv")
        .refused(2, &["costs in resources here, and the blocks have areas", "choices.csv:1:18"]);
    scene.write("choices.csv", "task,choice,cost.LUT,wcet_ms\nfir,mac,41,3\n");
    let set = set(&scene.isx("import plant.csv --choices choices.csv").code(0).stdout);
    assert_eq!((set.area_unit(), set.tasks[0].choices[0].cost[0].to_string()), ("LUT", "41".to_owned()));
}
