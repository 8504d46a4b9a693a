//! Rows formatted by all threads and written in order.

use isx_machine::cpu::Workers;
use std::io::{self, Write};
use std::ops::Range;

/// Rows that a thread formats at a time.
const ROWS: usize = 1024;
/// Chunks per thread that are formatted while the previous ones are written.
const CHUNKS_A_THREAD: usize = 4;

/// Appends the rows of a range.
type Make<'a> = dyn Fn(Range<usize>, &mut Vec<u8>) -> io::Result<()> + Sync + 'a;

/// Writes `count` rows: `make` appends the rows of a range to a buffer. All threads format some chunks while the
/// previous ones are written, so memory is needed for two batches of chunks, however many rows there are.
pub fn write_rows(count: usize, workers: &Workers, out: &mut dyn Write, make: &Make<'_>) -> io::Result<()> {
    let lot = ROWS * CHUNKS_A_THREAD * workers.threads();
    let make_lot = |from: usize| -> io::Result<Vec<Vec<u8>>> {
        let rows = from..count.min(from + lot);
        let chunks = rows.len().div_ceil(ROWS) as u64;
        let chunk = |at: u64| {
            let first = from + at as usize * ROWS;
            let mut buffer = Vec::new();
            make(first..rows.end.min(first + ROWS), &mut buffer).map(|()| buffer)
        };
        workers.map(chunks, true, chunk).into_iter().collect()
    };
    let mut made = make_lot(0)?;
    let mut next = lot;
    while !made.is_empty() {
        let (after, written) = workers
            .beside(|| make_lot(next.min(count)), || made.iter().try_for_each(|chunk| out.write_all(chunk)));
        written?;
        made = after?;
        next = next.saturating_add(lot);
    }
    Ok(())
}

/// Sample rows for the estimate, taken at this many places along the front.
const PLACES: usize = 16;
const ROWS_A_PLACE: usize = 8;

/// The size of all rows in bytes, estimated from a sample.
pub fn estimated(count: usize, make: &Make<'_>) -> u64 {
    let (mut sample, mut rows) = (Vec::new(), 0);
    for place in 0..PLACES {
        let from = (place * count / PLACES).max(rows.min(count));
        let to = (from + ROWS_A_PLACE).min(count);
        // A row that cannot be formatted causes an error when it is written.
        if make(from..to, &mut sample).is_ok() {
            rows += to - from;
        }
    }
    (sample.len() as u64).saturating_mul(count as u64) / rows.max(1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_order_once_each() {
        for threads in [1, 2, 3] {
            for count in [0, 1, ROWS, ROWS + 1, 40_000] {
                let mut written = Vec::new();
                let make = |rows: Range<usize>, out: &mut Vec<u8>| {
                    rows.into_iter().try_for_each(|row| writeln!(out, "{row}"))
                };
                write_rows(count, &Workers::new(threads), &mut written, &make).unwrap();
                let wanted: String = (0..count).map(|row| format!("{row}\n")).collect();
                assert!(written == wanted.as_bytes(), "{threads} threads, {count} rows");
            }
        }
    }

    #[test]
    fn a_row_that_cannot_be_made_or_written_ends_it() {
        let broken = |rows: Range<usize>, _: &mut Vec<u8>| {
            if rows.contains(&30_000) { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
        };
        let error = write_rows(40_000, &Workers::new(2), &mut Vec::new(), &broken).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let mut full = [0u8; 10];
        let rows = |rows: Range<usize>, out: &mut Vec<u8>| {
            out.resize(rows.len(), b'x');
            Ok(())
        };
        let error = write_rows(11, &Workers::new(1), &mut &mut full[..], &rows).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WriteZero);
    }
}
