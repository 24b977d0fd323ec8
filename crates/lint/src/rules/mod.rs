//! The rules, a row each. A row looks at a module, or at one expression in it; the expressions are walked once for all.

mod attempt;
mod condition;
mod declared;
mod dependency;
mod element;
mod extra;
mod interpolation;
mod key;
mod legacy;
mod moves;
mod output;
mod secret;
mod stranger;
mod unused;
mod version;

use groma_project::{ModuleNode, Project};
use groma_syntax::DiagnosticCode;

pub(crate) use declared::look_at_types;

use crate::found::Found;
use crate::inner::{Inner, walk};
use crate::subject::Subject;
use crate::{Switches, codes};

/// What a rule looks at: a module, an expression inside an expression, or all modules at once.
enum Look {
    Module(fn(&Subject<'_>, &mut Found)),
    Inner(fn(&Inner<'_>, &Subject<'_>, &mut Found)),
    Project(fn(&Project, &[ModuleNode<'_>], &mut Found)),
}

/// A rule.
struct Rule {
    code: &'static DiagnosticCode,
    look: Look,
}

const RULES: &[Rule] = &[
    Rule { code: &codes::ATTEMPT_IN_VAIN, look: Look::Inner(attempt::look) },
    Rule { code: &codes::DUPLICATE_ELEMENT, look: Look::Inner(element::look) },
    Rule { code: &codes::EXTRA_ATTRIBUTE, look: Look::Module(extra::look) },
    Rule { code: &codes::HOPELESS_ATTEMPT, look: Look::Inner(attempt::look_for_hopeless) },
    Rule { code: &codes::IMPLIED_DEPENDENCY, look: Look::Module(dependency::look) },
    Rule { code: &codes::LEGACY_INDEX, look: Look::Inner(legacy::index) },
    Rule { code: &codes::LONE_INTERPOLATION, look: Look::Inner(interpolation::look) },
    Rule { code: &codes::LOOKUP_WITHOUT_DEFAULT, look: Look::Inner(legacy::call) },
    Rule { code: &codes::LOST_MOVE, look: Look::Module(moves::look) },
    Rule { code: &codes::REPEATED_KEY, look: Look::Inner(key::look) },
    Rule { code: &codes::SAME_RESULTS, look: Look::Inner(condition::look_at_results) },
    Rule { code: &codes::SECRET_IN_TEXT, look: Look::Module(secret::in_defaults) },
    Rule { code: &codes::SECRET_IN_TEXT, look: Look::Inner(secret::look) },
    Rule { code: &codes::SETTLED_CONDITION, look: Look::Inner(condition::look) },
    Rule { code: &codes::UNDECLARED_VARIABLE, look: Look::Module(stranger::look) },
    Rule { code: &codes::UNUSED_DATA, look: Look::Module(unused::data) },
    Rule { code: &codes::UNUSED_LOCAL, look: Look::Module(unused::locals) },
    Rule { code: &codes::UNUSED_OUTPUT, look: Look::Project(output::look) },
    Rule { code: &codes::UNUSED_VARIABLE, look: Look::Module(unused::variables) },
    Rule { code: &codes::VERSION_TOO_LOW, look: Look::Module(version::look) },
];

/// Whether a finding of this kind holds only if all who call the module say so.
pub fn is_of_callers(code: &DiagnosticCode) -> bool {
    code == &codes::UNUSED_OUTPUT
}

/// Looks at all modules at once with every rule that counts.
pub(crate) fn look_at_all(
    project: &Project,
    own: &[ModuleNode<'_>],
    switches: &Switches,
    found: &mut Found,
) {
    for rule in RULES.iter().filter(|rule| !switches.allows(rule.code.slug)) {
        if let Look::Project(look) = rule.look {
            look(project, own, found);
        }
    }
}

/// Looks at a module with every rule that counts.
pub(crate) fn look(subject: &Subject<'_>, switches: &Switches, found: &mut Found) {
    let mut of_nodes = Vec::new();
    for rule in RULES.iter().filter(|rule| !switches.allows(rule.code.slug)) {
        match rule.look {
            Look::Module(look) => look(subject, found),
            Look::Inner(look) => of_nodes.push(look),
            Look::Project(_) => {}
        }
    }
    subject.module.visit(&mut |declaration, seen| {
        walk(declaration, &seen, &mut |node| {
            of_nodes.iter().for_each(|look| look(&node, subject, found))
        });
    });
}
