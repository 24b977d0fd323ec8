//! Insertion of an item into an object or a list, in the style of the existing items.

use crate::insert::placed;
use crate::text::{ParsedText, Splice};

/// A new item of an object or a list, and the place of the brackets between which it is inserted.
pub(crate) struct InsertedItem<'t> {
    /// The text with the object or list.
    pub(crate) text: &'t ParsedText,
    /// The offset of the opening bracket.
    pub(crate) open: usize,
    /// The offset of the closing bracket.
    pub(crate) close: usize,
    /// True for an object, false for a list.
    pub(crate) is_object: bool,
    /// The attribute's name with its sign; empty in a list.
    pub(crate) head: String,
    /// The code of the value.
    pub(crate) code: String,
}

impl InsertedItem<'_> {
    /// Creates the insertion of a text at an offset.
    fn put(at: usize, text: String) -> Splice {
        Splice { range: at..at, text }
    }

    /// Returns the insertion of the new element before the list element that starts at an offset.
    pub(crate) fn before(&self, start: usize) -> Splice {
        let text = self.text;
        let indent = text.indent(start);
        let code = placed(text, &self.code, indent);
        match text.begins_line(start) {
            true => {
                let line = format!("{indent}{code},{}", text.line_end());
                InsertedItem::put(text.line_start(start), line)
            }
            false => InsertedItem::put(start, format!("{code}, ")),
        }
    }

    /// Returns the insertion of the new item into brackets without other items.
    pub(crate) fn alone(&self) -> Splice {
        let InsertedItem { text, open, close, is_object, head, .. } = self;
        let inside = &text.text[open + 1..*close];
        if inside.contains('\n') && text.begins_line(*close) {
            let indent = format!("{}  ", text.indent(*close));
            let code = placed(text, &self.code, &indent);
            let comma = if *is_object { "" } else { "," };
            let line = format!("{indent}{head}{code}{comma}{}", text.line_end());
            return InsertedItem::put(text.line_start(*close), line);
        }
        let code = placed(text, &self.code, text.indent(*open));
        let comment = inside.trim_end();
        if !comment.is_empty() {
            let blank = if *is_object && comment.len() == inside.len() { " " } else { "" };
            return InsertedItem::put(open + 1 + comment.len(), format!(" {head}{code}{blank}"));
        }
        let code = if *is_object { format!(" {head}{code} ") } else { code };
        Splice { range: open + 1..*close, text: code }
    }

    /// Returns the insertion of the new item after the last of the existing items, whose start and end offsets are `spans`,
    /// in their style.
    pub(crate) fn behind(&self, spans: &[(usize, usize)]) -> Vec<Splice> {
        let InsertedItem { text, close, is_object, head, .. } = self;
        let Some((start, stop)) = spans.last().copied() else { return vec![self.alone()] };
        let comma = text.comma_after(stop).filter(|comma| comma < close);
        let after = comma.map_or(stop, |comma| comma + 1);
        let code = placed(text, &self.code, text.indent(start));
        if text.begins_line(start) && text.ends_line(after) && text.next_line(after) <= *close {
            let indent = text.indent(start);
            let parted = spans.iter().rev().skip(1);
            let has_commas = parted.into_iter().any(|(_, stop)| text.comma_after(*stop).is_some());
            let mut splices = Vec::new();
            if comma.is_none() && (!is_object || has_commas) {
                splices.push(InsertedItem::put(stop, ",".to_owned()));
            }
            let own = if comma.is_some() { "," } else { "" };
            let line = format!("{indent}{head}{code}{own}{}", text.line_end());
            splices.push(InsertedItem::put(text.next_line(after), line));
            return splices;
        }
        vec![match comma {
            Some(comma) => InsertedItem::put(comma + 1, format!(" {head}{code}")),
            None => InsertedItem::put(stop, format!(", {head}{code}")),
        }]
    }
}
