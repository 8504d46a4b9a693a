//! Formats measured figures with three digits and a suitable unit, and Markdown tables of them.

use unicode_width::UnicodeWidthStr;

/// A time with three digits.
pub fn duration(seconds: f64) -> String {
    scaled(seconds, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])
}

/// A rate per second with three digits, `1.15 G/s` for example.
pub fn rate(each_second: f64) -> String {
    scaled(each_second, &[(1e12, "T/s"), (1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1.0, "/s")])
}

/// A ratio with three digits, or without decimals from 100 on.
pub fn ratio(value: f64) -> String {
    digits(value)
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // 999.6 µs reads better as 1.00 ms.
    let fits = |&&(unit, _): &&(f64, &str)| value >= 0.9995 * unit;
    let (unit, name) = units.iter().find(fits).or(units.last()).copied().unwrap_or((1.0, ""));
    format!("{} {name}", digits(value / unit))
}

fn digits(value: f64) -> String {
    let places = if value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else if value >= 0.9995 || value <= 0.0 {
        2
    } else {
        3
    };
    format!("{value:.places$}")
}

/// A Markdown table with aligned columns: the first left-aligned, the others right-aligned.
pub fn markdown_table(head: &[&str], rows: &[Vec<String>]) -> String {
    let escaped = |cell: &str| cell.replace('|', "\\|");
    let cells: Vec<Vec<String>> = std::iter::once(head.iter().map(|cell| escaped(cell)).collect())
        .chain(rows.iter().map(|row| row.iter().map(|cell| escaped(cell)).collect()))
        .collect();
    let width = |column: usize| {
        cells.iter().filter_map(|row: &Vec<String>| row.get(column)).map(|cell| cell.width()).max()
    };
    let widths: Vec<usize> = (0..head.len()).map(|column| width(column).unwrap_or(0).max(3)).collect();
    let mut table = String::new();
    for (at, row) in cells.iter().enumerate() {
        for (column, &width) in widths.iter().enumerate() {
            let cell = row.get(column).map_or("", String::as_str);
            let gap = " ".repeat(width - cell.width());
            let cell = if column == 0 { format!("{cell}{gap}") } else { format!("{gap}{cell}") };
            table += &format!("| {cell} ");
        }
        table += "|\n";
        if at == 0 {
            for (column, &width) in widths.iter().enumerate() {
                let rule = "-".repeat(width - 1);
                table += &if column == 0 { format!("| :{rule} ") } else { format!("| {rule}: ") };
            }
            table += "|\n";
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_three_digits_across_units() {
        assert_eq!([duration(0.9999), duration(0.999_6e-3), duration(0.0)], ["1.00 s", "1.00 ms", "0.00 ns"]);
        assert_eq!([rate(23.4e9), rate(7.161e12), rate(12.0)], ["23.4 G/s", "7.16 T/s", "12.0 /s"]);
    }

    #[test]
    fn tables_are_aligned_and_escaped() {
        let table = markdown_table(&["name", "time"], &[vec!["a|b".into(), "1.00 µs".into()]]);
        assert_eq!(table, "| name |    time |\n| :--- | ------: |\n| a\\|b | 1.00 µs |\n");
    }
}
