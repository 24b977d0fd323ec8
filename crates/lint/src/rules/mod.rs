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
mod structure;
mod text;
mod undeclared_value;
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
use crate::memory::{ReusableFindings, StoredFindings};
use crate::subject::{LintedModule, referred_by};
use crate::trouble::ErrorRanges;
use crate::{RuleSwitches, codes};

/// The function that carries out a lint rule, by its unit of inspection: a module, a subexpression, or all modules at once.
enum RuleFunction {
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

/// The table entry of a lint rule: its code, its function, and whether it is on by default.
struct Rule {
    code: &'static DiagnosticCode,
    function: RuleFunction,
    /// True if it is on by default: it finds mistakes, not matters of style.
    is_by_default: bool,
}

/// Builds the table entry of a lint rule that is on by default.
const fn by_default(code: &'static DiagnosticCode, function: RuleFunction) -> Rule {
    Rule { code, function, is_by_default: true }
}

/// Builds the table entry of a lint rule that is off by default.
const fn on_request(code: &'static DiagnosticCode, function: RuleFunction) -> Rule {
    Rule { code, function, is_by_default: false }
}

impl Rule {
    /// Returns true if the rule is active under the user's choice of rules.
    fn is_active(&self, switches: &RuleSwitches) -> bool {
        switches.is_active(self.code.slug, self.is_by_default)
    }
}

/// All lint rules, sorted by code.
static RULES: &[Rule] = &[
    by_default(&codes::ATTEMPT_IN_VAIN, RuleFunction::Inner(attempt::look)),
    on_request(&codes::COMMENT_STYLE, RuleFunction::Module(text::comments)),
    by_default(&codes::DUPLICATE_ELEMENT, RuleFunction::Inner(element::look)),
    on_request(&codes::EMPTY_LIST_COMPARISON, RuleFunction::Inner(condition::look_at_lists)),
    by_default(&codes::EXTRA_ATTRIBUTE, RuleFunction::Module(extra::look)),
    on_request(&codes::FULL_CLONE, RuleFunction::Module(source::clone)),
    by_default(&codes::HOPELESS_ATTEMPT, RuleFunction::Inner(attempt::look_for_hopeless)),
    by_default(&codes::IMPLIED_DEPENDENCY, RuleFunction::Module(dependency::look)),
    by_default(&codes::LEGACY_INDEX, RuleFunction::Inner(legacy::index)),
    on_request(&codes::LEGACY_SPLAT, RuleFunction::Inner(legacy::splat)),
    on_request(&codes::LIST_AT_ROOT, RuleFunction::Module(text::json)),
    by_default(&codes::LONE_INTERPOLATION, RuleFunction::Inner(interpolation::look)),
    by_default(&codes::LOOKUP_WITHOUT_DEFAULT, RuleFunction::Inner(legacy::call)),
    by_default(&codes::LOST_MOVE, RuleFunction::Whole(moves::look)),
    on_request(&codes::MISSING_REQUIRED_VERSION, RuleFunction::Whole(requirement::program)),
    on_request(&codes::MODULE_STRUCTURE, RuleFunction::Whole(structure::look)),
    by_default(&codes::MODULE_WITHOUT_VERSION, RuleFunction::Module(source::version)),
    on_request(&codes::NAMING_CONVENTION, RuleFunction::Module(name::look)),
    on_request(&codes::OUTPUT_WITHOUT_DESCRIPTION, RuleFunction::Module(written::outputs)),
    on_request(&codes::PROVIDER_WITHOUT_REQUIREMENT, RuleFunction::Whole(requirement::providers)),
    on_request(&codes::REMOTE_WORKSPACE, RuleFunction::Inner(workspace::look)),
    by_default(&codes::REPEATED_KEY, RuleFunction::Inner(key::look)),
    by_default(&codes::SAME_RESULTS, RuleFunction::Inner(condition::look_at_results)),
    by_default(&codes::SECRET_IN_TEXT, RuleFunction::Module(secret::in_defaults)),
    by_default(&codes::SECRET_IN_TEXT, RuleFunction::Inner(secret::look)),
    by_default(&codes::SETTLED_CONDITION, RuleFunction::Inner(condition::look)),
    by_default(&codes::UNDECLARED_VARIABLE, RuleFunction::Whole(undeclared_value::look)),
    on_request(&codes::UNPINNED_SOURCE, RuleFunction::Module(source::revision)),
    by_default(&codes::UNUSED_DATA, RuleFunction::Resolved(unused::data)),
    by_default(&codes::UNUSED_LOCAL, RuleFunction::Resolved(unused::locals)),
    by_default(&codes::UNUSED_OUTPUT, RuleFunction::Project(output::look)),
    on_request(&codes::UNUSED_PROVIDER_ALIAS, RuleFunction::Resolved(unused::aliases)),
    on_request(&codes::UNUSED_REQUIREMENT, RuleFunction::Resolved(requirement::unused)),
    by_default(&codes::UNUSED_VARIABLE, RuleFunction::Resolved(unused::variables)),
    on_request(&codes::VARIABLE_WITHOUT_DESCRIPTION, RuleFunction::Module(written::variables)),
    on_request(&codes::VARIABLE_WITHOUT_TYPE, RuleFunction::Module(written::types)),
    by_default(&codes::VERSION_TOO_LOW, RuleFunction::Module(version::look)),
];

/// Returns true if a finding with this code is valid only if it is made for every caller of the module.
pub fn is_of_callers(code: &DiagnosticCode) -> bool {
    code == &codes::UNUSED_OUTPUT
}

/// Runs every active rule that inspects all modules at once; `own` are those of the project's own code.
pub(crate) fn inspect_all(
    project: &Project,
    own: &[ModuleNode<'_>],
    switches: &RuleSwitches,
    found: &mut RuleFindings,
) {
    for rule in RULES.iter().filter(|rule| rule.is_active(switches)) {
        if let RuleFunction::Project(look) = rule.function {
            look(project, own, found);
        }
    }
}

/// Runs the active rules on a module and its expressions, except those that would be misled by the module's errors; reuses the
/// findings in `known`, and stores those for the next run in `stored`.
pub(crate) fn inspect_module(
    subject: &LintedModule<'_>,
    known: ReusableFindings<'_>,
    mut stored: Option<&mut FxHashMap<Declaration, Arc<StoredFindings>>>,
    trouble: &ErrorRanges,
    found: &mut RuleFindings,
) {
    let (module, sources) = (subject.module, subject.sources);
    let is_whole = trouble.has_read(module, sources);
    let is_resolved = is_whole && trouble.has_resolved(module, sources);
    let mut of_nodes = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.is_active(subject.switches)) {
        match rule.function {
            RuleFunction::Module(look) => look(subject, found),
            RuleFunction::Whole(look) if is_whole => look(subject, found),
            RuleFunction::Resolved(look) if is_resolved => look(subject, found),
            RuleFunction::Inner(look) => of_nodes.push(look),
            RuleFunction::Whole(_) | RuleFunction::Resolved(_) | RuleFunction::Project(_) => {}
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
        let Some(stored) = &mut stored else {
            look_at(declaration, found);
            continue;
        };
        let findings = known.stored(module, declaration).unwrap_or_else(|| {
            let mut own = RuleFindings::new(Sources::new());
            look_at(declaration, &mut own);
            Arc::new(own.into_stored(referred_by(module, declaration)))
        });
        found.add_stored(&findings);
        stored.insert(declaration, findings);
    }
}
