//! Sequence files that are not FASTA, though they begin like it, or that contain other records than requested.

use isx::problem::lcs::text::{Record, parse};

#[track_caller]
fn refused(file: &[u8], record: Option<&str>) -> String {
    let record = record.map(|record| Record(record.to_owned()));
    match parse(file.to_vec(), record.as_ref()) {
        Ok(sequence) => panic!("accepted: {sequence:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_message_names_the_place_and_what_to_do() {
    for (file, record, wanted) in [
        (
            &b">a\nACGT>b\nAC\n"[..],
            None,
            "line 2, column 5: `>` begins a record; write it at the beginning of a line",
        ),
        (b"\r\n >a\nAC\n", None, ""),
        (
            b"\r\n>a\nAC\n >b\nG",
            None,
            "line 4, column 2: `>` begins a record; write it at the beginning of a line",
        ),
        (
            b">",
            None,
            "line 1, column 2: record `` has no letters; write them on the lines after it, or leave the record out",
        ),
        (
            b">a b\r\n\t\r\n",
            None,
            "line 1, column 5: record `a b` has no letters; write them on the lines after it, or leave the record out",
        ),
        (
            b">a\n>b\nAC\n",
            Some("b"),
            "line 1, column 3: record `a` has no letters; write them on the lines after it, or leave the record out",
        ),
        (
            b">a\nA\n>b\nC\n",
            None,
            "line 3, column 1: a second record begins here; name one of the 2 by its name or its number",
        ),
        (b">a\nA\n>b\nC\n", Some("c"), "none of the 2 records is `c`; the first is `a`"),
        (b">a\nA\n>b\nC\n", Some("3"), "none of the 2 records is `3`; the first is `a`"),
        (
            b">a 1\nA\n>a 2\nC\n",
            Some("a"),
            "line 3, column 1: a second record is named `a`; name it by its number",
        ),
        (b"ACGT", Some("a"), "this is plain text, which has no record `a`; FASTA begins with `>`"),
        (b"", Some("1"), "this is plain text, which has no record `1`; FASTA begins with `>`"),
    ] {
        if wanted.is_empty() {
            // A blank before the first `>` makes it plain text.
            assert_eq!(parse(file.to_vec(), None).unwrap().letters, &file[..file.len() - 1]);
        } else {
            assert_eq!(refused(file, record), wanted);
        }
    }
}

#[test]
fn no_bytes_make_the_reader_fail_otherwise_than_by_a_message() {
    let letters = [b'>', b'\n', b'\r', b' ', b'a', 0xff];
    let (mut sequences, mut refusals) = (0, 0);
    for number in 0..6_u32.pow(6) {
        let mut rest = number;
        let file: Vec<u8> = (0..6)
            .map(|_| {
                let letter = letters[rest as usize % 6];
                rest /= 6;
                letter
            })
            .collect();
        match parse(file, None) {
            Ok(_) => sequences += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refusals += 1;
            }
        }
    }
    assert!(sequences > 10_000 && refusals > 1_000, "{sequences} {refusals}");
}
