//! The table of rules. A rule inspects a module, or one expression in it; expressions are walked once for all rules.

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

use std::sync::Arc;

use groma_module::visit::Declaration;
use groma_project::{ModuleNode, Project};
use groma_syntax::{DiagnosticCode, Sources};
use rustc_hash::FxHashMap;

pub(crate) use declared::look_at_types;

use crate::found::RuleFindings;
use crate::inner::{InnerExpression, walk};
use crate::memory::{ExpressionLook, KnownLooks};
use crate::subject::{LintedModule, referred_by};
use crate::trouble::ErrorRanges;
use crate::{RuleSwitches, codes};

/// The function that carries out a lint rule, by its unit of inspection: a module, a subexpression, or all modules at once.
enum RuleScope {
    /// A module, also one with errors.
    Module(fn(&LintedModule<'_>, &mut RuleFindings)),
    /// A module whose files were parsed completely: content that is not found does not exist.
    Whole(fn(&LintedModule<'_>, &mut RuleFindings)),
    /// A module whose references all resolve, too: a declaration without references is unused.
    Resolved(fn(&LintedModule<'_>, &mut RuleFindings)),
    /// A subexpression, in any module.
    Inner(fn(&InnerExpression<'_>, &LintedModule<'_>, &mut RuleFindings)),
    /// All modules of a project without errors.
    Project(fn(&Project, &[ModuleNode<'_>], &mut RuleFindings)),
}

/// The table entry of a lint rule: its code, its function and its default.
struct Rule {
    code: &'static DiagnosticCode,
    look: RuleScope,
    /// True if it is on by default: it finds mistakes, not matters of style.
    is_by_default: bool,
}

/// Builds the table entry of a lint rule that is on by default.
const fn by_default(code: &'static DiagnosticCode, look: RuleScope) -> Rule {
    Rule { code, look, is_by_default: true }
}

/// Builds the table entry of a lint rule that is off by default.
const fn on_request(code: &'static DiagnosticCode, look: RuleScope) -> Rule {
    Rule { code, look, is_by_default: false }
}

impl Rule {
    /// Returns true if the rule is active under the user's choice of rules.
    fn counts(&self, switches: &RuleSwitches) -> bool {
        switches.counts(self.code.slug, self.is_by_default)
    }
}

/// All lint rules, sorted by code.
static RULES: &[Rule] = &[
    by_default(&codes::ATTEMPT_IN_VAIN, RuleScope::Inner(attempt::look)),
    on_request(&codes::COMMENT_STYLE, RuleScope::Module(text::comments)),
    by_default(&codes::DUPLICATE_ELEMENT, RuleScope::Inner(element::look)),
    on_request(&codes::EMPTY_LIST_COMPARISON, RuleScope::Inner(condition::look_at_lists)),
    by_default(&codes::EXTRA_ATTRIBUTE, RuleScope::Module(extra::look)),
    on_request(&codes::FULL_CLONE, RuleScope::Module(source::clone)),
    by_default(&codes::HOPELESS_ATTEMPT, RuleScope::Inner(attempt::look_for_hopeless)),
    by_default(&codes::IMPLIED_DEPENDENCY, RuleScope::Module(dependency::look)),
    by_default(&codes::LEGACY_INDEX, RuleScope::Inner(legacy::index)),
    on_request(&codes::LEGACY_SPLAT, RuleScope::Inner(legacy::splat)),
    on_request(&codes::LIST_AT_ROOT, RuleScope::Module(text::json)),
    by_default(&codes::LONE_INTERPOLATION, RuleScope::Inner(interpolation::look)),
    by_default(&codes::LOOKUP_WITHOUT_DEFAULT, RuleScope::Inner(legacy::call)),
    by_default(&codes::LOST_MOVE, RuleScope::Whole(moves::look)),
    on_request(&codes::MISSING_REQUIRED_VERSION, RuleScope::Whole(requirement::program)),
    on_request(&codes::MODULE_STRUCTURE, RuleScope::Whole(structure::look)),
    by_default(&codes::MODULE_WITHOUT_VERSION, RuleScope::Module(source::version)),
    on_request(&codes::NAMING_CONVENTION, RuleScope::Module(name::look)),
    on_request(&codes::OUTPUT_WITHOUT_DESCRIPTION, RuleScope::Module(written::outputs)),
    on_request(&codes::PROVIDER_WITHOUT_REQUIREMENT, RuleScope::Whole(requirement::providers)),
    on_request(&codes::REMOTE_WORKSPACE, RuleScope::Inner(workspace::look)),
    by_default(&codes::REPEATED_KEY, RuleScope::Inner(key::look)),
    by_default(&codes::SAME_RESULTS, RuleScope::Inner(condition::look_at_results)),
    by_default(&codes::SECRET_IN_TEXT, RuleScope::Module(secret::in_defaults)),
    by_default(&codes::SECRET_IN_TEXT, RuleScope::Inner(secret::look)),
    by_default(&codes::SETTLED_CONDITION, RuleScope::Inner(condition::look)),
    by_default(&codes::UNDECLARED_VARIABLE, RuleScope::Whole(stranger::look)),
    on_request(&codes::UNPINNED_SOURCE, RuleScope::Module(source::revision)),
    by_default(&codes::UNUSED_DATA, RuleScope::Resolved(unused::data)),
    by_default(&codes::UNUSED_LOCAL, RuleScope::Resolved(unused::locals)),
    by_default(&codes::UNUSED_OUTPUT, RuleScope::Project(output::look)),
    on_request(&codes::UNUSED_PROVIDER_ALIAS, RuleScope::Resolved(unused::aliases)),
    on_request(&codes::UNUSED_REQUIREMENT, RuleScope::Resolved(requirement::unused)),
    by_default(&codes::UNUSED_VARIABLE, RuleScope::Resolved(unused::variables)),
    on_request(&codes::VARIABLE_WITHOUT_DESCRIPTION, RuleScope::Module(written::variables)),
    on_request(&codes::VARIABLE_WITHOUT_TYPE, RuleScope::Module(written::types)),
    by_default(&codes::VERSION_TOO_LOW, RuleScope::Module(version::look)),
];

/// Returns true if a finding with this code is valid only if it is made for every caller of the module.
pub fn is_of_callers(code: &DiagnosticCode) -> bool {
    code == &codes::UNUSED_OUTPUT
}

/// Runs every active rule that inspects all modules at once.
pub(crate) fn inspect_all(
    project: &Project,
    own: &[ModuleNode<'_>],
    switches: &RuleSwitches,
    found: &mut RuleFindings,
) {
    for rule in RULES.iter().filter(|rule| rule.counts(switches)) {
        if let RuleScope::Project(look) = rule.look {
            look(project, own, found);
        }
    }
}

/// Runs the active rules on a module and its expressions, except those that would be misled by the module's errors. Reuses the
/// findings in `known`, and stores those for the next run in `looks`.
pub(crate) fn look(
    subject: &LintedModule<'_>,
    known: KnownLooks<'_>,
    mut looks: Option<&mut FxHashMap<Declaration, Arc<ExpressionLook>>>,
    trouble: &ErrorRanges,
    found: &mut RuleFindings,
) {
    let (module, sources) = (subject.module, subject.sources);
    let is_whole = trouble.has_read(module, sources);
    let is_resolved = is_whole && trouble.has_resolved(module, sources);
    let mut of_nodes = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.counts(subject.switches)) {
        match rule.look {
            RuleScope::Module(look) => look(subject, found),
            RuleScope::Whole(look) if is_whole => look(subject, found),
            RuleScope::Resolved(look) if is_resolved => look(subject, found),
            RuleScope::Inner(look) => of_nodes.push(look),
            RuleScope::Whole(_) | RuleScope::Resolved(_) | RuleScope::Project(_) => {}
        }
    }
    let look_at = |declaration: Declaration, found: &mut RuleFindings| {
        module.visit_one(declaration, &mut |seen| {
            walk(declaration, &seen, &mut |node| {
                of_nodes.iter().for_each(|look| look(&node, subject, found))
            });
        });
    };
    for declaration in module.declarations() {
        let Some(looks) = &mut looks else {
            look_at(declaration, found);
            continue;
        };
        let look = known.look(module, declaration).unwrap_or_else(|| {
            let mut own = RuleFindings::new(Sources::new());
            look_at(declaration, &mut own);
            Arc::new(own.into_look(referred_by(module, declaration)))
        });
        found.take_over(&look);
        looks.insert(declaration, look);
    }
}
