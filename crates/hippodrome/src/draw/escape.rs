//! Escaping text in XML and HTML.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

/// Returns the entity of a byte that markup reserves.
fn entity(byte: u8) -> Option<&'static str> {
    match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        _ => None,
    }
}

/// Text escaped for elements and attributes.
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match u8::try_from(c).ok().and_then(entity) {
            Some(entity) => f.write_str(entity),
            None => f.write_char(c),
        })
    }
}

/// A writer that escapes the text of an element. Quotes need no escape there, and JSON has many.
pub(super) struct ElementText<'a>(pub(super) &'a mut dyn Write);

impl Write for ElementText<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let in_element = |&byte: &u8| entity(byte).filter(|_| byte != b'"');
        for run in text.split_inclusive(|byte| in_element(byte).is_some()) {
            match run.split_last().and_then(|(last, plain)| Some((plain, in_element(last)?))) {
                Some((plain, entity)) => {
                    self.0.write_all(plain)?;
                    self.0.write_all(entity.as_bytes())?;
                }
                None => self.0.write_all(run)?,
            }
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_text_is_escaped() {
        let text = "<a & b> \"é\" &";
        let mut out = Vec::new();
        ElementText(&mut out).write_all(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "&lt;a &amp; b&gt; \"é\" &amp;");
        assert_eq!(Escaped(text).to_string(), "&lt;a &amp; b&gt; &quot;é&quot; &amp;");
    }
}
