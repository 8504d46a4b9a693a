//! Reads the file of a recurrence. Errors begin with the line.

use super::{Best, Recurrence, Waves, Way};

/// Most different choices: they have up to four bits.
const MOST_CHOICES: u32 = 16;

pub(super) fn recurrence(text: &str) -> Result<Recurrence, String> {
    let mut reader = Reader::default();
    for (at, line) in (1..).zip(text.lines()) {
        let (line, comment) = line.split_once('#').unwrap_or((line, ""));
        if reader.about.is_empty() {
            reader.about = comment.trim().to_owned();
        }
        if !line.trim().is_empty() {
            reader.read(line.trim()).map_err(|error| format!("line {at}: {error}"))?;
        }
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    about: String,
    name: Option<String>,
    waves: Option<Waves>,
    cell: Option<&'static str>,
    arrays: Vec<(String, &'static str)>,
    numbers: Vec<String>,
    border: Option<String>,
    best: Option<Best>,
    ways: Vec<Way>,
}

impl Reader {
    fn read(&mut self, line: &str) -> Result<(), String> {
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match key {
            "recurrence" => once(&mut self.name, name(rest)?, key),
            "waves" => once(
                &mut self.waves,
                one_of(rest, &[("diagonals", Waves::Diagonals), ("rows", Waves::Rows)])?,
                key,
            ),
            "cells" => once(&mut self.cell, one_of(rest, &[("i32", "int"), ("i64", "long long")])?, key),
            "best" => once(&mut self.best, one_of(rest, &[("max", Best::Max), ("min", Best::Min)])?, key),
            "array" => {
                let (array, kind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let kinds = [("u8", "unsigned char"), ("i32", "int"), ("i64", "long long")];
                let array = (self.fresh(array)?, one_of(kind.trim(), &kinds)?);
                self.arrays.push(array);
                Ok(())
            }
            "number" => {
                let number = self.fresh(rest)?;
                self.numbers.push(number);
                Ok(())
            }
            "border" => {
                let border = self.expression(rest)?;
                once(&mut self.border, border, key)
            }
            "from" => {
                let way = self.way(line, rest)?;
                self.ways.push(way);
                Ok(())
            }
            _ => {
                Err(format!("`{key}` is none of recurrence, waves, cells, array, number, border, best, from"))
            }
        }
    }

    /// A name that nothing else has.
    fn fresh(&self, text: &str) -> Result<String, String> {
        let name = name(text)?;
        if self.is_known(&name) {
            return Err(format!("`{name}` is already something else"));
        }
        Ok(name)
    }

    fn is_known(&self, name: &str) -> bool {
        ["i", "j"].contains(&name) || self.is_array(name) || self.numbers.iter().any(|known| known == name)
    }

    fn is_array(&self, name: &str) -> bool {
        self.arrays.iter().any(|(known, _)| known == name)
    }

    /// `(DI, DJ) [if EXPRESSION] [plus EXPRESSION] [as CHOICE]`.
    fn way(&self, line: &str, rest: &str) -> Result<Way, String> {
        let waves = self.waves.ok_or("say first which waves there are")?;
        let (pair, rest) = rest
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
            .ok_or("a way begins with `from (DI, DJ)`")?;
        let (row, column) = pair.split_once(',').ok_or("a way has two numbers: `from (DI, DJ)`")?;
        let (row, column) = (row.trim(), column.trim());
        let row: i64 = row.parse().map_err(|_| format!("`{row}` is not a whole number"))?;
        let fixed: Option<i64> = column.parse().ok();
        let back = match (waves, fixed) {
            (Waves::Diagonals, Some(column)) if row <= 0 && column <= 0 => -(row + column),
            (Waves::Diagonals, _) => return Err("diagonals come from cells with no larger i and j".into()),
            (Waves::Rows, None) if !self.is_signed_number(column) => {
                return Err(format!(
                    "`{column}` is neither a whole number nor a number's name with its sign"
                ));
            }
            (Waves::Rows, _) => -row,
        };
        let back = u32::try_from(back).ok().filter(|back| (1..=8).contains(back));
        let back = back.ok_or("a cell comes from one of the eight waves before")?;
        let [condition, plus, choice] = parts(rest)?;
        let choice = match choice {
            None => self.ways.len() as u32,
            Some(choice) => choice.parse().map_err(|_| format!("`{choice}` is not a choice"))?,
        };
        if choice >= MOST_CHOICES {
            return Err(format!("choices are below {MOST_CHOICES}"));
        }
        let is_everywhere = condition.is_none()
            && match waves {
                Waves::Diagonals => row >= -1 && fixed.is_some_and(|column| column >= -1),
                Waves::Rows => fixed == Some(0),
            };
        if self.ways.is_empty() && !is_everywhere {
            return Err(
                "the first way must exist for every cell: without a condition, and from a neighbor".into()
            );
        }
        let checked = |part: Option<&str>| part.map(|part| self.expression(part)).transpose();
        Ok(Way {
            text: line.to_owned(),
            back,
            row,
            column: fixed.map_or_else(|| column.to_owned(), |fixed| fixed.to_string()),
            condition: checked(condition)?,
            plus: checked(plus)?,
            choice,
        })
    }

    fn is_signed_number(&self, column: &str) -> bool {
        let name = column.strip_prefix(['-', '+']).map(str::trim);
        name.is_some_and(|name| self.numbers.iter().any(|known| known == name))
    }

    /// Checks an expression word by word; it is handed on as it is written.
    fn expression(&self, text: &str) -> Result<String, String> {
        const SIGNS: [&str; 20] = [
            "==", "!=", "<=", ">=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "!", "?", ":", "(", ")",
            "[", "]",
        ];
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err("an expression is missing".into());
        }
        let mut open = Vec::new();
        while !rest.is_empty() {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let length = if word.is_empty() {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                let sign =
                    sign.ok_or_else(|| format!("`{rest}` does not begin with a sign of expressions"))?;
                match *sign {
                    "(" => open.push(")"),
                    "[" => open.push("]"),
                    ")" | "]" if open.pop() != Some(*sign) => return Err(format!("`{sign}` closes nothing")),
                    _ => {}
                }
                sign.len()
            } else {
                let is_index = after.trim_start().starts_with('[');
                let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
                if !is_number && !self.is_known(word) {
                    return Err(format!("`{word}` is no array, number, i or j"));
                }
                if self.is_array(word) != is_index {
                    return Err(format!("`{word}`: arrays, and they alone, have an index in brackets"));
                }
                word.len()
            };
            rest = rest[length..].trim_start();
        }
        open.pop()
            .map_or_else(|| Ok(text.trim().to_owned()), |missing| Err(format!("`{missing}` is missing")))
    }

    fn finish(self) -> Result<Recurrence, String> {
        let missing = |what: &str| format!("a line `{what}` is missing");
        let waves = self.waves.ok_or_else(|| missing("waves"))?;
        let border = match (waves, self.border) {
            (Waves::Rows, Some(_)) => return Err("rows have no border: those before the first are 0".into()),
            (Waves::Rows, None) => String::new(),
            (Waves::Diagonals, border) => border.ok_or_else(|| missing("border"))?,
        };
        if self.ways.is_empty() {
            return Err(missing("from"));
        }
        Ok(Recurrence {
            name: self.name.ok_or_else(|| missing("recurrence"))?,
            about: self.about,
            waves,
            cell: self.cell.ok_or_else(|| missing("cells"))?,
            arrays: self.arrays,
            numbers: self.numbers,
            border,
            best: self.best.ok_or_else(|| missing("best"))?,
            ways: self.ways,
        })
    }
}

/// What follows `if`, `plus` and `as`, which stand in this order.
fn parts(text: &str) -> Result<[Option<&str>; 3], String> {
    let mut parts = [None; 3];
    let mut rest = text;
    // From the end: what follows a word ends where the next one began.
    for (part, word) in parts.iter_mut().zip(["if", "plus", "as"]).rev() {
        let place = rest.match_indices(word).find(|(at, _)| {
            let is_apart = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || c == '(' || c == ')');
            is_apart(rest[..*at].chars().next_back()) && is_apart(rest[at + word.len()..].chars().next())
        });
        if let Some((at, _)) = place {
            *part = Some(rest[at + word.len()..].trim());
            rest = &rest[..at];
        }
    }
    match rest.trim() {
        "" => Ok(parts),
        rest => Err(format!("`{rest}`: after the cell come `if`, `plus` and `as`, in this order")),
    }
}

fn once<T>(place: &mut Option<T>, value: T, key: &str) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("there is already a line `{key}`")),
    }
}

fn one_of<T: Copy>(text: &str, known: &[(&str, T)]) -> Result<T, String> {
    let found = known.iter().find(|(name, _)| *name == text);
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    found.map(|(_, value)| *value).ok_or_else(|| format!("`{text}` is none of {}", names.join(", ")))
}

/// Words of C++ and of the printed kernel itself.
const TAKEN: &str = "at auto best bool bytes case cells char choice choices class column column_count const default do double else false first float for goto if int long \
                     new next packed plus return row short signed sizeof static struct switch template this thread true typename union unsigned using value values void wave while within as";

fn name(text: &str) -> Result<String, String> {
    let is_name = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    match is_name
        && TAKEN.split(' ').all(|taken| taken != text)
        && !text.starts_with("before_")
        && !text.starts_with("top_")
    {
        true => Ok(text.to_owned()),
        false => Err(format!("`{text}` is not a free name of small letters, digits and _")),
    }
}
