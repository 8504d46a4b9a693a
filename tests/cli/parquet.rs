//! Fronts in Parquet are read wherever front.json is; a build without Parquet says so.

use crate::scene::Scene;

#[cfg(feature = "parquet")]
#[test]
fn a_front_in_parquet_gives_the_same_answers_as_in_json() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out o --format json,parquet").code(0);
    for which in ["--smallest", "--area 120", "--point 1", "--max-utilization 9/10"] {
        for form in ["", " --json"] {
            let wanted = scene.isx(&format!("show o/front.json {which}{form}")).code(0).stdout;
            let shown = scene.isx(&format!("show o/front.parquet {which}{form}")).code(0).stdout;
            assert_eq!(shown, wanted, "{which}");
        }
    }
    let of_resources = concat!(env!("CARGO_MANIFEST_DIR"), "/tasksets/neorv32-resources.yaml");
    scene.isx(&format!("explore {of_resources} --out r --format json,parquet")).code(0);
    for which in ["--within LE=5000,MULT9=8 --json", "--smallest --json"] {
        let [wanted, shown] =
            ["json", "parquet"].map(|form| scene.isx(&format!("show r/front.{form} {which}")));
        assert_eq!(shown.code(0).stdout, wanted.code(0).stdout, "{which}");
    }
    for which in ["--point 99", "--area 0.5 --json", "--max-utilization 1/1000"] {
        let wanted = scene.isx(&format!("show o/front.json {which}"));
        let printed = scene.isx(&format!("show o/front.parquet {which}"));
        assert_eq!((printed.code, printed.stderr), (wanted.code, wanted.stderr), "{which}");
    }
    assert_eq!(
        scene.isx("plot o/front.parquet -o -").code(0).stdout,
        scene.isx("plot o/front.json -o -").code(0).stdout
    );
    let printed = scene.isx("compare o/front.json o/front.parquet").code(0);
    assert!(printed.stdout.contains("The fronts are equal."), "{}", printed.stdout);
    scene.isx("report o/front.parquet --taskset small.yaml").code(0);
    let page = scene.read("o/front.html");
    assert!(page.contains("\"of\":\"front and task set\"") && page.contains("\"name\":\"front.parquet\""));
    scene.isx("plot o/front.parquet").code(0);
    assert!(scene.read("o/front.svg").contains("<svg"));
}

#[cfg(feature = "parquet")]
#[test]
fn a_front_in_modes_is_read_without_the_utilizations_in_each_which_are_doubles() {
    let scene = Scene::new();
    let set = concat!(env!("CARGO_MANIFEST_DIR"), "/tasksets/gateway-modes.yaml");
    scene.isx(&format!("explore {set} --out o --format json,parquet")).code(0);
    let printed = scene.isx("compare o/front.json o/front.parquet").code(0);
    assert!(printed.stdout.contains("The fronts are equal."), "{}", printed.stdout);
    let picture = scene.isx("plot o/front.parquet -o -").code(0).stdout;
    assert!(picture.contains("7 designs") && !picture.contains("Largest utilization in"), "{picture}");
    scene.isx("report o/front.parquet -o page.html").code(0);
    let page = super::report::data(&scene.read("page.html"));
    assert_eq!(page["document"]["mode_areas"].as_array().unwrap().len(), 3);
}

#[cfg(feature = "parquet")]
#[test]
fn a_damaged_front_in_parquet_is_refused_without_a_panic() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out o --format parquet").code(0);
    let whole = scene.files()[std::path::Path::new("o/front.parquet")].clone();
    let mut refused = 0;
    for at in (8..whole.len() - 8).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at..at + 4].fill(0xff);
        scene.write("damaged.parquet", &bytes);
        let ran = scene.isx("plot damaged.parquet -o -");
        assert!([0, 2].contains(&ran.code) && !ran.stderr.contains("panicked"), "{at}: {}", ran.stderr);
        refused += usize::from(ran.code == 2);
    }
    assert!(refused > 5, "{refused}");
    scene.write("cut.parquet", &whole[..whole.len() / 2]);
    for command in
        ["show cut.parquet --point 0", "plot cut.parquet", "report cut.parquet", "compare cut.parquet x"]
    {
        scene.isx(command).refused(2, &["cut.parquet: not a front in Parquet that can be read: "]);
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_build_it_with() {
    let scene = Scene::small();
    let words = ["this isx was built without Parquet", "cargo install --path . --features full"];
    scene.isx("explore small.yaml --out o --format csv,parquet").refused(2, &words);
    scene.write("front.parquet", b"PAR1 and so on PAR1");
    let front = "front.parquet";
    for command in ["show F --point 0", "plot F", "report F", "compare F F"] {
        let wanted = format!(
            "error: {front}: a front in Parquet; this isx was built without Parquet; `cargo install --path . --features \
             full` builds it with"
        );
        scene.isx(&command.replace('F', front)).refused(2, &[&wanted]);
    }
}
