//! isx solve lcs, isx generate lcs.

use super::scene::{Ran, Scene};
use serde_json::{Value, json};

fn pair(a: impl AsRef<[u8]>, b: impl AsRef<[u8]>) -> Scene {
    let scene = Scene::with("a.txt", a);
    scene.write("b.txt", b);
    scene
}

fn solved(scene: &Scene, flags: &str) -> Value {
    let ran = scene.isx(&format!("solve lcs a.txt b.txt --json {flags}")).code(0);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn the_letters_and_their_places_are_given_by_every_engine_of_the_cpu() {
    let scene = pair("nematode\n", "empty");
    for flags in ["", "--engine reference", "--engine bitparallel", "--engine bitparallel --threads 1"] {
        let solution = solved(&scene, flags);
        assert_eq!(solution["schema"], "isx.solution/1");
        assert_eq!((&solution["problem"], &solution["feasible"]), (&json!("lcs"), &json!(true)));
        assert_eq!((&solution["value"], &solution["weight"]), (&json!("3"), &Value::Null));
        assert_eq!(solution["picks"], json!([[1, 0], [2, 1], [4, 3]]));
        assert_eq!(
            (&solution["subsequence"], &solution["subsequence_base16"]),
            (&json!("emt"), &Value::Null)
        );
        assert_eq!(solution["sequences"], json!([{"name": null, "length": 8}, {"name": null, "length": 5}]));
        for time in ["read", "reduce", "solve", "traceback"] {
            assert!(solution["timings"][time].as_f64().is_some_and(|time| time >= 0.0), "{time}");
        }
        for word in ["ran_on", "arithmetic", "why"] {
            assert!(solution["engine"][word].as_str().is_some_and(|text| !text.is_empty()), "{word}");
        }
        assert!(solution["updates"].as_u64().is_some_and(|updates| updates > 0));
    }
    let length = solved(&scene, "--length-only");
    assert_eq!(
        (&length["value"], &length["picks"], &length["subsequence"]),
        (&json!("3"), &Value::Null, &Value::Null)
    );
}

#[test]
fn bytes_of_every_value_are_letters() {
    let every: Vec<u8> = (0..=255).collect();
    let solution = solved(&pair(&every, [&every[..], b"\r\n"].concat()), "");
    assert_eq!((&solution["value"], &solution["subsequence"]), (&json!("256"), &Value::Null));
    assert!(solution["subsequence_base16"].as_str().unwrap().starts_with("00010203"));
    // The two letters have two bytes each, of which the first are equal.
    let solution = solved(&pair("ä", "ö"), "");
    assert_eq!((&solution["value"], &solution["subsequence_base16"]), (&json!("1"), &json!("c3")));
    let solution = solved(&pair("", "\n"), "");
    assert_eq!(
        (&solution["value"], &solution["picks"], &solution["subsequence"]),
        (&json!("0"), &json!([]), &json!(""))
    );
}

#[test]
fn fasta_and_plain_text_may_be_mixed() {
    let scene = pair(">first of two\nGAT\nTACA\n>second\nACGT\n", "GCATGCU\n");
    assert_eq!(solved(&scene, "--record-a 1")["value"], "4");
    let solution = solved(&scene, "--record-a second");
    assert_eq!((&solution["value"], &solution["sequences"][0]["name"]), (&json!("2"), &json!("second")));
    let text = scene.isx("solve lcs a.txt b.txt --record-a first").code(0).stdout;
    assert!(text.contains("57.1 % of 7 letters  first of two\n"), "{text}");
    scene.write("piped.txt", ">x\nGAT\nTA CA");
    let piped = std::fs::File::open(scene.path("piped.txt")).unwrap();
    let piped = Ran::of(scene.command(&["solve", "lcs", "-", "b.txt"]).stdin(piped)).code(0);
    assert!(piped.stdout.starts_with("length     4\n"), "{}", piped.stdout);
}

#[test]
fn the_text_says_the_same() {
    let scene = pair("x".repeat(1000), "xy".repeat(250));
    let text = scene.isx("solve lcs a.txt b.txt").code(0).stdout;
    let line = "x".repeat(60);
    let wanted = format!(
        "length     250\nof A       25.0 % of 1,000 letters\nof B       50.0 % of 500 letters\n\
         letters    {line}\n           {line}\n           {line}\n           {}\n           … 50 more\n",
        &line[..20]
    );
    assert_eq!(text, wanted);
    let all = scene.isx("solve lcs a.txt b.txt --all").code(0).stdout;
    assert_eq!(all.matches('x').count(), 250);
    let told = scene.isx("solve lcs a.txt b.txt --length-only -v").code(0).stdout;
    for word in ["length     250\n", "\nengine     ", "\ntime       read ", "\nupdates    "] {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert!(!told.contains("letters    "));
    scene.isx("solve lcs a.txt b.txt -o common.bin").code(0);
    assert_eq!(std::fs::read(scene.path("common.bin")).unwrap(), vec![b'x'; 250]);
}

#[test]
fn bad_input_is_told_with_line_and_column_and_exit_code_2() {
    let scene = pair(">one\nAC\nG>two\n", "ACGT");
    let refused = |command: &str| {
        let ran = scene.isx(command).code(2);
        assert!(ran.stdout.is_empty());
        ran.stderr
    };
    let told = refused("solve lcs a.txt b.txt --json");
    assert!(
        told.contains("a.txt: line 3, column 2: `>` begins a record; write it at the beginning of a line"),
        "{told}"
    );
    scene.write("a.txt", ">one\nAC\n>two\nG\n");
    let told = refused("solve lcs b.txt a.txt");
    assert!(told.contains("a.txt: line 3, column 1: a second record begins here; name one of the 2 by its name or its number with --record-b"), "{told}");
    let told = refused("solve lcs a.txt b.txt --record-a three");
    assert!(told.contains("a.txt: none of the 2 records is `three`; the first is `one`"), "{told}");
    let told = refused("solve lcs a.txt b.txt --record-a one --record-b 1");
    assert!(told.contains("b.txt: this is plain text, which has no record `1`"), "{told}");
    assert!(refused("solve lcs - -").contains("only one of the two sequences can be standard input"));
    assert!(refused("solve lcs b.txt missing.txt").contains("missing.txt"));
    refused("solve lcs b.txt b.txt --engine abacus");
    refused("solve lcs b.txt b.txt --all --json");
    refused("solve lcs b.txt b.txt -o x --length-only");
}

#[test]
fn tables_beyond_the_memory_allowed_are_exit_code_4() {
    let scene = Scene::new();
    scene.isx("generate lcs a.txt b.txt --lengths 6000").code(0);
    let ran = scene.isx("solve lcs a.txt b.txt --engine reference --max-memory 1MB").code(4);
    for words in
        ["bytes of tables", "--max-memory", "--length-only", "--engine bitparallel, which needs at least "]
    {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    scene.isx("solve lcs a.txt b.txt --engine reference --max-memory 1MB --length-only").code(0);
    scene.isx("solve lcs a.txt b.txt --engine bitparallel --threads 1 --max-memory 1MB").code(0);
}

#[test]
fn generated_pairs_solve_and_their_note_makes_them_again() {
    let scene = Scene::new();
    let made =
        scene.isx("generate lcs a.txt b.txt --lengths 300,200 --alphabet 26 --common 50 --seed 9").code(0);
    let note = "isx generate lcs a.txt b.txt --lengths 300,200 --alphabet 26 --common 50 --seed 9";
    assert!(made.stderr.contains(note), "{}", made.stderr);
    let length: u64 = solved(&scene, "")["value"].as_str().unwrap().parse().unwrap();
    assert!((100..=200).contains(&length), "{length}");
    assert!(scene.isx("generate lcs a.txt b.txt --alphabet 300").code(2).stderr.contains("--alphabet 300: "));
    scene.isx("generate lcs a.txt b.txt --lengths 1,2,3").code(2);
    assert_eq!(std::fs::read(scene.path("b.txt")).unwrap().len(), 200);
}
