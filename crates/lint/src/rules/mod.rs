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
mod name;
mod output;
mod requirement;
mod secret;
mod source;
mod stranger;
mod structure;
mod text;
mod unused;
mod version;
mod workspace;
mod written;

use groma_project::{ModuleNode, Project};
use groma_syntax::DiagnosticCode;

pub(crate) use declared::look_at_types;

use crate::found::Found;
use crate::inner::{Inner, walk};
use crate::subject::Subject;
use crate::trouble::Trouble;
use crate::{Switches, codes};

/// What a rule looks at: a module, an expression inside an expression, or all modules at once.
enum Look {
    Module(fn(&Subject<'_>, &mut Found)),
    /// A module that was read as a whole: what is not in it is not there.
    Whole(fn(&Subject<'_>, &mut Found)),
    /// One all of whose references lead somewhere, too: what nothing leads to is not used.
    Resolved(fn(&Subject<'_>, &mut Found)),
    Inner(fn(&Inner<'_>, &Subject<'_>, &mut Found)),
    Project(fn(&Project, &[ModuleNode<'_>], &mut Found)),
}

/// A rule.
struct Rule {
    code: &'static DiagnosticCode,
    look: Look,
    /// Whether it counts where nobody says anything: it finds mistakes, and no matters of taste.
    is_by_default: bool,
}

const fn by_default(code: &'static DiagnosticCode, look: Look) -> Rule {
    Rule { code, look, is_by_default: true }
}

const fn on_request(code: &'static DiagnosticCode, look: Look) -> Rule {
    Rule { code, look, is_by_default: false }
}

impl Rule {
    fn counts(&self, switches: &Switches) -> bool {
        switches.counts(self.code.slug, self.is_by_default)
    }
}

static RULES: &[Rule] = &[
    by_default(&codes::ATTEMPT_IN_VAIN, Look::Inner(attempt::look)),
    on_request(&codes::COMMENT_STYLE, Look::Module(text::comments)),
    by_default(&codes::DUPLICATE_ELEMENT, Look::Inner(element::look)),
    on_request(&codes::EMPTY_LIST_COMPARISON, Look::Inner(condition::look_at_lists)),
    by_default(&codes::EXTRA_ATTRIBUTE, Look::Module(extra::look)),
    on_request(&codes::FULL_CLONE, Look::Module(source::clone)),
    by_default(&codes::HOPELESS_ATTEMPT, Look::Inner(attempt::look_for_hopeless)),
    by_default(&codes::IMPLIED_DEPENDENCY, Look::Module(dependency::look)),
    by_default(&codes::LEGACY_INDEX, Look::Inner(legacy::index)),
    on_request(&codes::LEGACY_SPLAT, Look::Inner(legacy::splat)),
    on_request(&codes::LIST_AT_ROOT, Look::Module(text::json)),
    by_default(&codes::LONE_INTERPOLATION, Look::Inner(interpolation::look)),
    by_default(&codes::LOOKUP_WITHOUT_DEFAULT, Look::Inner(legacy::call)),
    by_default(&codes::LOST_MOVE, Look::Whole(moves::look)),
    on_request(&codes::MISSING_REQUIRED_VERSION, Look::Whole(requirement::program)),
    on_request(&codes::MODULE_STRUCTURE, Look::Whole(structure::look)),
    by_default(&codes::MODULE_WITHOUT_VERSION, Look::Module(source::version)),
    on_request(&codes::NAMING_CONVENTION, Look::Module(name::look)),
    on_request(&codes::OUTPUT_WITHOUT_DESCRIPTION, Look::Module(written::outputs)),
    on_request(&codes::PROVIDER_WITHOUT_REQUIREMENT, Look::Whole(requirement::providers)),
    on_request(&codes::REMOTE_WORKSPACE, Look::Inner(workspace::look)),
    by_default(&codes::REPEATED_KEY, Look::Inner(key::look)),
    by_default(&codes::SAME_RESULTS, Look::Inner(condition::look_at_results)),
    by_default(&codes::SECRET_IN_TEXT, Look::Module(secret::in_defaults)),
    by_default(&codes::SECRET_IN_TEXT, Look::Inner(secret::look)),
    by_default(&codes::SETTLED_CONDITION, Look::Inner(condition::look)),
    by_default(&codes::UNDECLARED_VARIABLE, Look::Whole(stranger::look)),
    on_request(&codes::UNPINNED_SOURCE, Look::Module(source::revision)),
    by_default(&codes::UNUSED_DATA, Look::Resolved(unused::data)),
    by_default(&codes::UNUSED_LOCAL, Look::Resolved(unused::locals)),
    by_default(&codes::UNUSED_OUTPUT, Look::Project(output::look)),
    on_request(&codes::UNUSED_PROVIDER_ALIAS, Look::Resolved(unused::aliases)),
    on_request(&codes::UNUSED_REQUIREMENT, Look::Resolved(requirement::unused)),
    by_default(&codes::UNUSED_VARIABLE, Look::Resolved(unused::variables)),
    on_request(&codes::VARIABLE_WITHOUT_DESCRIPTION, Look::Module(written::variables)),
    on_request(&codes::VARIABLE_WITHOUT_TYPE, Look::Module(written::types)),
    by_default(&codes::VERSION_TOO_LOW, Look::Module(version::look)),
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
    for rule in RULES.iter().filter(|rule| rule.counts(switches)) {
        if let Look::Project(look) = rule.look {
            look(project, own, found);
        }
    }
}

/// Looks at a module with every rule that counts and that what is wrong does not mislead.
pub(crate) fn look(subject: &Subject<'_>, trouble: &Trouble, found: &mut Found) {
    let (module, sources) = (subject.module, subject.sources);
    let is_whole = trouble.has_read(module, sources);
    let is_resolved = is_whole && trouble.has_resolved(module, sources);
    let mut of_nodes = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.counts(subject.switches)) {
        match rule.look {
            Look::Module(look) => look(subject, found),
            Look::Whole(look) if is_whole => look(subject, found),
            Look::Resolved(look) if is_resolved => look(subject, found),
            Look::Inner(look) => of_nodes.push(look),
            Look::Whole(_) | Look::Resolved(_) | Look::Project(_) => {}
        }
    }
    module.visit(&mut |declaration, seen| {
        walk(declaration, &seen, &mut |node| {
            of_nodes.iter().for_each(|look| look(&node, subject, found))
        });
    });
}
