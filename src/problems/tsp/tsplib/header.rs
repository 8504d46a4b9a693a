//! The header of a file: keywords and their values.

use super::Metric;
use super::error::{Place, TsplibError, refuse, shown};
use super::words::Word;
use crate::tsp::MAX_CITIES;

/// A line `KEYWORD: value` or `KEYWORD`.
pub(super) struct Entry<'a> {
    pub keyword: &'a str,
    pub place: Place,
    value: Word<'a>,
}

/// The layout of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Full,
    Upper,
    Lower,
    UpperDiagonal,
    LowerDiagonal,
}

/// A value and the place of its keyword, if it was read.
pub(super) type Once<T> = Option<(T, Place)>;

/// The header values read so far.
#[derive(Default)]
pub(super) struct Header {
    name: Once<String>,
    symmetric: Once<bool>,
    dimension: Once<usize>,
    /// `None` inside: a matrix.
    metric: Once<Option<Metric>>,
    /// `None` inside: computed.
    form: Once<Option<Form>>,
    coordinates: Once<()>,
    display: Once<()>,
}

pub(super) const TYPES_HELP: &str = "isx reads EUC_2D, CEIL_2D, ATT, GEO and EXPLICIT";
const FORMS_HELP: &str =
    "isx reads FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, LOWER_DIAG_ROW and the same with COL";

/// Every supported keyword, for suggestions.
const KEYWORDS: [&str; 12] = [
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
    "NODE_COORD_SECTION",
    "EDGE_WEIGHT_SECTION",
    "DISPLAY_DATA_SECTION",
    "EOF",
];

/// Keywords of the format for problems of other types.
const OTHERS: [&str; 7] = [
    "CAPACITY",
    "EDGE_DATA_FORMAT",
    "EDGE_DATA_SECTION",
    "DEPOT_SECTION",
    "DEMAND_SECTION",
    "FIXED_EDGES_SECTION",
    "TOUR_SECTION",
];

/// Splits a line into keyword and value.
pub(super) fn entry<'a>(line: &Word<'a>) -> Result<Entry<'a>, TsplibError> {
    let length = line.text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.text.len());
    let (keyword, rest) = line.text.split_at(length);
    if !keyword.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let what = format!("{} stands where a keyword should", shown(line.text));
        return Err(refuse(
            line.place,
            what,
            "a line begins with a keyword such as NAME or EOF; a section holds as many numbers as DIMENSION says",
        ));
    }
    let after = rest.trim_ascii_start();
    let value = after.strip_prefix(':').unwrap_or(after).trim_ascii_start();
    let before = line.text.len() - value.len();
    let column = line.place.column + line.text[..before].chars().count();
    let value = Word { text: value, place: Place { column, ..line.place } };
    Ok(Entry { keyword, place: line.place, value })
}

impl Entry<'_> {
    /// The line of a section contains only its name.
    pub fn no_value(&self) -> Result<(), TsplibError> {
        if self.value.text.is_empty() {
            return Ok(());
        }
        let what = format!("{} stands in the line of {}", shown(self.value.text), self.keyword);
        Err(refuse(self.value.place, what, "what belongs to it begins in the next line"))
    }

    fn no_such(&self, help: &str) -> TsplibError {
        let what = format!("{} is no {} that isx knows", shown(self.value.text), self.keyword);
        refuse(self.value.place, what, help)
    }

    fn unknown(&self) -> TsplibError {
        let keyword = shown(self.keyword);
        if OTHERS.contains(&self.keyword) {
            let help = "isx solves TSP and ATSP without such constraints; remove it if it says nothing";
            return refuse(
                self.place,
                format!("{keyword} belongs to other problems, or changes which tours count"),
                help,
            );
        }
        let upper = self.keyword.to_ascii_uppercase();
        let nearest = KEYWORDS.iter().min_by_key(|known| strsim::levenshtein(known, &upper));
        let help = match nearest.filter(|known| strsim::levenshtein(known, &upper) <= known.len() / 3) {
            Some(known) => format!("is {known} meant?"),
            None => format!("isx reads {}", KEYWORDS.join(", ")),
        };
        refuse(self.place, format!("{keyword} is no keyword that isx knows"), help)
    }
}

impl Header {
    /// Processes a header line.
    pub fn take(&mut self, entry: &Entry<'_>) -> Result<(), TsplibError> {
        match entry.keyword {
            "COMMENT" => Ok(()),
            "NAME" => set(&mut self.name, entry, entry.value.text.to_owned()),
            "TYPE" => set(&mut self.symmetric, entry, symmetric(entry)?),
            "DIMENSION" => set(&mut self.dimension, entry, dimension(entry)?),
            "EDGE_WEIGHT_TYPE" => set(&mut self.metric, entry, metric(entry)?),
            "EDGE_WEIGHT_FORMAT" => set(&mut self.form, entry, form(entry)?),
            "NODE_COORD_TYPE" => {
                among(entry, &["TWOD_COORDS", "NO_COORDS"])?;
                set(&mut self.coordinates, entry, ())
            }
            "DISPLAY_DATA_TYPE" => {
                among(entry, &["COORD_DISPLAY", "TWOD_DISPLAY", "NO_DISPLAY"])?;
                set(&mut self.display, entry, ())
            }
            _ => Err(entry.unknown()),
        }
    }

    pub fn name(&self) -> String {
        self.name.as_ref().map(|(name, _)| name.clone()).unwrap_or_default()
    }

    pub fn symmetric(&self) -> Option<bool> {
        self.symmetric.map(|(symmetric, _)| symmetric)
    }

    pub fn cities(&self) -> Option<usize> {
        self.dimension.map(|(dimension, _)| dimension)
    }

    pub fn metric(&self) -> Option<Option<Metric>> {
        self.metric.map(|(metric, _)| metric)
    }

    /// The number of cities, which must precede a section.
    pub fn dimension(&self, section: &Entry<'_>) -> Result<usize, TsplibError> {
        self.cities().ok_or_else(|| {
            let what = format!("{} stands before DIMENSION", section.keyword);
            refuse(section.place, what, "say first how many cities there are")
        })
    }

    /// The matrix format, which must precede its section.
    pub fn form(&self, section: &Entry<'_>) -> Result<Form, TsplibError> {
        match self.form {
            Some((Some(form), _)) => Ok(form),
            Some((None, place)) => {
                Err(refuse(place, "FUNCTION is the format of distances that are computed", FORMS_HELP))
            }
            None => {
                let what = format!("{} stands before EDGE_WEIGHT_FORMAT", section.keyword);
                Err(refuse(section.place, what, format!("say first how the matrix is written; {FORMS_HELP}")))
            }
        }
    }
}

fn set<T>(to: &mut Once<T>, entry: &Entry<'_>, value: T) -> Result<(), TsplibError> {
    once(to, entry)?;
    *to = Some((value, entry.place));
    Ok(())
}

/// Rejects an entry that was read before.
pub(super) fn once<T>(to: &Once<T>, entry: &Entry<'_>) -> Result<(), TsplibError> {
    let Some((_, before)) = to else { return Ok(()) };
    let what = format!("{} stands here and in line {}", entry.keyword, before.line);
    Err(refuse(entry.place, what, "keep one of them"))
}

fn symmetric(entry: &Entry<'_>) -> Result<bool, TsplibError> {
    match entry.value.text {
        "TSP" => Ok(true),
        "ATSP" => Ok(false),
        _ => Err(entry.no_such("isx solves problems of type TSP and ATSP")),
    }
}

fn dimension(entry: &Entry<'_>) -> Result<usize, TsplibError> {
    let wrong = |what: &str, help: &str| {
        refuse(entry.value.place, format!("{} {what}", shown(entry.value.text)), help)
    };
    match entry.value.text.parse::<i128>() {
        Ok(number) if number > MAX_CITIES as i128 => {
            Err(wrong("are too many cities", "up to 100000 are read; far fewer are solved exactly"))
        }
        // Between 1 and the maximum.
        Ok(number) if number > 0 => Ok(number as usize),
        Ok(_) => Err(wrong("is no number of cities", "there must be one city at least")),
        Err(_) => Err(wrong("is no number of cities", "write a whole number such as 24")),
    }
}

fn metric(entry: &Entry<'_>) -> Result<Option<Metric>, TsplibError> {
    match entry.value.text {
        "EXPLICIT" => Ok(None),
        "EUC_2D" => Ok(Some(Metric::Euclidean)),
        "CEIL_2D" => Ok(Some(Metric::Ceiling)),
        "ATT" => Ok(Some(Metric::Att)),
        "GEO" => Ok(Some(Metric::Geographic)),
        _ => Err(entry.no_such(TYPES_HELP)),
    }
}

fn form(entry: &Entry<'_>) -> Result<Option<Form>, TsplibError> {
    match entry.value.text {
        "FUNCTION" => Ok(None),
        "FULL_MATRIX" => Ok(Some(Form::Full)),
        "UPPER_ROW" | "LOWER_COL" => Ok(Some(Form::Upper)),
        "LOWER_ROW" | "UPPER_COL" => Ok(Some(Form::Lower)),
        "UPPER_DIAG_ROW" | "LOWER_DIAG_COL" => Ok(Some(Form::UpperDiagonal)),
        "LOWER_DIAG_ROW" | "UPPER_DIAG_COL" => Ok(Some(Form::LowerDiagonal)),
        _ => Err(entry.no_such(FORMS_HELP)),
    }
}

fn among(entry: &Entry<'_>, known: &[&str]) -> Result<(), TsplibError> {
    if known.contains(&entry.value.text) {
        Ok(())
    } else {
        Err(entry.no_such(&format!("isx reads {}", known.join(", "))))
    }
}
