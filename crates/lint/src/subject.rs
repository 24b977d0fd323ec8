//! The module that lint rules inspect. Mentioned names are searched in the source texts themselves: a mention in a comment or in
//! an unevaluated block counts, so that a declaration reported as unused certainly is.

use std::cell::OnceCell;

use groma_module::declare::{Module, Referent, Variable};
use groma_module::visit::Declaration;
use groma_project::ModuleNode;
use groma_syntax::{FileId, Place, Sources};
use groma_value::Value;
use rustc_hash::FxHashSet;

use crate::RuleSwitches;
use crate::memory::ReusableFindings;
use crate::options::RuleOptions;

/// A module that lint rules inspect, with the declarations to which its expressions refer.
pub(crate) struct LintedModule<'p> {
    pub(crate) node: ModuleNode<'p>,
    pub(crate) module: &'p Module,
    pub(crate) sources: &'p Sources,
    pub(crate) switches: &'p RuleSwitches,
    /// The addresses mentioned in its texts, on first use.
    mentioned: OnceCell<FxHashSet<&'p str>>,
    /// The declarations that its expressions refer to, in any syntax.
    referred: FxHashSet<Declaration>,
}

/// Returns the declarations to which the expressions of one declaration refer.
pub(crate) fn referred_by(module: &Module, declaration: Declaration) -> Vec<Declaration> {
    let mut referred = Vec::new();
    module.visit_one(declaration, &mut |seen| {
        referred.extend(seen.expression.uses.iter().filter_map(|used| match used.target {
            Referent::Variable(at) => Some(Declaration::Variable(at)),
            Referent::Local(at) => Some(Declaration::Local(at)),
            Referent::Resource(at) => Some(Declaration::Resource(at)),
            _ => None,
        }));
    });
    referred
}

/// The beginnings of addresses that are searched in source texts, with the number of names that follow each.
const ROOTS: [(&str, usize); 3] = [("var.", 1), ("local.", 1), ("data.", 2)];

impl<'p> LintedModule<'p> {
    /// Collects the references of a module, reusing those in `known` from an earlier run.
    pub(crate) fn of(
        node: ModuleNode<'p>,
        switches: &'p RuleSwitches,
        known: ReusableFindings<'_>,
    ) -> LintedModule<'p> {
        let sources = node.project().sources();
        let module: &Module = node.module();
        let mut referred = FxHashSet::default();
        for declaration in module.declarations() {
            match known.stored(module, declaration) {
                Some(stored) => referred.extend(&stored.referred),
                None => referred.extend(referred_by(module, declaration)),
            }
        }
        LintedModule { node, module, sources, switches, mentioned: OnceCell::new(), referred }
    }

    /// Returns true if an expression of the module refers to a declaration, or a source text mentions its address.
    pub(crate) fn uses(&self, declaration: Declaration) -> bool {
        self.referred.contains(&declaration)
            || self.mentioned().contains(declaration.address(self.module).as_str())
    }

    /// Returns the options of the lint rules.
    pub(crate) fn options(&self) -> &'p RuleOptions {
        self.switches.options()
    }

    /// Returns true if the lint rule `name`, which must be one that is on by default, is not switched off.
    pub(crate) fn is_active(&self, name: &str) -> bool {
        self.switches.is_active(name, true)
    }

    /// Returns the name of a source file without its folder.
    pub(crate) fn file_name(&self, file: FileId) -> &'p str {
        let name = self.sources.get(file).name();
        name.rsplit('/').next().unwrap_or(name)
    }

    /// Returns true if a source text of the module mentions the provider configuration `name.alias`.
    pub(crate) fn mentions_provider(&self, name: &str, alias: &str) -> bool {
        let address = format!("{name}.{alias}");
        self.module.files.iter().any(|file| {
            let text = self.sources.get(*file).text();
            text.match_indices(&address).any(|(at, found)| {
                let after = text[at + found.len()..].chars().next();
                let before = text[..at].chars().next_back();
                !before.is_some_and(belongs) && !after.is_some_and(belongs)
            })
        })
    }

    /// Returns the addresses that the module's source texts mention, collected on first use.
    fn mentioned(&self) -> &FxHashSet<&'p str> {
        self.mentioned.get_or_init(|| {
            let mut mentioned = FxHashSet::default();
            for file in &self.module.files {
                let text: &'p str = self.sources.get(*file).text();
                for (root, names) in ROOTS {
                    mentions(text, root, names, &mut mentioned);
                }
            }
            mentioned
        })
    }

    /// Returns the declaration of the variable called `name`, if there is one.
    pub(crate) fn variable(&self, name: &str) -> Option<&'p Variable> {
        let all = &self.module.variables;
        let at = all.binary_search_by(|one| (*one.name).cmp(name)).ok()?;
        Some(&all[at])
    }

    /// Returns true if a source range is in native syntax; in JSON a lone interpolation is the only way to write an expression.
    pub(crate) fn is_native(&self, place: Place) -> bool {
        !self.sources.at(place).0.name().ends_with(".json")
    }
}

/// Collects in `into` the addresses in a text that begin with `root`, such as `var.`, followed by at most `names` names.
fn mentions<'t>(text: &'t str, root: &str, names: usize, into: &mut FxHashSet<&'t str>) {
    for (at, _) in text.match_indices(root) {
        if text[..at].chars().next_back().is_some_and(belongs) {
            continue;
        }
        let mut end = at + root.len();
        for number in 0..names {
            if number > 0 {
                if !text[end..].starts_with('.') {
                    break;
                }
                end += 1;
            }
            let rest = &text[end..];
            end += rest.find(|sign| !belongs(sign)).unwrap_or(rest.len());
        }
        into.insert(&text[at..end]);
    }
}

/// Returns true if a character can be part of a name in an address.
fn belongs(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '-'
}

/// Returns the text of a known string value; `None` for other values.
pub(crate) fn text_of(value: &Value) -> Option<&str> {
    match value.bare() {
        Value::String(text) => Some(text),
        _ => None,
    }
}
