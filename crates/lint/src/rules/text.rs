//! The form of files: comment syntax, and the top-level value of JSON files.

use groma_syntax::json::JsonCase;
use groma_syntax::{Diagnostic, Place, Span, TokenKind, parse_file, parse_json};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Finds comments that begin with `//` instead of `#`.
pub(super) fn comments(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for file in &subject.module.files {
        let source = subject.sources.get(*file);
        let text = source.text();
        let may_have = text.contains("//") || text.contains("/*");
        if source.name().ends_with(".json") || !may_have {
            continue;
        }
        let parse = parse_file(text, *file);
        for token in parse.tree.tokens().iter().filter(|token| token.kind() == TokenKind::Comment) {
            let span = token.span();
            let comment = span.of(text);
            let place = Place::new(*file, Span::new(span.start, span.start + 2));
            if comment.starts_with("//") {
                let one = Diagnostic::warning(&codes::COMMENT_STYLE, "Write # instead of //.");
                found.push(one.at(place).fix(place, "#", "Write the comment with #"));
            } else if comment.starts_with("/*") && comment.contains('\n') {
                let detail = "Begin each line with # instead of using /* and */.";
                found.push(Diagnostic::warning(&codes::COMMENT_STYLE, detail).at(place));
            }
        }
    }
}

/// Finds JSON files whose top-level value is not an object.
pub(super) fn json(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for file in &subject.module.files {
        let source = subject.sources.get(*file);
        if !source.name().ends_with(".json") || !source.text().trim_start().starts_with('[') {
            continue;
        }
        let parse = parse_json(source.text(), *file);
        let root = parse.document.root();
        if matches!(root.case(), JsonCase::Array(_)) {
            let start = root.span().start;
            let place = Place::new(*file, Span::new(start, start + 1));
            let detail = "The file is a list of objects. Make it one object, with the kinds of blocks as its properties.";
            found.push(Diagnostic::warning(&codes::LIST_AT_ROOT, detail).at(place));
        }
    }
}
