//! A module while the rules look at it. Which names its texts mention is read from the texts themselves: a mention in a
//! comment or in a block that is not evaluated counts, so that what is called unused is unused beyond doubt.

use std::cell::OnceCell;

use groma_module::declare::{Module, Referent, Variable};
use groma_module::visit::Declaration;
use groma_project::ModuleNode;
use groma_syntax::{FileId, Place, Sources};
use groma_value::Value;
use rustc_hash::FxHashSet;

use crate::RuleSwitches;
use crate::memory::KnownLooks;
use crate::options::RuleOptions;

/// A module while the rules look at it.
pub(crate) struct LintedModule<'p> {
    pub(crate) node: ModuleNode<'p>,
    pub(crate) module: &'p Module,
    pub(crate) sources: &'p Sources,
    pub(crate) switches: &'p RuleSwitches,
    /// Addresses that its texts mention, found on first use.
    mentioned: OnceCell<FxHashSet<&'p str>>,
    /// The declarations that its expressions refer to, in any syntax.
    referred: FxHashSet<Declaration>,
}

/// The declarations that the expressions of one refer to.
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

/// The roots of addresses, and how many names follow them.
const ROOTS: [(&str, usize); 3] = [("var.", 1), ("local.", 1), ("data.", 2)];

impl<'p> LintedModule<'p> {
    /// `known`: what an older look has seen.
    pub(crate) fn of(
        node: ModuleNode<'p>,
        switches: &'p RuleSwitches,
        known: KnownLooks<'_>,
    ) -> LintedModule<'p> {
        let sources = node.project().sources();
        let module: &Module = node.module();
        let mut referred = FxHashSet::default();
        for declaration in module.declarations() {
            match known.look(module, declaration) {
                Some(look) => referred.extend(&look.referred),
                None => referred.extend(referred_by(module, declaration)),
            }
        }
        LintedModule { node, module, sources, switches, mentioned: OnceCell::new(), referred }
    }

    /// Returns true if something of the module refers to this, or a text of it has its address.
    pub(crate) fn uses(&self, declaration: Declaration) -> bool {
        self.referred.contains(&declaration)
            || self.mentioned().contains(declaration.address(self.module).as_str())
    }

    /// Returns how rules look that have more than one way.
    pub(crate) fn options(&self) -> &'p RuleOptions {
        self.switches.options()
    }

    /// Returns true if a rule counts that does so by default.
    pub(crate) fn counts(&self, name: &str) -> bool {
        self.switches.counts(name, true)
    }

    /// The name of a file, without its folder.
    pub(crate) fn file_name(&self, file: FileId) -> &'p str {
        let name = self.sources.get(file).name();
        name.rsplit('/').next().unwrap_or(name)
    }

    /// Returns true if a text of the module has the name of a provider's configuration, wherever that is.
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

    /// The variable of that name.
    pub(crate) fn variable(&self, name: &str) -> Option<&'p Variable> {
        let all = &self.module.variables;
        let at = all.binary_search_by(|one| (*one.name).cmp(name)).ok()?;
        Some(&all[at])
    }

    /// Returns true if a place is written in the native syntax; in JSON a lone interpolation is the only way.
    pub(crate) fn is_native(&self, place: Place) -> bool {
        !self.sources.at(place).0.name().ends_with(".json")
    }
}

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

/// Returns true if a character belongs to a name.
fn belongs(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '-'
}

/// The text that a value is, if it is a known one.
pub(crate) fn text_of(value: &Value) -> Option<&str> {
    match value.bare() {
        Value::String(text) => Some(text),
        _ => None,
    }
}
