//! Hints about legacy template strings: `{{ user … }}` and the like, which precede expressions. They are left alone, because
//! plugins may read them; if an expression is equivalent, a note names it.

use groma_syntax::{Diagnostic, Diagnostics, Place, Span};

use crate::codes;
use crate::content::TemplateExpression;
use crate::evaluate::TemplateState;

/// Legacy template functions with the expressions that replace them. `…` is the text after the function name.
const REPLACEMENTS: [(&str, &str); 14] = [
    ("build", "build.…"),
    ("build_name", "source.name"),
    ("build_type", "source.type"),
    ("env", "a variable with default = env(\"…\")"),
    ("isotime", "legacy_isotime(\"…\")"),
    ("lower", "lower(…)"),
    ("packer_version", "packer.version"),
    ("pwd", "path.cwd"),
    ("strftime", "legacy_strftime(\"…\")"),
    ("template_dir", "path.root"),
    ("timestamp", "formatdate(…, timestamp())"),
    ("upper", "upper(…)"),
    ("user", "var.…"),
    ("uuid", "uuidv4()"),
];

impl TemplateState {
    /// Reports legacy template strings (`{{ … }}`) in the whole template for which there is an equivalent expression.
    pub(crate) fn hints(&self, out: &mut Diagnostics) {
        self.template.visit(&mut |_, expression| search(expression, out));
    }
}

/// Reports legacy template strings in one expression for which there is an equivalent expression.
fn search(expression: &TemplateExpression, out: &mut Diagnostics) {
    let text = expression.expr.text();
    let text = text.as_str();
    let start = expression.place();
    for (at, _) in text.match_indices("{{") {
        let after = &text[at + 2..];
        let Some(end) = after.find("}}") else { return };
        let inside = after[..end].trim_matches(['-', ' ', '\t']);
        let (word, rest) = inside.split_once([' ', '`']).unwrap_or((inside, ""));
        let Some((_, replacement)) = REPLACEMENTS.iter().find(|(old, _)| *old == word) else {
            continue;
        };
        let rest = rest.trim_matches([' ', '`', '"', '\\']);
        let replacement = if rest.is_empty() || rest.contains(['{', '`']) {
            (*replacement).to_owned()
        } else {
            replacement.replace('…', rest)
        };
        let detail = format!(
            "\"{{{{ {word} … }}}}\" is the legacy template syntax and is left unchanged. Perhaps {replacement} is meant."
        );
        let from = start.span.start.saturating_add(at as u32);
        let span = Span::new(from, from.saturating_add(end as u32 + 4));
        out.push(
            Diagnostic::remark(&codes::OLD_TEMPLATE_STRING, detail)
                .at(Place::new(start.file, span)),
        );
    }
}
