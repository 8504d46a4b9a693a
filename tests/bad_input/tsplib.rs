//! Files that are not TSPLIB problems: every error is reported with its place and a fix, and none causes a panic.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use isx::problem::tsp::tsplib::parse;

const PLANE: &str = "\
NAME: plane
TYPE: TSP
COMMENT: four cities
DIMENSION: 4
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 3 4
3 0 9.5
4 7 1e0
EOF
";

const MATRIX: &str = "\
NAME : matrix
TYPE : ATSP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
EDGE_WEIGHT_SECTION
9999 1 2
3 9999 4
5 6 9999
DISPLAY_DATA_SECTION
1 0.5 1
2 1 1
3 2 2
EOF
";

/// The whole message of a file that must be refused.
#[track_caller]
fn message(text: &str) -> String {
    match parse(text).and_then(|read| read.problem()) {
        Ok(problem) => panic!("accepted: {problem:?}"),
        Err(error) => error.to_string(),
    }
}

/// A file with one part replaced.
#[track_caller]
fn with(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old}");
    text.replace(old, new)
}

#[test]
fn good_files_are_read_in_every_spelling() {
    for text in
        [PLANE, &PLANE.replace("EOF\n", ""), &PLANE.replace('\n', "\r\n"), &PLANE.replace(": ", " :  ")]
    {
        let problem = parse(text).unwrap().problem().unwrap();
        assert_eq!((problem.cities(), problem.distance(0, 1), problem.distance(2, 0)), (4, 5, 10));
    }
    let spread = MATRIX.replace("9999 1 2\n3 9999 4\n", "9999 1\n2 3 9999\n\n4 ");
    for text in [MATRIX, &spread, &format!("\u{feff}{MATRIX}\n \n")] {
        let read = parse(text).unwrap();
        assert_eq!((read.name(), read.cities(), read.is_symmetric()), ("matrix", 3, false));
        let problem = read.problem().unwrap();
        assert_eq!((problem.distance(0, 0), problem.distance(0, 2), problem.distance(2, 0)), (0, 2, 5));
        assert_eq!(problem.numbers(), [1, 2, 3]);
    }
    let numbered = PLANE.replace("1 0 0\n", "70 0 0\n");
    assert_eq!(parse(&numbered).unwrap().problem().unwrap().numbers(), [70, 2, 3, 4]);
}

#[test]
fn what_is_missing_is_named() {
    let without = |text: &str, line: &str| message(&with(text, line, ""));
    assert_eq!(
        without(PLANE, "\nTYPE: TSP"),
        "line 11, column 1: the file ends without TYPE; say `TYPE: TSP` or `TYPE: ATSP`"
    );
    assert_eq!(
        without(PLANE, "EDGE_WEIGHT_TYPE: EUC_2D\n"),
        "line 11, column 1: the file ends without EDGE_WEIGHT_TYPE; isx reads EUC_2D, CEIL_2D, ATT, GEO and EXPLICIT"
    );
    assert_eq!(
        without(PLANE, "DIMENSION: 4\n"),
        "line 5, column 1: NODE_COORD_SECTION stands before DIMENSION; say first how many cities there are"
    );
    assert_eq!(
        without(PLANE, "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 0 9.5\n4 7 1e0\n"),
        "line 7, column 1: the file ends without NODE_COORD_SECTION; give the coordinates of every city"
    );
    assert_eq!(
        without(MATRIX, "EDGE_WEIGHT_SECTION\n9999 1 2\n3 9999 4\n5 6 9999\n"),
        "line 11, column 1: the file ends without EDGE_WEIGHT_SECTION; give the distances, or another EDGE_WEIGHT_TYPE"
    );
    assert_eq!(
        without(MATRIX, "EDGE_WEIGHT_FORMAT : FULL_MATRIX\n"),
        "line 5, column 1: EDGE_WEIGHT_SECTION stands before EDGE_WEIGHT_FORMAT; say first how the matrix is written; \
         isx reads FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, LOWER_DIAG_ROW and the same with COL"
    );
    assert_eq!(message(""), "line 1, column 1: the file ends without TYPE; say `TYPE: TSP` or `TYPE: ATSP`");
}

#[test]
fn counts_that_do_not_agree_are_told_where_they_part() {
    assert_eq!(
        message(&with(PLANE, "4 7 1e0\n", "")),
        "line 10, column 1: `EOF` stands where the number of city 4 of 4 should; DIMENSION says 4; a line `number x y` \
         for each of them"
    );
    assert_eq!(
        message(&with(PLANE, "4 7 1e0\nEOF\n", "")),
        "line 10, column 1: the file ends where city 4 of 4 should stand; DIMENSION says 4; a line `number x y` for each \
         of them"
    );
    assert_eq!(
        message(&with(PLANE, "DIMENSION: 4", "DIMENSION: 3")),
        "line 10, column 1: `4 7 1e0` stands where a keyword should; a line begins with a keyword such as NAME or EOF; a \
         section holds as many numbers as DIMENSION says"
    );
    assert_eq!(
        message(&with(MATRIX, "5 6 9999\n", "5 6\n")),
        "line 10, column 1: `DISPLAY_DATA_SECTION` stands where distance 9 of 9 should; the matrix is too short, or this \
         is no number; are DIMENSION and EDGE_WEIGHT_FORMAT right?"
    );
    assert_eq!(
        message(&with(MATRIX, "5 6 9999\n", "5 6 9999 -7\n")),
        "line 9, column 10: `-7` stands after the last of 9 distances; 3 cities in this format have 9; are DIMENSION and \
         EDGE_WEIGHT_FORMAT right?"
    );
    assert_eq!(
        message(MATRIX.split_once("5 6").unwrap().0),
        "line 9, column 1: the file ends where distance 7 of 9 should stand; 3 cities in this format have 9 distances"
    );
}

const NUMBER: &str = "write a number such as 12, -5.21 or 6.0e+02, of up to 2^60";

#[test]
fn what_is_no_coordinate_is_shown() {
    let refused = |new: &str| message(&with(PLANE, "2 3 4", new));
    let line = "a line is `number x y`";
    for (new, wanted) in [
        ("2 x 4", format!("3: `x` is no coordinate; {NUMBER}")),
        ("  2 3 nan", format!("7: `nan` is no coordinate; {NUMBER}")),
        ("2 1e99 4", format!("3: `1e99` is no coordinate; {NUMBER}")),
        ("2 3 \u{1b}[2J", format!("5: `\\u{{1b}}[2J` is no coordinate; {NUMBER}")),
        ("2 3", format!("4: the line of city 2 ends where its second coordinate should stand; {line}")),
        ("2 3 4 5", format!("7: `5` stands after the coordinates of city 2; {line}, in two dimensions")),
        ("1 3 4", "1: city 1 stands here and in line 7; give every city a number of its own".into()),
        (
            "-2 3 4",
            format!(
                "1: `-2` stands where the number of city 2 of 4 should; DIMENSION says 4; {} for each of them",
                "a line `number x y`"
            ),
        ),
    ] {
        assert_eq!(refused(new), format!("line 8, column {wanted}"));
    }
    let display = message(&with(MATRIX, "2 1 1", "2 1 x"));
    assert_eq!(display, format!("line 12, column 5: `x` is no display coordinate; {NUMBER}"));
}

#[test]
fn what_is_no_distance_is_shown() {
    let refused = |new: &str| message(&with(MATRIX, "3 9999 4", new));
    let whole = "distances are whole numbers of up to 2^62; multiply decimals by a power of ten";
    let none = "the matrix is too short, or this is no number; are DIMENSION and EDGE_WEIGHT_FORMAT right?";
    for (new, help) in [("4.5", whole), ("9223372036854775808", whole), ("four", none), ("0x4", none)] {
        let wanted = format!("line 8, column 8: `{new}` stands where distance 6 of 9 should; {help}");
        assert_eq!(refused(&format!("3 9999 {new}")), wanted);
    }
}

#[test]
fn what_the_header_says_wrongly_is_shown() {
    let refused = |old: &str, new: &str| message(&with(PLANE, old, new));
    let dimension = |new: &str| refused("DIMENSION: 4", &format!("DIMENSION: {new}"));
    let least = "is no number of cities; there must be one city at least";
    let whole = "is no number of cities; write a whole number such as 24";
    assert_eq!(dimension("-4"), format!("line 4, column 12: `-4` {least}"));
    assert_eq!(dimension("0"), format!("line 4, column 12: `0` {least}"));
    assert_eq!(dimension("four"), format!("line 4, column 12: `four` {whole}"));
    assert_eq!(dimension("4.0"), format!("line 4, column 12: `4.0` {whole}"));
    assert_eq!(dimension(""), format!("line 4, column 11: `` {whole}"));
    assert_eq!(
        dimension("100001"),
        "line 4, column 12: `100001` are too many cities; up to 100000 are read; far fewer are solved exactly"
    );
    assert_eq!(
        refused("\nTYPE: TSP", "\nTYPE: CVRP"),
        "line 2, column 7: `CVRP` is no TYPE that isx knows; isx solves problems of type TSP and ATSP"
    );
    assert_eq!(
        refused("EUC_2D", "EUC_3D"),
        "line 5, column 19: `EUC_3D` is no EDGE_WEIGHT_TYPE that isx knows; isx reads EUC_2D, CEIL_2D, ATT, GEO and \
         EXPLICIT"
    );
    assert_eq!(
        message(&with(MATRIX, "FULL_MATRIX", "FULL")),
        "line 5, column 22: `FULL` is no EDGE_WEIGHT_FORMAT that isx knows; isx reads FULL_MATRIX, UPPER_ROW, LOWER_ROW, \
         UPPER_DIAG_ROW, LOWER_DIAG_ROW and the same with COL"
    );
    assert_eq!(
        refused("SECTION\n", "SECTION 1 0 0\n"),
        "line 6, column 20: `1 0 0` stands in the line of NODE_COORD_SECTION; what belongs to it begins in the next line"
    );
    assert_eq!(
        refused("EOF\n", "EOF\n\n  5\n"),
        "line 13, column 3: `5` stands after EOF; a file holds one problem; remove the rest"
    );
}

#[test]
fn keywords_that_are_twice_there_or_not_known_are_named() {
    let comment = |new: &str| message(&with(PLANE, "COMMENT: four cities", new));
    assert_eq!(comment("NAME: again"), "line 3, column 1: NAME stands here and in line 1; keep one of them");
    assert_eq!(
        comment("  COMENT: x"),
        "line 3, column 3: `COMENT` is no keyword that isx knows; is COMMENT meant?"
    );
    assert_eq!(comment("Name: x"), "line 3, column 1: `Name` is no keyword that isx knows; is NAME meant?");
    assert_eq!(
        comment("FIXED_EDGES_SECTION"),
        "line 3, column 1: `FIXED_EDGES_SECTION` belongs to other problems, or changes which tours count; isx solves TSP \
         and ATSP without such constraints; remove it if it says nothing"
    );
    assert_eq!(
        comment("WHATEVER: 7"),
        "line 3, column 1: `WHATEVER` is no keyword that isx knows; isx reads NAME, TYPE, COMMENT, DIMENSION, \
         EDGE_WEIGHT_TYPE, EDGE_WEIGHT_FORMAT, NODE_COORD_TYPE, DISPLAY_DATA_TYPE, NODE_COORD_SECTION, \
         EDGE_WEIGHT_SECTION, DISPLAY_DATA_SECTION, EOF"
    );
    assert!(
        parse(&with(PLANE, "NAME: plane", "COMMENT: more words")).is_ok(),
        "comments may be as many as one likes"
    );
    let twice = with(PLANE, "EOF\n", "NODE_COORD_SECTION\n1 0 0\n2 1 1\n3 2 2\n4 3 3\nEOF\n");
    assert_eq!(
        message(&twice),
        "line 11, column 1: NODE_COORD_SECTION stands here and in line 6; keep one of them"
    );
}

#[test]
fn what_contradicts_itself_is_refused() {
    assert_eq!(
        message(&with(MATRIX, "TYPE : ATSP", "TYPE : TSP")),
        "line 8, column 1: the distance from city 2 to city 1 is 3, and 1 the other way; make them equal, or say `TYPE: \
         ATSP`"
    );
    let both = with(MATRIX, "EDGE_WEIGHT_TYPE : EXPLICIT", "EDGE_WEIGHT_TYPE : ATT");
    assert_eq!(
        message(&both),
        "line 6, column 1: a matrix beside a type of distance that is computed from coordinates; say `EDGE_WEIGHT_TYPE: \
         EXPLICIT`, or leave the matrix out"
    );
    let computed = with(MATRIX, "FULL_MATRIX", "FUNCTION");
    assert!(
        message(&computed)
            .starts_with("line 5, column 1: FUNCTION is the format of distances that are computed")
    );
}

#[test]
fn tours_beyond_the_range_are_refused_where_the_longest_distance_stands() {
    let far = (1i64 << 62).to_string();
    assert_eq!(
        message(&with(MATRIX, "3 9999 4", &format!("3 9999 -{far}"))),
        "line 8, column 8: the distances are so large that a tour may be longer than 2^62; use a coarser unit; this is \
         where the longest distance comes from"
    );
    let half = with(MATRIX, "3 9999 4", &format!("3 9999 {}", (1i64 << 62) - 100));
    assert!(parse(&half).unwrap().problem().is_ok());
    let corners = with(PLANE, "1 0 0", "1 -1152921504606846976 -1152921504606846976");
    let corners = with(&corners, "2 3 4", "2 1152921504606846976 1152921504606846976");
    assert!(
        message(&corners).starts_with("line 8, column 1: the distances are so large"),
        "{}",
        message(&corners)
    );
}

#[test]
fn no_mutated_file_makes_the_reader_panic() {
    let mutations: u64 = std::env::var("ISX_MUTATIONS").map_or(20_000, |count| count.parse().unwrap());
    let mut bits = ChaCha8Rng::from_seed([7; 32]);
    let tokens = [
        "-1",
        "0",
        "1e308",
        "1e-308",
        "9223372036854775807",
        "-9223372036854775808",
        "1152921504606846976",
        "nan",
        "EOF",
        ":",
        "\n",
        "\t",
        "DIMENSION: 99999\n",
        "UPPER_ROW",
        "LOWER_DIAG_ROW",
        "GEO",
        "CEIL_2D",
        "ATT",
        "EXPLICIT",
        "\u{e9}",
        "\u{feff}",
        "NODE_COORD_SECTION\n",
        "EDGE_WEIGHT_SECTION\n",
        "TYPE: TSP\n",
        "",
    ];
    let (mut read, mut refused) = (0u64, 0u64);
    for _ in 0..mutations {
        let mut text = if bits.next_u32().is_multiple_of(2) { PLANE } else { MATRIX }.as_bytes().to_vec();
        for _ in 0..1 + bits.next_u32() % 3 {
            let at = bits.next_u32() as usize % (text.len() + 1);
            let end = (at + bits.next_u32() as usize % 12).min(text.len());
            let token = tokens[bits.next_u32() as usize % tokens.len()];
            text.splice(at..end, token.bytes());
        }
        let text = String::from_utf8_lossy(&text);
        match parse(&text).and_then(|read| read.problem()) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(error.line >= 1 && error.line <= text.lines().count() + 1, "{error}: {text:?}");
                assert!(error.column >= 1 && !error.to_string().chars().any(char::is_control), "{error:?}");
                refused += 1;
            }
        }
    }
    assert!(read > mutations / 100 && refused > mutations / 2, "{read} read, {refused} refused");
}
