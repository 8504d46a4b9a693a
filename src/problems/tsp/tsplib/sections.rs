//! The data sections of a file: coordinates and matrices.

use super::error::{Place, TsplibError, refuse, shown};
use super::header::Form;
use super::metric::{Coordinate, Metric, Point};
use super::words::{Word, Words};
use std::collections::HashMap;

/// The cities of a section, in file order.
#[derive(Clone, Debug)]
pub(super) struct Cities {
    pub numbers: Vec<u64>,
    points: Vec<Point>,
    /// The line number of the city.
    pub places: Vec<Place>,
}

/// The number of cities or distances for which memory is reserved initially, regardless of the file's dimension.
const FIRST_ROOM: usize = 1 << 12;

/// Reads one line `number x y` per city.
pub(super) fn cities(words: &mut Words<'_>, count: usize, what: &str) -> Result<Cities, TsplibError> {
    let room = count.min(FIRST_ROOM);
    let mut cities =
        Cities { numbers: Vec::with_capacity(room), points: Vec::with_capacity(room), places: Vec::new() };
    let mut seen: HashMap<u64, usize> = HashMap::with_capacity(room);
    for at in 1..=count {
        let help = || format!("DIMENSION says {count}; a line `number x y` for each of them");
        let Some(word) = words.word() else {
            let missing = format!("the file ends where city {at} of {count} should stand");
            return Err(refuse(words.place(), missing, help()));
        };
        let Ok(number) = word.text.parse::<u64>() else {
            let found =
                format!("{} stands where the number of city {at} of {count} should", shown(word.text));
            return Err(refuse(word.place, found, help()));
        };
        if let Some(before) = seen.insert(number, word.place.line) {
            let found = format!("city {number} stands here and in line {before}");
            return Err(refuse(word.place, found, "give every city a number of its own"));
        }
        let mut coordinate = |axis: &str| {
            let Some(word) = words.word_of_line() else {
                let missing = format!("the line of city {number} ends where its {axis} {what} should stand");
                return Err(refuse(words.place(), missing, "a line is `number x y`"));
            };
            Coordinate::parse(word.text).ok_or_else(|| {
                let found = format!("{} is no {what}", shown(word.text));
                refuse(word.place, found, "write a number such as 12, -5.21 or 6.0e+02, of up to 2^60")
            })
        };
        let point = [coordinate("first")?, coordinate("second")?];
        if let Some(word) = words.word_of_line() {
            let found = format!("{} stands after the coordinates of city {number}", shown(word.text));
            return Err(refuse(word.place, found, "a line is `number x y`, in two dimensions"));
        }
        cities.numbers.push(number);
        cities.points.push(point);
        cities.places.push(word.place);
    }
    Ok(cities)
}

impl Cities {
    /// The distances between all pairs.
    pub fn distances(&self, metric: Metric) -> Vec<i64> {
        let from = |&a: &Point| self.points.iter().map(move |&b| metric.distance(a, b));
        self.points.iter().flat_map(from).collect()
    }
}

/// A matrix as written.
#[derive(Clone, Debug)]
pub(super) struct Matrix<'a> {
    cities: usize,
    form: Form,
    written: Vec<i64>,
    /// The location of its first number, to find a number again.
    start: Words<'a>,
}

/// The number of entries of a matrix.
fn length(cities: usize, form: Form) -> usize {
    match form {
        Form::Full => cities * cities,
        Form::Upper | Form::Lower => cities * (cities - 1) / 2,
        Form::UpperDiagonal | Form::LowerDiagonal => cities * (cities + 1) / 2,
    }
}

/// Reads a matrix.
pub(super) fn matrix<'a>(
    words: &mut Words<'a>,
    cities: usize,
    form: Form,
) -> Result<Matrix<'a>, TsplibError> {
    let count = length(cities, form);
    let start = words.clone();
    let mut written = Vec::with_capacity(count.min(FIRST_ROOM));
    for at in 1..=count {
        let help = || format!("{cities} cities in this format have {count} distances");
        let Some(word) = words.word() else {
            let missing = format!("the file ends where distance {at} of {count} should stand");
            return Err(refuse(words.place(), missing, help()));
        };
        written.push(weight(&word, at, count)?);
    }
    // An additional number would be taken for a keyword.
    if let Some(word) = words.clone().word().filter(|word| word.text.parse::<f64>().is_ok()) {
        let found = format!("{} stands after the last of {count} distances", shown(word.text));
        let help = format!(
            "{cities} cities in this format have {count}; are DIMENSION and EDGE_WEIGHT_FORMAT right?"
        );
        return Err(refuse(word.place, found, help));
    }
    Ok(Matrix { cities, form, written, start })
}

fn weight(word: &Word<'_>, at: usize, count: usize) -> Result<i64, TsplibError> {
    word.text.parse::<i64>().map_err(|_| {
        let found = format!("{} stands where distance {at} of {count} should", shown(word.text));
        let help = if word.text.parse::<f64>().is_ok() {
            "distances are whole numbers of up to 2^62; multiply decimals by a power of ten"
        } else {
            "the matrix is too short, or this is no number; are DIMENSION and EDGE_WEIGHT_FORMAT right?"
        };
        refuse(word.place, found, help)
    })
}

impl Matrix<'_> {
    /// The index of the entry with the distance from one city to another; `None` if it is not in the file.
    fn index(&self, from: usize, to: usize) -> Option<usize> {
        let (cities, low, high) = (self.cities, from.min(to), from.max(to));
        let below = |row: usize| row * row.saturating_sub(1) / 2;
        match self.form {
            Form::Full => Some(from * cities + to),
            _ if from == to && matches!(self.form, Form::Upper | Form::Lower) => None,
            Form::Upper => Some(low * cities - below(low + 1) + high - low - 1),
            Form::UpperDiagonal => Some(low * cities - below(low) + high - low),
            Form::Lower => Some(below(high) + low),
            Form::LowerDiagonal => Some(below(high + 1) + low),
        }
    }

    /// The distances between all pairs.
    pub fn distances(&self) -> Vec<i64> {
        let distance = |from, to| self.index(from, to).map_or(0, |at| self.written[at]);
        (0..self.cities).flat_map(|from| (0..self.cities).map(move |to| distance(from, to))).collect()
    }

    /// The matrix is symmetric.
    pub fn check_symmetric(&self) -> Result<(), TsplibError> {
        if self.form != Form::Full {
            return Ok(());
        }
        for from in 0..self.cities {
            for to in 0..from {
                let (way, back) =
                    (self.written[from * self.cities + to], self.written[to * self.cities + from]);
                if way != back {
                    let what = format!(
                        "the distance from city {} to city {} is {way}, and {back} the other way",
                        from + 1,
                        to + 1
                    );
                    let place = self.place(from * self.cities + to);
                    return Err(refuse(place, what, "make them equal, or say `TYPE: ATSP`"));
                }
            }
        }
        Ok(())
    }

    /// The location of an entry.
    fn place(&self, at: usize) -> Place {
        let mut words = self.start.clone();
        for _ in 0..at {
            words.word();
        }
        words.word().map_or_else(|| words.place(), |word| word.place)
    }

    /// The location of the distance with the largest absolute value.
    pub fn place_of_longest(&self) -> Place {
        let longest = (0..self.cities)
            .flat_map(|from| (0..self.cities).map(move |to| (from, to)))
            .filter(|(from, to)| from != to)
            .filter_map(|(from, to)| self.index(from, to))
            .max_by_key(|&at| self.written[at].unsigned_abs());
        self.place(longest.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_puts_its_numbers_where_they_belong() {
        // From city i to city j of four, as 10 i + j with the smaller first.
        let forms = [
            (Form::Upper, "12 13 14 23 24 34"),
            (Form::Lower, "12 13 23 14 24 34"),
            (Form::UpperDiagonal, "5 12 13 14 5 23 24 5 34 5"),
            (Form::LowerDiagonal, "5 12 5 13 23 5 14 24 34 5"),
            (Form::Full, "5 12 13 14 12 5 23 24 13 23 5 34 14 24 34 5"),
        ];
        for (form, text) in forms {
            let matrix = matrix(&mut Words::new(text), 4, form).unwrap();
            let distances = matrix.distances();
            for from in 1..=4 {
                for to in (1..=4).filter(|&to| to != from) {
                    let wanted = 10 * from.min(to) + from.max(to);
                    assert_eq!(distances[(from - 1) * 4 + to - 1], wanted as i64, "{form:?}");
                }
            }
            assert!(matrix.check_symmetric().is_ok());
            assert_eq!(matrix.place_of_longest().column, text.rfind("34").unwrap() + 1, "{form:?}");
        }
        for form in [Form::Upper, Form::Lower] {
            assert_eq!(matrix(&mut Words::new(""), 1, form).unwrap().distances(), [0]);
        }
    }
}
