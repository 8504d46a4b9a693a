//! isx solve tsp, isx generate tsp.

use super::scene::Scene;
use serde_json::{Value, json};

/// On a line: 4 and back.
const LINE: &str = "\
NAME: line
TYPE: TSP
DIMENSION: 5
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
10 2 0
20 0 0
30 4 0
40 1 0
50 3 0
EOF
";

#[test]
fn the_shortest_tour_is_given_by_every_engine_of_the_cpu() {
    let scene = Scene::with("line.tsp", LINE);
    for flags in ["", "--engine reference", "--engine layers", "--engine layers --threads 2"] {
        let solution = scene.isx(&format!("solve tsp line.tsp --json {flags}")).code(0).json();
        assert_eq!(solution["schema"], "isx.solution/1");
        assert_eq!(solution["problem"], "tsp");
        assert_eq!(solution["feasible"], true);
        assert_eq!(solution["value"], "8");
        assert_eq!(solution["weight"], Value::Null);
        // Cities 1 and 3 are the least set with which a shortest tour ends.
        assert_eq!(solution["picks"], json!([0, 4, 2, 1, 3]));
        assert_eq!(solution["tour"], json!([10, 50, 30, 20, 40]));
        for time in ["read", "reduce", "solve", "traceback"] {
            assert!(solution["timings"][time].as_f64().is_some_and(|time| time >= 0.0), "{time}");
        }
        for word in ["ran_on", "arithmetic", "why"] {
            assert!(solution["engine"][word].as_str().is_some_and(|text| !text.is_empty()), "{word}");
        }
        assert!(solution["updates"].as_u64().is_some_and(|updates| updates > 0));
    }
}

#[test]
fn the_text_says_the_same() {
    let scene = Scene::with("line.tsp", LINE);
    let text = scene.isx("solve tsp line.tsp").code(0).stdout;
    assert_eq!(text, "length     8\ntour       10 50 30 20 40\n");
    let told = scene.isx("solve tsp line.tsp -v").code(0).stdout;
    for word in ["\nengine     ", "\ntime       read ", "\nupdates    "] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn several_files_give_a_line_each_and_a_bad_one_stops_none() {
    let scene = Scene::with("line.tsp", LINE);
    scene.write("bad.tsp", LINE.replace("30 4 0", "30 4"));
    let ran = scene.isx("solve tsp line.tsp bad.tsp line.tsp").code(2);
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["value"], &lines[2]["tour"][0]), (&json!("8"), &json!(10)));
    assert_eq!((&lines[0]["file"], &lines[1]["exit_code"]), (&json!("line.tsp"), &json!(2)));
    let wanted = "bad.tsp: line 8, column 5: the line of city 30 ends where its second coordinate should stand; \
                  a line is `number x y`";
    assert_eq!(lines[1]["error"], wanted);
}

#[test]
fn files_that_are_no_problems_are_refused_with_their_place() {
    let scene = Scene::with("bad.tsp", LINE.replace("\nTYPE: TSP", "\nTYPE: TOUR"));
    scene.isx("solve tsp bad.tsp --json").refused(2, &["bad.tsp: line 2, column 7: `TOUR` is no TYPE"]);
    scene.isx("solve tsp missing.tsp --json").refused(2, &["missing.tsp"]);
    scene.isx("solve tsp bad.tsp --engine abacus").code(2);
}

#[test]
fn more_cities_than_memory_holds_are_exit_code_4_with_the_bytes_and_a_way_out() {
    let scene = Scene::new();
    scene.isx("generate tsp --cities 32 -o p.tsp").code(0);
    let words =
        ["needs 373", " bytes of tables and 4294967296 are allowed", "--max-memory", "Concorde", "LKH"];
    scene.isx("solve tsp p.tsp --engine layers").refused(4, &words);
    // No GPU has enough memory for so many cities either; the message names the engine that needs least.
    scene.isx("generate tsp --cities 40 -o p.tsp").code(0);
    scene.isx("solve tsp p.tsp").refused(4, &["the layers engine needs 1", "bytes of tables", "Concorde"]);
    scene.isx("generate tsp --cities 280 -o many.tsp").code(0);
    let words = ["5.1 * 10^85 bytes", "280 cities", "Concorde"];
    scene.isx("solve tsp many.tsp --json --max-memory 100TB").refused(4, &words);
    let large = scene.isx("generate tsp --cities 20000").code(0).stdout;
    scene.write("large.tsp", large);
    scene.isx("solve tsp large.tsp").refused(4, &["20000 cities"]);
}

#[test]
fn generated_problems_solve_and_their_comment_makes_them_again() {
    let scene = Scene::new();
    for flags in ["", " --asymmetric"] {
        let made = scene.isx(&format!("generate tsp --cities 7 --range 50{flags} --seed 9")).code(0).stdout;
        assert!(made.contains(&format!("COMMENT: isx generate tsp --cities 7 --range 50{flags} --seed 9\n")));
        scene.write("p.tsp", &made);
        let by = |engine: &str| scene.isx(&format!("solve tsp p.tsp --engine {engine}")).code(0).stdout;
        assert_eq!(by("layers"), by("reference"));
    }
    let refused = scene.isx("generate tsp --cities 0").code(2);
    assert!(refused.stderr.contains("--cities 0: "), "{}", refused.stderr);
}
