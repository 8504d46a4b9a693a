//! References between the elements of a model: `EKF_Function?type=Runnable`, several separated by spaces.

use crate::xml::Element;

/// A reference to an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// The name, decoded.
    pub name: String,
    /// The type after `?type=`; empty if absent.
    pub kind: String,
}

impl Reference {
    /// Parses `amlt:/#EKF+Function?type=Runnable`: a file name precedes `#`, a space is `+`, other characters are
    /// `%XX`.
    fn of(text: &str) -> Self {
        let text = text.rsplit('#').next().unwrap_or(text);
        let (name, kind) = text.split_once("?type=").unwrap_or((text, ""));
        Reference { name: decoded(name), kind: kind.to_owned() }
    }

    /// All references of an attribute or, if the model is split over files, the `href`s of the child elements of that
    /// name.
    pub fn all<'a>(element: Element<'a>, attribute: &'a str) -> impl Iterator<Item = Self> {
        let named = element.get(attribute).unwrap_or("");
        let elsewhere = element.children(attribute).filter_map(|child| child.get("href"));
        named.split_ascii_whitespace().chain(elsewhere).map(Self::of)
    }

    /// The first of them.
    pub fn one<'a>(element: Element<'a>, attribute: &'a str) -> Option<Self> {
        Self::all(element, attribute).next()
    }

    /// The name of the first of them; empty if there is none.
    pub fn name<'a>(element: Element<'a>, attribute: &'a str) -> String {
        Self::one(element, attribute).map(|reference| reference.name).unwrap_or_default()
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = after;
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            (b'+', _) => bytes.push(b' '),
            (byte, _) => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_as_they_were_encoded() {
        let of = |text: &str| {
            let reference = Reference::of(text);
            (reference.name, reference.kind)
        };
        let is = |name: &str, kind: &str| (name.to_owned(), kind.to_owned());
        assert_eq!(of("EKF?type=Runnable"), is("EKF", "Runnable"));
        assert_eq!(of("GPU+island?type=HwStructure"), is("GPU island", "HwStructure"));
        assert_eq!(of("amlt:/#a%2Fb%C3%A9?type=Label"), is("a/bé", "Label"));
        assert_eq!(of("50%"), is("50%", ""));
        assert_eq!(of("%zz%4"), is("%zz%4", ""));
    }
}
