//! The rules, a row each. A row looks at a module, or at one expression in it; the expressions are walked once for all.

mod attempt;
mod condition;
mod dependency;
mod element;
mod extra;
mod interpolation;
mod secret;
mod unused;

use groma_syntax::DiagnosticCode;

use crate::found::Found;
use crate::node::{Node, walk};
use crate::subject::Subject;
use crate::{Switches, codes};

/// What a rule looks at.
enum Look {
    Module(fn(&Subject<'_>, &mut Found<'_>)),
    Node(fn(&Node<'_>, &Subject<'_>, &mut Found<'_>)),
}

/// A rule.
struct Rule {
    code: &'static DiagnosticCode,
    look: Look,
}

const RULES: &[Rule] = &[
    Rule { code: &codes::ATTEMPT_IN_VAIN, look: Look::Node(attempt::look) },
    Rule { code: &codes::DUPLICATE_ELEMENT, look: Look::Node(element::look) },
    Rule { code: &codes::EXTRA_ATTRIBUTE, look: Look::Module(extra::look) },
    Rule { code: &codes::IMPLIED_DEPENDENCY, look: Look::Module(dependency::look) },
    Rule { code: &codes::LONE_INTERPOLATION, look: Look::Node(interpolation::look) },
    Rule { code: &codes::SECRET_IN_TEXT, look: Look::Module(secret::in_defaults) },
    Rule { code: &codes::SECRET_IN_TEXT, look: Look::Node(secret::look) },
    Rule { code: &codes::SETTLED_CONDITION, look: Look::Node(condition::look) },
    Rule { code: &codes::UNUSED_DATA, look: Look::Module(unused::data) },
    Rule { code: &codes::UNUSED_LOCAL, look: Look::Module(unused::locals) },
    Rule { code: &codes::UNUSED_VARIABLE, look: Look::Module(unused::variables) },
];

/// Looks at a module with every rule that counts.
pub(crate) fn look(subject: &Subject<'_>, switches: &Switches, found: &mut Found<'_>) {
    let mut of_nodes = Vec::new();
    for rule in RULES.iter().filter(|rule| !switches.allows(rule.code.slug)) {
        match rule.look {
            Look::Module(look) => look(subject, found),
            Look::Node(look) => of_nodes.push(look),
        }
    }
    subject.module.visit(&mut |_, seen| {
        walk(&seen, &mut |node| of_nodes.iter().for_each(|look| look(&node, subject, found)));
    });
}
