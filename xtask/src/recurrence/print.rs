//! Prints a kernel. A thread fills a few neighboring cells, whose choices are whole bytes, and stores their values together.

use super::{Best, Recurrence, Waves, Way};
use std::fmt::Write;

/// Columns that a line of the header has.
const WIDTH: usize = 118;

pub(super) fn kernel(recurrence: &Recurrence) -> String {
    let Recurrence { name, cell, .. } = recurrence;
    let bits = recurrence.choice_bits();
    let cells = if bits == 1 { 8 } else { 4 };
    let index = match recurrence.waves {
        Waves::Diagonals => "int",
        Waves::Rows => "long long",
    };
    let mut text = header(recurrence, bits, cells);
    write!(
        text,
        "
using Cell = {cell};
using Index = {index};
constexpr int BITS = {bits};
constexpr int CELLS = {cells};
constexpr int BYTES = CELLS * BITS / 8;
static_assert(BYTES * 8 == CELLS * BITS, \"the choices of a thread are whole bytes\");

// Values that are stored together.
struct alignas(CELLS * sizeof(Cell) < 16 ? CELLS * sizeof(Cell) : 16) Values {{
    Cell of[CELLS];
}};

extern \"C\" __global__ void recurrence_{name}({parameters}) {{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (thread * BYTES >= bytes) {{
        return;
    }}
    const Index first = (Index)(thread * CELLS);
{geometry}    Values values;
    unsigned packed = 0;
#pragma unroll
    for (int within = 0; within < CELLS; ++within) {{
        const Index at = first + within;
        values.of[within] = 0;
        if (at >= cells) {{
            continue;
        }}
{position}        Cell best;
        unsigned choice;
{ways}        values.of[within] = best;
        packed |= choice << (BITS * within);
    }}
    if (first + CELLS <= cells) {{
        *reinterpret_cast<Values*>(next + first) = values;
    }} else {{
        for (int within = 0; within < CELLS && first + within < cells; ++within) {{
            next[first + within] = values.of[within];
        }}
    }}
    if (choices != nullptr) {{
#pragma unroll
        for (int byte = 0; byte < BYTES; ++byte) {{
            choices[thread * BYTES + byte] = (unsigned char)(packed >> (8 * byte));
        }}
    }}
}}
",
        parameters = parameters(recurrence),
        geometry = geometry(recurrence),
        position = position(recurrence),
        ways = ways(recurrence),
    )
    // Writing to a string cannot fail.
    .unwrap_or_default();
    text
}

fn header(recurrence: &Recurrence, bits: u32, cells: u32) -> String {
    let Recurrence { name, about, waves, .. } = recurrence;
    let cells_of = match waves {
        Waves::Diagonals => {
            "cell `at` of wave d is (i, d - i) with i = top(d) + at, top(d) = max(0, d - column_count)"
        }
        Waves::Rows => "cell j of wave d is (d + 1, j)",
    };
    let before: Vec<String> = (1..=recurrence.reach()).map(before).collect();
    let paragraphs = [
        about.clone(),
        "targets: compute_70".into(),
        String::new(),
        format!(
            "Printed by `cargo xtask recurrence kernels/recurrence/{name}.recurrence`: change that file instead."
        ),
        format!(
            "Layout: {cells_of}; {}: the waves d - 1 and so on back. choices: {bits} bits a cell, the first cell's in the lowest \
             bits of the first byte; may be null.",
            before.join(", ")
        ),
        format!("Launch: {cells} cells per thread, threads for all bytes of choices; one launch per wave."),
        "Checked against: the plain table (xtask/src/recurrence/tests.rs, src/bench/tests/gpu/waves.rs)."
            .into(),
    ];
    let mut text = String::new();
    for paragraph in paragraphs {
        let mut line = "//".to_owned();
        for word in paragraph.split_whitespace() {
            if line.len() + word.len() >= WIDTH {
                text += &line;
                text.push('\n');
                line = "//        ".to_owned();
            }
            line.push(' ');
            line += word;
        }
        text += &line;
        text.push('\n');
    }
    text
}

/// The name of a wave before.
fn before(back: u32) -> String {
    format!("before_{back}")
}

fn parameters(recurrence: &Recurrence) -> String {
    let mut all: Vec<String> =
        (1..=recurrence.reach()).map(|back| format!("const Cell* {}", before(back))).collect();
    all.extend(["Cell* next".into(), "unsigned char* choices".into()]);
    all.extend(recurrence.arrays.iter().map(|(name, kind)| format!("const {kind}* {name}")));
    all.extend(recurrence.numbers.iter().map(|name| format!("long long {name}")));
    all.extend(["column_count", "wave", "cells", "bytes"].map(|name| format!("long long {name}")));
    all.join(",\n        ")
}

/// What holds for all cells of a wave.
fn geometry(recurrence: &Recurrence) -> String {
    match recurrence.waves {
        Waves::Rows => String::new(),
        Waves::Diagonals => (0..=recurrence.reach())
            .map(|back| {
                let late = format!("wave - {back} - column_count");
                format!("    const Index top_{back} = (Index)({late} > 0 ? {late} : 0);\n")
            })
            .collect(),
    }
}

/// Where a cell is.
fn position(recurrence: &Recurrence) -> String {
    match recurrence.waves {
        Waves::Rows => {
            "        const Index i = wave + 1;\n        const Index j = at;\n        (void)i;\n".into()
        }
        Waves::Diagonals => {
            "        const Index i = top_0 + at;\n        const Index j = (Index)wave - i;\n".into()
        }
    }
}

fn ways(recurrence: &Recurrence) -> String {
    let mut inner = String::new();
    for (number, way) in recurrence.ways.iter().enumerate() {
        inner += &self::way(recurrence, way, number == 0);
    }
    match recurrence.waves {
        Waves::Rows => inner,
        Waves::Diagonals => format!(
            "        if (i == 0 || j == 0) {{\n            best = {};\n            choice = 0;\n        }} else {{\n{}        }}\n",
            recurrence.border,
            inner.lines().map(|line| format!("    {line}\n")).collect::<String>()
        ),
    }
}

/// One way, in braces.
fn way(recurrence: &Recurrence, way: &Way, is_first: bool) -> String {
    let Way { back, row, column, condition, plus, choice, text } = way;
    let signed = |number: &str| match number.strip_prefix('-') {
        Some(number) => format!(" - {number}"),
        None => format!(" + {}", number.trim_start_matches('+')),
    };
    let plus = plus.as_ref().map_or_else(String::new, |plus| format!(" + (Cell)({plus})"));
    let (place, exists) = match recurrence.waves {
        Waves::Diagonals => {
            let far = [("row", *row), ("column", column.parse().unwrap_or(0))].map(|(name, offset)| {
                // Off the border the neighbors always exist.
                (offset < -1).then(|| format!("{name} >= 0"))
            });
            (format!("row - top_{back}"), far.into_iter().flatten().collect::<Vec<_>>())
        }
        Waves::Rows if column == "0" => ("column".to_owned(), Vec::new()),
        Waves::Rows => ("column".to_owned(), vec!["column >= 0 && column < cells".to_owned()]),
    };
    let mut lines = vec![format!("        {{ // {text}")];
    if recurrence.waves == Waves::Diagonals {
        lines.push(format!("            const Index row = i{};", signed(&row.to_string())));
        if exists.iter().any(|one| one.starts_with("column")) {
            lines.push(format!("            const Index column = j{};", signed(column)));
        }
    } else {
        lines.push(format!("            const Index column = j{};", signed(column)));
    }
    let value = format!("{}[{place}]{plus}", before(*back));
    if is_first {
        lines.push(format!("            best = {value};"));
        lines.push(format!("            choice = {choice};"));
    } else {
        let conditions: Vec<String> =
            exists.into_iter().chain(condition.iter().map(|condition| format!("({condition})"))).collect();
        let indent = if conditions.is_empty() { "            " } else { "                " };
        if !conditions.is_empty() {
            lines.push(format!("            if ({}) {{", conditions.join(" && ")));
        }
        let better = if recurrence.best == Best::Max { ">" } else { "<" };
        lines.push(format!("{indent}const Cell value = {value};"));
        lines.push(format!("{indent}choice = value {better} best ? {choice} : choice;"));
        lines.push(format!("{indent}best = value {better} best ? value : best;"));
        if !conditions.is_empty() {
            lines.push("            }".into());
        }
    }
    lines.push("        }".into());
    lines.into_iter().map(|line| line + "\n").collect()
}
