//! Estimates of the memory that reading a text takes, charged to the budget before it is read. A tree is estimated by the length
//! of its text; values by a quick scan of the text, because a list of numbers takes ten times as much as one long string. The
//! estimate is an upper bound.

use groma_runtime::Budget;
use groma_syntax::Diagnostics;

/// The bytes charged to the budget for each byte of a text that is parsed: for its syntax tree and declarations.
const TREE: u64 = 32;

/// The bytes charged to the budget for each byte of a file: its content and the decoded text.
const TEXT: u64 = 2;

/// The bytes charged to the budget for a value in a collection.
const ELEMENT: u64 = 16;

/// The bytes charged to the budget for the name of an attribute.
const NAME: u64 = 16;

/// The bytes charged to the budget for a collection with room for its first element.
const COLLECTION: u64 = 112;

/// The bytes charged to the budget for a number that is allocated: one with an exponent or many digits.
const LARGE_NUMBER: u64 = 190;

/// The bytes charged to the budget for an allocated text besides its content.
const LONG_TEXT: u64 = 32;

/// Maximum length in bytes of a text that is stored without an allocation.
const SHORT: usize = 16;

/// Number of digits from which a number is charged to the budget as an allocated one, with [`LARGE_NUMBER`] bytes.
const DIGITS: usize = 18;

/// A charge to the budget of a run for the memory that reading a file takes.
#[derive(Clone, Copy)]
pub struct MemoryCharge<'a> {
    /// The budget that is charged.
    pub budget: &'a Budget,
    /// The name of the file.
    pub shown: &'a str,
}

impl MemoryCharge<'_> {
    /// Charges the syntax tree and declarations of a text; returns false if the budget is used up, which is reported.
    pub fn for_tree(self, text: &str, out: &mut Diagnostics) -> bool {
        self.take(length(text).saturating_mul(TREE), out)
    }

    /// Charges the values of a text; returns false if the budget is used up, which is reported.
    pub fn for_values(self, text: &str, out: &mut Diagnostics) -> bool {
        self.take(values(text), out)
    }

    /// Charges the syntax tree of a text that consists of values, which [`MemoryCharge::for_values`] charges separately; returns
    /// false if the budget is used up, which is reported.
    pub fn for_tree_of_values(self, text: &str, out: &mut Diagnostics) -> bool {
        let most = length(text).saturating_mul(TREE);
        // Templates inside of strings inside of templates are beyond a quick scan.
        let is_plain = !text.contains("${") && !text.contains("%{");
        self.take(if is_plain { most.min(values(text).saturating_mul(2)) } else { most }, out)
    }

    /// Charges a number of bytes to the budget; returns false, after a report, if it is used up.
    fn take(self, bytes: u64, out: &mut Diagnostics) -> bool {
        let Err(bound) = self.budget.take_bytes(bytes) else { return true };
        let name = format!("the file \"{}\"", self.shown);
        out.push(groma_eval::ended(bound, &self.budget.initial_quota(), &name));
        self.budget.record_work(|| name);
        false
    }
}

/// Returns the length of a text in bytes.
fn length(text: &str) -> u64 {
    text.len() as u64
}

/// Returns an estimate, in bytes, of the memory for the text of a file and all values written in it.
fn values(text: &str) -> u64 {
    let mut bytes = length(text).saturating_mul(TEXT);
    let mut rest = text.as_bytes();
    // True after the start of an element, and the number of digits directly before.
    let (mut is_element, mut digits) = (false, 0);
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let before = std::mem::take(&mut digits);
        match first {
            b',' | b'\n' => bytes += if std::mem::take(&mut is_element) { ELEMENT } else { 0 },
            b' ' | b'\t' | b'\r' => {}
            b'"' => {
                let length = quoted(rest);
                rest = rest.get(length + 1..).unwrap_or_default();
                bytes += length as u64 + if length > SHORT { LONG_TEXT } else { 0 };
                is_element = true;
            }
            b'[' | b'{' => {
                bytes += COLLECTION;
                is_element = true;
            }
            b'=' | b':' => bytes += NAME,
            b'.' if before > 0 => digits = before,
            b'e' | b'E' if before > 0 => bytes += LARGE_NUMBER,
            b'0'..=b'9' => {
                digits = before + 1;
                bytes += if digits == DIGITS { LARGE_NUMBER } else { 0 };
                is_element = true;
            }
            _ => is_element = true,
        }
    }
    bytes
}

/// Returns the number of bytes in a string before its closing quote or the end of the line.
fn quoted(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' | b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{ELEMENT, TEXT, values};

    /// Returns the number of bytes charged for each byte of a list of such elements.
    fn share(element: &str) -> u64 {
        let text = format!("l = [{}]\n", element.repeat(10_000));
        values(&text) / text.len() as u64
    }

    /// Checks the charges for values of each kind, and that an unclosed quote hides the rest of its line only.
    #[test]
    fn values_are_charged_for_what_they_are() {
        let long = format!("\"{}\",", "0123456789".repeat(4));
        let shares =
            [long.as_str(), "\"abcde\",", "null,", "1,\n", "1,", "0.1,", "1e9,", "[1],", "{},"];
        assert_eq!(shares.map(share), [4, 4, 5, 7, 10, 6, 53, 33, 44]);
        // A quote that nothing closes hides no more than its line.
        let values_of = |text: &str| values(text) - text.len() as u64 * TEXT;
        assert!(values_of("# \"1,1,1,1\n") < ELEMENT * 2);
        assert!(values_of("# \"\n1,1,1,1\n") >= ELEMENT * 4);
    }
}
