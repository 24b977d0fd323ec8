//! Positions for editors: lines and columns as they count them, and the tokens, nodes and expressions at an offset.
//! Editors count from 0, and mostly in units of UTF-16; a column beyond the end of its line is the end of that line.

use crate::ast::ExprView;
use crate::kind::{NodeKind, TokenKind};
use crate::source::Source;
use crate::span::Span;
use crate::tree::{NodeId, Token, Tree};

/// The unit in which an editor counts columns: bytes, UTF-16 code units or characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnUnit {
    /// Bytes of UTF-8.
    Utf8,
    /// UTF-16 code units: two for a character beyond U+FFFF.
    Utf16,
    /// Characters of Unicode.
    Utf32,
}

/// A zero-based line and column as an editor counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The line.
    pub line: u32,
    /// The column in the units of the editor.
    pub column: u32,
}

impl Source {
    /// Returns the editor position of byte `offset`. An offset past the end becomes the end, one inside a character the start
    /// of that character.
    pub fn point(&self, offset: u32, unit: ColumnUnit) -> Point {
        let position = self.position(offset);
        let column = match unit {
            ColumnUnit::Utf8 => {
                position.byte - self.line_span(position.line).start.min(position.byte)
            }
            ColumnUnit::Utf16 => self.units_before(position),
            ColumnUnit::Utf32 => {
                let start = self.line_span(position.line).start.min(position.byte);
                Span::new(start, position.byte).of(self.text()).chars().count() as u32
            }
        };
        Point { line: position.line.saturating_sub(1), column }
    }

    /// Returns the byte offset of an editor position. A line past the end becomes the end of the text, a column inside a
    /// character the start of that character.
    pub fn offset(&self, point: Point, unit: ColumnUnit) -> u32 {
        let line = self.line_span(point.line.saturating_add(1));
        let (mut at, near) = match unit {
            ColumnUnit::Utf8 | ColumnUnit::Utf32 => (line.start, 0),
            ColumnUnit::Utf16 => self.near_units(line, point.column),
        };
        let mut rest = point.column - near;
        for c in Span::new(at, line.end).of(self.text()).chars() {
            let length = match unit {
                ColumnUnit::Utf8 => c.len_utf8() as u32,
                ColumnUnit::Utf16 => c.len_utf16() as u32,
                ColumnUnit::Utf32 => 1,
            };
            if rest < length {
                break;
            }
            rest -= length;
            at += c.len_utf8() as u32;
        }
        at
    }
}

/// A token and its number in the tree.
type NumberedToken = (u32, Token);

impl Tree {
    /// Returns the tokens at an offset, with their numbers: the one that ends there, and the one that starts there or extends
    /// past it. Both are the same if the offset is inside a token.
    pub fn tokens_at(&self, offset: u32) -> (Option<NumberedToken>, Option<NumberedToken>) {
        let past = self.tokens().partition_point(|token| token.span().start <= offset);
        let last = past.checked_sub(1).and_then(|at| Some((at as u32, self.tokens().get(at)?)));
        let Some((at, token)) = last.filter(|(_, token)| token.span().touches(offset)) else {
            return (None, None);
        };
        if token.span().end == offset && !token.is_empty() {
            return (last, None);
        }
        if token.span().start < offset {
            return (last, last);
        }
        // The text of an empty heredoc is an empty token.
        let mut before = (0..at).rev().map(|at| (at, self.token(at)));
        let before = before.find(|(_, token)| !token.is_empty());
        (before.filter(|(_, before)| before.span().end == offset), last)
    }

    /// Returns the innermost node that contains an offset, or else the innermost that ends there.
    pub fn node_at(&self, offset: u32) -> NodeId {
        let mut node = self.root();
        loop {
            let mut ends = None;
            let inside = self.children_backwards(node).find(|child| {
                let span = self.span(*child);
                if span.end == offset {
                    ends = ends.or(Some(*child));
                }
                span.start <= offset && offset < span.end
            });
            match inside.or(ends) {
                Some(child) => node = child,
                None => return node,
            }
        }
    }

    /// Returns the parent of a node; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let mut node = Some(self.root()).filter(|root| id < *root)?;
        loop {
            // The subtree of a child ends with it, so the first child that is not before `id` contains it.
            let mut within = node;
            for child in self.children_backwards(node) {
                if child < id {
                    break;
                }
                within = child;
            }
            if within == id || within == node {
                return Some(node);
            }
            node = within;
        }
    }
}

impl<'t> ExprView<'t> {
    /// Returns the innermost expression at an offset, or `None`; of a traversal only the steps up to that offset: in
    /// `local.a.b`, `local.a` for an offset in `a`.
    pub fn at(tree: &'t Tree, offset: u32) -> Option<ExprView<'t>> {
        let mut id = tree.node_at(offset);
        while !is_expression(tree.kind(id)) {
            id = tree.parent(id)?;
        }
        let (before, after) = tree.tokens_at(offset);
        let of_name = |found: &(u32, Token)| {
            let kind = found.1.kind();
            matches!(kind, TokenKind::Identifier | TokenKind::DotName)
                && tree.token_range(id).contains(&found.0)
        };
        let (token, _) = after.filter(of_name).or(before.filter(of_name)).unzip();
        let whole = ExprView::new(tree, id);
        Some(token.map_or(whole, |token| ExprView::cut(tree, id, token + 1)))
    }
}

/// Returns true if nodes of this kind are expressions.
fn is_expression(kind: NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Error
            | NodeKind::Body
            | NodeKind::Argument
            | NodeKind::Block
            | NodeKind::Whole
            | NodeKind::Interpolation
            | NodeKind::DirectiveIf
            | NodeKind::DirectiveElse
            | NodeKind::DirectiveEndIf
            | NodeKind::DirectiveFor
            | NodeKind::DirectiveEndFor
            | NodeKind::DirectiveError
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::FileId;
    use proptest::prelude::*;

    /// Returns a strategy for texts of random tokens and parts of tokens, valid or not.
    fn texts() -> impl Strategy<Value = String> {
        let pieces = vec![
            "a",
            " = ",
            "\n",
            "\r\n",
            "local.b.c",
            "\"x${",
            "}\"",
            "é",
            "😀",
            "(",
            ")",
            "[1, 2]",
            "{",
            "}",
            "<<E\n",
            "E\n",
            "for",
            "# c",
            " + ",
            "f(",
            "...",
            ".*",
            "[*]",
            "\u{301}",
            "1.5",
            "\"t\"",
            "\u{feff}",
            "? b : c",
        ];
        prop::collection::vec(prop::sample::select(pieces), 0..30)
            .prop_map(|pieces| pieces.concat())
    }

    #[test]
    fn points_among_byte_order_marks_differ() {
        let source = Source::new("x", "\u{feff}\u{feff}a");
        let columns = [0, 3, 6].map(|at| source.point(at, ColumnUnit::Utf16).column);
        assert_eq!(columns, [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn offsets_and_points_go_both_ways(text in texts(), unit in prop::sample::select(vec![ColumnUnit::Utf8, ColumnUnit::Utf16])) {
            let source = Source::new("x", text.as_str());
            let mut last = None;
            for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
                let point = source.point(at as u32, unit);
                prop_assert!(last.is_none_or(|last| last < point));
                last = Some(point);
                // The line feed of a `\r\n` stands past the end of its line.
                let back = source.offset(point, unit) as usize;
                let past_end = c == '\n' && text[..at].ends_with('\r');
                prop_assert_eq!(back, if past_end { at - 1 } else { at });
            }
            let far = Point { line: u32::MAX, column: 0 };
            prop_assert_eq!(source.offset(far, unit) as usize, text.len());
        }

        #[test]
        fn every_child_knows_its_parent(text in texts()) {
            let tree = crate::parse_file(&text.as_str().into(), FileId(0)).tree;
            let mut open = vec![tree.root()];
            prop_assert_eq!(tree.parent(tree.root()), None);
            while let Some(id) = open.pop() {
                for child in tree.children(id) {
                    prop_assert_eq!(tree.parent(child), Some(id));
                    open.push(child);
                }
            }
        }

        #[test]
        fn what_is_found_stands_there(text in texts()) {
            let tree = crate::parse_file(&text.as_str().into(), FileId(0)).tree;
            for offset in 0..=text.len() as u32 {
                let node = tree.node_at(offset);
                prop_assert!(node == tree.root() || tree.span(node).touches(offset));
                let holds = |id: NodeId| tree.span(id).start <= offset && offset < tree.span(id).end;
                prop_assert!(!tree.children(node).into_iter().any(holds));
                let (before, after) = tree.tokens_at(offset);
                prop_assert!(before.is_none_or(|(_, token)| token.span().start < offset && token.span().touches(offset)));
                prop_assert!(after.is_none_or(|(_, token)| token.span().touches(offset)));
                if let Some(found) = ExprView::at(&tree, offset) {
                    prop_assert!(found.span().start <= offset);
                }
            }
        }
    }

    #[test]
    fn tokens_of_no_length_end_nothing() {
        let tree = crate::parse_file(&"\"x${{}\"<<E\n".into(), FileId(0)).tree;
        for offset in 0..=tree.text().len() as u32 {
            let (before, _) = tree.tokens_at(offset);
            assert!(before.is_none_or(|(_, token)| token.span().start < offset), "{offset}");
        }
    }

    #[test]
    fn names_are_cut_at_the_step() {
        let text = "x = local.aa.bb + f(var.c)[0]";
        let tree = crate::parse_file(&text.into(), FileId(0)).tree;
        let at = |needle: &str| {
            let offset = text.find(needle).expect("it is there") as u32;
            ExprView::at(&tree, offset).map(|found| found.text().to_owned())
        };
        assert_eq!(at("local").as_deref(), Some("local"));
        assert_eq!(at("aa").as_deref(), Some("local.aa"));
        assert_eq!(at(" + ").as_deref(), Some("local.aa.bb"));
        assert_eq!(at("f(").as_deref(), Some("f(var.c)"));
        assert_eq!(at("c)").as_deref(), Some("var.c"));
        assert_eq!(at("0]").as_deref(), Some("0"));
        assert_eq!(at("x ="), None);
    }

    #[test]
    fn columns_of_both_units() {
        let source = Source::new("x", "a\n😀é = 1\r\nb");
        let at = source.text().find('=').expect("it is there") as u32;
        assert_eq!(source.point(at, ColumnUnit::Utf16), Point { line: 1, column: 4 });
        assert_eq!(source.point(at, ColumnUnit::Utf8), Point { line: 1, column: 7 });
        assert_eq!(source.point(at, ColumnUnit::Utf32), Point { line: 1, column: 3 });
        assert_eq!(source.offset(Point { line: 1, column: 3 }, ColumnUnit::Utf32), at);
        assert_eq!(source.offset(Point { line: 1, column: 1 }, ColumnUnit::Utf16), 2);
        assert_eq!(source.offset(Point { line: 1, column: 99 }, ColumnUnit::Utf16), at + 3);
    }
}
