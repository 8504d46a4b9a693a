//! The page around the data: skeleton, style, script, and a security policy that allows nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use isx_report::origin::Origin;
use isx_report::text::{is_hidden, visible};
use isx_taskset::TaskSet;
use isx_taskset::formulate::FormulateError;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// The schema of the JSON of every page.
pub const SCHEMA: &str = "isx.report/4";

/// The skeleton of all pages.
const SKELETON: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");

/// The parts of the script, in loading order.
const SCRIPT: [&str; 13] = [
    include_str!("script/exact.js"),
    include_str!("script/data.js"),
    include_str!("script/words.js"),
    include_str!("script/elements.js"),
    include_str!("script/chart.js"),
    include_str!("script/zoom.js"),
    include_str!("script/strip.js"),
    include_str!("script/panel.js"),
    include_str!("script/tables.js"),
    include_str!("script/frame.js"),
    include_str!("script/share.js"),
    include_str!("script/cores.js"),
    include_str!("script/main.js"),
];

/// Where a page comes from.
#[derive(Serialize)]
pub struct OriginSheet {
    /// The inputs: `task set`, `front`, `front and task set`, or `front and sums` if the set was not solved again.
    pub of: &'static str,
    #[serde(flatten)]
    pub origin: Origin,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The front contradicts itself, or is that of another task set.
    #[error("{0}")]
    Front(String),
    /// The task set does not fit the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
    /// The page cannot be written.
    #[error("cannot write the page: {0}")]
    Write(#[from] io::Error),
}

impl ReportError {
    /// The front is not that of the set.
    pub fn other(set: &TaskSet, why: &str) -> Self {
        Self::Front(format!("this is not the front of `{}`: {why}", set.name))
    }
}

/// Deflates bytes and encodes them in base 64.
pub fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
    deflate.write_all(bytes)?;
    Ok(STANDARD.encode(deflate.finish()?))
}

/// Writes the page with this title and these data.
pub fn write(title: &str, data: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let (script, title) = (SCRIPT.concat(), escaped(&visible(title)));
    let data = harmless(&serde_json::to_string(data)?);
    let policy = policy(&script, STYLE);
    let parts = [
        ("policy", policy),
        ("title", title),
        ("style", STYLE.to_owned()),
        ("data", data),
        ("script", script),
    ];
    let mut rest = SKELETON;
    for (name, value) in parts {
        let mark = format!("{{{{{name}}}}}");
        // The skeleton has every mark, in this order; a test checks that.
        let (before, after) = rest.split_once(&mark).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        out.write_all(value.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())?;
    out.flush()
}

/// Bytes of a page without data.
pub fn bytes() -> u64 {
    (SKELETON.len() + STYLE.len() + SCRIPT.concat().len() + 300) as u64
}

/// No network, no other script or style than these, no forms, no other base.
fn policy(script: &str, style: &str) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(c),
        }
    }
    safe
}

/// Escapes JSON so that nothing ends a script element or begins a comment, and nothing is invisible in the source:
/// `<`, `>`, `&` and invisible characters occur only in strings, where they are escaped.
fn harmless(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&') || is_hidden(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| safe.push_str(&format!("\\u{unit:04x}")));
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(title: &str, data: &serde_json::Value) -> String {
        let mut bytes = Vec::new();
        write(title, data, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// The text between two strings that occur once each.
    fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
        let (_, after) = page.split_once(from).unwrap();
        let (inside, rest) = after.split_once(to).unwrap();
        assert!(!rest.contains(from), "{from}");
        inside
    }

    #[test]
    fn every_mark_of_the_skeleton_is_filled() {
        let page = page("a title", &json!({"data": 1}));
        assert!(!page.contains("{{") && page.ends_with("</html>\n"));
        assert_eq!(between(&page, "<title>", "</title>"), "a title – isx report");
        assert_eq!(
            between(&page, "<script type=\"application/json\" id=\"data\">", "</script>"),
            "{\"data\":1}"
        );
    }

    #[test]
    fn the_policy_allows_the_pages_own_script_and_style_and_nothing_else() {
        let page = page("t", &json!({}));
        let policy = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
        for (text, directive) in [
            (between(&page, "<script>", "</script>"), "script-src"),
            (between(&page, "<style>", "</style>"), "style-src"),
        ] {
            let hash = STANDARD.encode(Sha256::digest(text.as_bytes()));
            assert!(policy.contains(&format!("; {directive} 'sha256-{hash}';")), "{directive} in {policy}");
        }
        assert!(
            policy.starts_with("default-src 'none'; ")
                && !policy.contains("-inline")
                && !policy.contains("-eval")
        );
        // The policy stands before everything that it restricts.
        assert!(page.find("Content-Security-Policy").unwrap() < page.find("<style>").unwrap());
    }

    #[test]
    fn the_script_has_no_way_from_text_to_markup_or_code_and_none_to_the_network() {
        let script = SCRIPT.concat();
        let ways = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "fetch(",
            "XMLHttp",
            "import(",
            "http:",
            "https:",
            "setAttribute('style'",
            "</script",
            "<!--",
        ];
        let apart = script.replace("'http://www.w3.org/2000/svg'", "");
        for way in ways {
            assert!(!apart.contains(way), "{way}");
        }
        assert!(!SKELETON.contains(" on") || !SKELETON.contains("=\"javascript"));
        assert!(!SKELETON.contains("style=") && !STYLE.contains("url(") && !STYLE.contains("@import"));
    }

    #[test]
    fn titles_and_data_become_no_markup() {
        let evil = "</title><img src=x onerror=alert(1)>&\"'\u{202e}";
        let page = page(evil, &json!({"x": "</script><!--&\u{2028}\u{e0001}"}));
        let title = between(&page, "<title>", " – isx report");
        assert_eq!(title, "&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;\\u{202e}");
        let data = between(&page, "id=\"data\">", "</script>");
        assert_eq!(data, "{\"x\":\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\\udb40\\udc01\"}");
        let read: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["x"], "</script><!--&\u{2028}\u{e0001}");
    }
}
