//! Printed kernels are compiled for the processor, with loops in place of blocks and threads, and fill the same tables as the
//! textbook's loops; and the kernels in the repository are what is printed.

use super::*;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/recurrence"))
}

fn read(name: &str) -> Recurrence {
    let text = std::fs::read_to_string(folder().join(format!("{name}.recurrence"))).unwrap();
    parse::recurrence(&text).unwrap()
}

#[test]
fn the_kernels_in_the_repository_are_those_of_their_recurrences() {
    let mut seen = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "recurrence") {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let kernel = std::fs::read_to_string(folder().join(format!("recurrence_{stem}.cu"))).unwrap();
            let printed = printed(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert_eq!(kernel, printed, "print it again: cargo xtask recurrence {}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 3);
}

/// A kernel compiled for the processor, in a program that sweeps waves as the wave driver does.
struct Compiled {
    recurrence: Recurrence,
    program: PathBuf,
    _folder: tempfile::TempDir,
}

/// What stands before the kernel in the program.
const BEFORE: &str = "\
#include <cstdio>
#include <vector>
#define __global__
struct Dim { unsigned x; };
static Dim blockIdx, blockDim, threadIdx;
static long long number() { long long n = 0; if (scanf(\"%lld\", &n) != 1) n = -1; return n; }
template <class T> static std::vector<T> array() {
    std::vector<T> all(number());
    for (T& one : all) one = (T)number();
    return all;
}
";

/// The program's main function, but for what follows from the recurrence: it reads the arrays, the number of columns, and
/// for every wave its cells and numbers, and prints the values and the bytes of choices.
fn main_function(recurrence: &Recurrence) -> String {
    let (reach, bits) = (recurrence.reach(), recurrence.choice_bits());
    let mut words: Vec<String> = (1..=reach)
        .map(|back| format!("ring[(wave + {reach} + 1 - {back}) % {}].data()", reach + 1))
        .collect();
    words.extend([format!("ring[wave % {}].data()", reach + 1), "choices.data()".into()]);
    let mut arrays = String::new();
    for (name, kind) in &recurrence.arrays {
        arrays += &format!("    const auto {name} = array<{kind}>();\n");
        words.push(format!("{name}.data()"));
    }
    words.extend((0..recurrence.numbers.len()).map(|at| format!("numbers[{at}]")));
    words.extend(["column_count", "wave", "cells", "bytes"].map(str::to_owned));
    format!(
        "int main() {{
{arrays}    const long long column_count = number(), waves = number(), widest = number();
    // The memory of vectors is aligned to 16 bytes, as the kernel needs.
    std::vector<std::vector<Cell>> ring({ring}, std::vector<Cell>(widest + 16));
    for (long long wave = 0; wave < waves; ++wave) {{
        const long long cells = number();
        const std::vector<long long> numbers = array<long long>();
        const long long bytes = ((cells * {bits} + 7) / 8 + 127) / 128 * 128;
        std::vector<unsigned char> choices(bytes, 255);
        blockDim.x = 64;
        for (blockIdx.x = 0; blockIdx.x * 64 < bytes * 8 / {bits}; ++blockIdx.x)
            for (threadIdx.x = 0; threadIdx.x < 64; ++threadIdx.x)
                recurrence_{name}({arguments});
        for (long long at = 0; at < cells; ++at) printf(\"%lld \", (long long)ring[wave % {ring}][at]);
        for (unsigned char byte : choices) printf(\"%d \", byte);
    }}
}}
",
        ring = reach + 1,
        name = recurrence.name,
        arguments = words.join(", ")
    )
}

/// `None` where there is no C++ compiler.
fn compiled(recurrence: Recurrence) -> Option<Compiled> {
    let source = format!("{BEFORE}{}{}", print::kernel(&recurrence), main_function(&recurrence));
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("kernel.cpp"), folder.path().join("kernel"));
    std::fs::write(&file, source).unwrap();
    let flags = ["-std=c++17", "-O1", "-Wall", "-Werror", "-Wno-unknown-pragmas"];
    let mut command = Command::new("c++");
    let Ok(status) = command.args(flags).arg(&file).arg("-o").arg(&program).status() else {
        println!("skipped for want of a C++ compiler");
        return None;
    };
    assert!(status.success(), "the printed kernel does not compile");
    Some(Compiled { recurrence, program, _folder: folder })
}

/// A filled table: values and choices, wave by wave.
type Table = Vec<(Vec<i32>, Vec<u8>)>;

impl Compiled {
    /// Fills the waves, each of this many cells and given these numbers.
    fn fill(&self, arrays: &[&[u8]], columns: usize, waves: &[(usize, Vec<i64>)]) -> Table {
        let bits = self.recurrence.choice_bits() as usize;
        let widest = waves.iter().map(|(cells, _)| *cells).max().unwrap_or(1);
        let mut input = String::new();
        for array in arrays {
            write!(input, "{} ", array.len()).unwrap();
            array.iter().for_each(|letter| write!(input, "{letter} ").unwrap());
        }
        write!(input, "{columns} {} {widest} ", waves.len()).unwrap();
        for (cells, numbers) in waves {
            write!(input, "{cells} {} ", numbers.len()).unwrap();
            numbers.iter().for_each(|number| write!(input, "{number} ").unwrap());
        }
        let mut command = Command::new(&self.program);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // It reads a wave at a time, so its output is read meanwhile.
        let mut stdin = child.stdin.take().unwrap();
        let writing = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let mut words = text.split_ascii_whitespace();
        let mut table = Table::new();
        for (cells, _) in waves {
            let bytes = (cells * bits).div_ceil(8).next_multiple_of(128);
            let values = words.by_ref().take(*cells).map(|word| word.parse().unwrap()).collect();
            let choices: Vec<u8> = words.by_ref().take(bytes).map(|word| word.parse().unwrap()).collect();
            assert!(
                choices[(cells * bits).div_ceil(8)..].iter().all(|&byte| byte == 0),
                "all bytes are written"
            );
            let choice =
                |cell: usize| choices[cell * bits / 8] >> (cell * bits % 8) & ((1 << bits) - 1) as u8;
            table.push((values, (0..*cells).map(choice).collect()));
        }
        assert_eq!(words.next(), None);
        table
    }

    /// The anti-diagonals of two texts, borders included, as rows of (value, choice).
    fn of_texts(&self, a: &[u8], b: &[u8]) -> Vec<Vec<(i32, u8)>> {
        let top = |wave: usize| wave.saturating_sub(b.len());
        let waves: Vec<(usize, Vec<i64>)> =
            (0..=a.len() + b.len()).map(|wave| (wave.min(a.len()) - top(wave) + 1, vec![])).collect();
        let table = self.fill(&[a, b], b.len(), &waves);
        let cell = |i: usize, j: usize| {
            let (values, choices) = &table[i + j];
            (values[i - top(i + j)], choices[i - top(i + j)])
        };
        (0..=a.len()).map(|i| (0..=b.len()).map(|j| cell(i, j)).collect()).collect()
    }
}

/// Small numbers that follow from a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn text(&mut self, most: u64) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.below(3) as u8).collect()
    }
}

#[test]
fn common_subsequences_are_those_of_the_plain_table() {
    let Some(kernel) = compiled(read("lcs")) else { return };
    let mut draw = Draw(1);
    for _ in 0..300 {
        let (a, b) = (draw.text(40), draw.text(40));
        let found = kernel.of_texts(&a, &b);
        let mut plain = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 1..=a.len() {
            for j in 1..=b.len() {
                let (up, left, corner) = (plain[i - 1][j], plain[i][j - 1], plain[i - 1][j - 1]);
                plain[i][j] = if a[i - 1] == b[j - 1] { corner + 1 } else { up.max(left) };
                let value = plain[i][j];
                let choice = if value == up {
                    1
                } else if value == left {
                    2
                } else {
                    0
                };
                assert_eq!(found[i][j], (value, choice), "{a:?} {b:?} {i} {j}");
            }
        }
        assert!(found.iter().all(|row| row[0].0 == 0) && found[0].iter().all(|cell| cell.0 == 0));
    }
}

#[test]
fn edit_distances_are_those_of_the_plain_table() {
    let Some(kernel) = compiled(read("edit_distance")) else { return };
    let mut draw = Draw(2);
    for _ in 0..300 {
        let (a, b) = (draw.text(40), draw.text(40));
        let found = kernel.of_texts(&a, &b);
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let wanted = if i == 0 || j == 0 {
                    ((i + j) as i32, 0)
                } else {
                    let change = i32::from(a[i - 1] != b[j - 1]);
                    let ways = [found[i - 1][j - 1].0 + change, found[i - 1][j].0 + 1, found[i][j - 1].0 + 1];
                    let best = *ways.iter().min().unwrap();
                    (best, ways.iter().position(|&way| way == best).unwrap() as u8)
                };
                assert_eq!(found[i][j], wanted, "{a:?} {b:?} {i} {j}");
            }
        }
    }
}

#[test]
fn knapsacks_are_those_of_the_plain_table() {
    let Some(kernel) = compiled(read("knapsack")) else { return };
    let mut draw = Draw(3);
    for _ in 0..300 {
        let capacity = draw.below(300) as usize;
        let items: Vec<(usize, i32)> =
            (0..1 + draw.below(20)).map(|_| (draw.below(120) as usize, draw.below(50) as i32)).collect();
        let waves: Vec<(usize, Vec<i64>)> = items
            .iter()
            .map(|&(weight, profit)| (capacity + 1, vec![weight as i64, i64::from(profit)]))
            .collect();
        let found = kernel.fill(&[], 0, &waves);
        let mut plain = vec![0; capacity + 1];
        for (&(weight, profit), (values, choices)) in items.iter().zip(&found) {
            let with = |j: usize| j.checked_sub(weight).map(|j| plain[j] + profit);
            let taken: Vec<bool> =
                (0..=capacity).map(|j| with(j).is_some_and(|with| with > plain[j])).collect();
            plain = (0..=capacity).map(|j| with(j).map_or(plain[j], |with| with.max(plain[j]))).collect();
            assert_eq!(*values, plain);
            assert!(choices.iter().map(|&choice| choice == 1).eq(taken));
        }
    }
}

#[test]
fn far_and_conditional_ways_are_guarded() {
    // The most of non-neighbors, and with a bonus on even rows: H(i, j) of rows two back and columns two to the left.
    let text = "recurrence far\nwaves rows\ncells i32\nnumber bonus\nbest max\nfrom (-1, 0)\n\
                from (-2, -2) if i % 2 == 0 plus bonus as 5\nfrom (-1, +bonus) plus 1 as 3\n";
    let Some(kernel) = compiled(parse::recurrence(text).unwrap()) else { return };
    let waves: Vec<(usize, Vec<i64>)> = (0..9).map(|wave| (50, vec![wave % 4 + 1])).collect();
    let found = kernel.fill(&[], 0, &waves);
    let mut rows = vec![vec![0; 50]; 2];
    for (wave, (values, choices)) in found.iter().enumerate() {
        let (bonus, i) = (wave as i32 % 4 + 1, wave + 1);
        let (one, two) = (&rows[wave + 1], &rows[wave]);
        let row: Vec<(i32, u8)> = (0..50usize)
            .map(|j| {
                let mut best = (one[j], 0);
                let far = (i % 2 == 0 && j >= 2).then(|| (two[j.saturating_sub(2)] + bonus, 5));
                let right = one.get(j + bonus as usize).map(|value| (value + 1, 3));
                for way in [far, right].into_iter().flatten().filter(|way| way.0 > 0) {
                    best = if way.0 > best.0 { way } else { best };
                }
                best
            })
            .collect();
        assert!(row.iter().copied().eq(values.iter().copied().zip(choices.iter().copied())), "{wave}");
        rows.push(row.into_iter().map(|cell| cell.0).collect());
    }
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let good = "recurrence x\nwaves diagonals\ncells i32\narray a u8\nborder 0\nbest max\nfrom (-1, 0)\n";
    assert!(printed(good).is_ok());
    for (from, to, message) in [
        ("waves diagonals", "waves columns", "line 2: `columns` is none of diagonals, rows"),
        ("border 0", "border a", "line 5: `a`: arrays, and they alone, have an index"),
        ("border 0", "border (i", "line 5: `)` is missing"),
        ("border 0", "border i)", "line 5: `)` closes nothing"),
        ("border 0", "border system", "line 5: `system` is no array, number, i or j"),
        ("border 0", "border 1; 2", "line 5: `; 2` does not begin with a sign"),
        ("border 0\n", "", "a line `border` is missing"),
        ("from (-1, 0)", "from (1, 0)", "line 7: diagonals come from cells with no larger i and j"),
        ("from (-1, 0)", "from (0, 0)", "line 7: a cell comes from one of the eight waves before"),
        ("from (-1, 0)", "from (-1, 0) if i > 1", "line 7: the first way must exist for every cell"),
        ("from (-1, 0)", "from (-1, 0) times 2", "line 7: `times 2`: after the cell come"),
        ("from (-1, 0)", "from (-1, 0) as 16", "line 7: choices are below 16"),
        ("array a u8", "array i u8", "line 4: `i` is already something else"),
        ("array a u8", "array next u8", "line 4: `next` is not a free name"),
        ("best max", "best max\nbest min", "line 7: there is already a line `best`"),
        ("cells i32", "cells f32", "line 3: `f32` is none of i32, i64"),
    ] {
        let error = printed(&good.replace(from, to)).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}
