//! Look-up of the functions of an edition. A name that the edition does not have is searched in other editions, so that the
//! message can say which program or version has it.

use std::sync::LazyLock;

use groma_runtime::{Availability, Edition};

use crate::{Function, NameReach, TABLE};

/// The set of functions that may be called in one edition and one kind of expression (in a file, at the console, in declared
/// inputs, in the default of a variable), for look-up by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionLibrary {
    /// The edition whose functions exist.
    pub edition: Edition,
    /// True if the console's own functions exist (`type`).
    pub console: bool,
    /// True if the functions of batch givens exist (`unknown`, `not_null` …).
    pub given: bool,
    /// True if the functions of variable defaults exist (Packer's `env`).
    pub variable_default: bool,
    /// True if no function may be called at all.
    pub closed: bool,
}

/// The result of looking up a function name: the function, or why it may not be called.
#[derive(Clone, Debug)]
pub enum FoundFunction {
    /// The function.
    Function(&'static Function),
    /// Another program, version or context has the function, as the sentence says, or the name is not valid here.
    Elsewhere {
        /// A full sentence for the user.
        where_: String,
    },
    /// Another program or version has the function, as the sentence says; this edition does not, as far as is known.
    Lacking {
        /// A full sentence for the user.
        where_: String,
    },
    /// A function of a provider, whose local name the module declares.
    Provided(ProvidedFunction),
    /// No edition has a function of this name.
    Nowhere {
        /// The most similar name that exists, if any.
        nearest: Option<&'static str>,
    },
}

/// The parsed name of a provider's function in a call, such as `provider::aws::arn_parse`.
#[derive(Clone, Copy, Debug)]
pub struct ProvidedFunction {
    /// The function of the built-in provider with this name, if there is one.
    pub built_in: Option<&'static Function>,
    /// True if the name contains the alias of a provider configuration.
    pub is_aliased: bool,
}

/// The rows of all functions, sorted by name. A name has several rows if dialects differ in its parameters; at most one of them
/// exists in an edition.
static ROWS: LazyLock<Vec<&'static Function>> = LazyLock::new(|| {
    let mut rows: Vec<&'static Function> =
        Vec::with_capacity(TABLE.iter().map(|family| family.functions.len()).sum());
    rows.extend(TABLE.iter().flat_map(|family| family.functions));
    // The sort is stable, so rows of the same name remain in the order of the table.
    rows.sort_by_key(|function| function.name);
    rows
});

/// Returns the rows for a function name in all editions; empty if there is none.
fn rows(name: &str) -> &'static [&'static Function] {
    let from = ROWS.partition_point(|row| row.name < name);
    let rest = ROWS.get(from..).unwrap_or_default();
    let count = rest.iter().take_while(|row| row.name == name).count();
    rest.get(..count).unwrap_or_default()
}

/// Iterates over the names of the functions that `edition` has and `other` does not.
pub fn names_of_one_dialect(
    edition: Edition,
    other: Edition,
) -> impl Iterator<Item = &'static str> {
    let (own, other) = (FunctionLibrary::of(edition), FunctionLibrary::of(other));
    let has =
        move |rows: &[&Function], library: FunctionLibrary| rows.iter().any(|row| library.has(row));
    let names = ROWS.chunk_by(|one, next| one.name == next.name);
    let names = names.filter(move |rows| has(rows, own) && !has(rows, other));
    names.filter_map(|rows| rows.first().map(|row| row.name))
}

impl FunctionLibrary {
    /// Returns the library of the functions that may be called in any file of an edition.
    pub fn of(edition: Edition) -> FunctionLibrary {
        FunctionLibrary {
            edition,
            console: false,
            given: false,
            variable_default: false,
            closed: false,
        }
    }

    /// Returns the library with the functions added that only the console has, such as `type`.
    pub fn with_console(self) -> FunctionLibrary {
        FunctionLibrary { console: true, ..self }
    }

    /// Returns the library with the functions added that only the declared inputs (givens) of documentation pages and batch mode
    /// may call, such as `not_null`.
    pub fn with_given(self) -> FunctionLibrary {
        FunctionLibrary { given: true, ..self }
    }

    /// Returns the library with the functions added that only the default of a variable may call, such as Packer's `env`.
    pub fn with_variable_default(self) -> FunctionLibrary {
        FunctionLibrary { variable_default: true, ..self }
    }

    /// Returns the library with no functions allowed, for constant expressions.
    pub fn closed(self) -> FunctionLibrary {
        FunctionLibrary { closed: true, ..self }
    }

    /// Looks up a function by the name in a call; `core::upper` is `upper` in editions with namespaces.
    pub fn find(&self, name: &str) -> FoundFunction {
        if self.closed && !self.opens(name) {
            let where_ = format!("Only plain values can stand here, and `{name}` is a function.");
            return FoundFunction::Elsewhere { where_ };
        }
        if let Some((space, rest)) = name.split_once("::") {
            return self.find_in(space, rest, name);
        }
        let rows = rows(name);
        if let Some(function) = rows.iter().find(|function| self.has(function)) {
            return FoundFunction::Function(function);
        }
        if let Some(function) = rows.first() {
            if function.reach == NameReach::Everywhere || self.admits(function.reach) {
                return self.elsewhere(name, function.dialects);
            }
            if function.dialects.includes(self.edition) && function.reach != NameReach::Given {
                let where_ = match function.reach {
                    NameReach::Console => "only at the console",
                    _ => "only in the default of an input variable",
                };
                return FoundFunction::Elsewhere { where_: format!("`{name}` exists {where_}.") };
            }
        }
        if let Some(row) =
            crate::families::provider::FUNCTIONS.iter().find(|row| row.own_name() == name)
            && row.dialects.includes(self.edition)
        {
            let where_ = format!(
                "`{name}` is a function of the built-in provider: declare it in required_providers, and call \
                 `{}`.",
                row.name
            );
            return FoundFunction::Elsewhere { where_ };
        }
        FoundFunction::Nowhere { nearest: self.nearest(name) }
    }

    /// Returns true if a function may be called in a variable default that otherwise allows no functions.
    fn opens(&self, name: &str) -> bool {
        let of_a_default = |row: &&Function| row.reach == NameReach::VariableDefault;
        self.variable_default && rows(name).iter().copied().any(|row| of_a_default(&row))
    }

    /// Looks up the name `rest` in the namespace `space`; `name` is the full name for messages.
    fn find_in(&self, space: &str, rest: &str, name: &str) -> FoundFunction {
        let semantics = groma_runtime::Semantics::of(self.edition);
        match space {
            "core" if semantics.core_namespace && !rest.contains("::") => self.find(rest),
            "provider" if semantics.provider_functions => self.find_provided(rest, name),
            _ if semantics.core_namespace => FoundFunction::Nowhere { nearest: None },
            _ => {
                let where_ = format!("{} has no function namespaces.", self.edition);
                FoundFunction::Elsewhere { where_ }
            }
        }
    }

    /// Looks up a provider's function by `rest`, which is `NAME::FUNCTION` or `NAME::ALIAS::FUNCTION`; `name` is the full name
    /// with `provider::`, for messages.
    fn find_provided(&self, rest: &str, name: &str) -> FoundFunction {
        let parts: Vec<&str> = rest.split("::").collect();
        let function = match parts.as_slice() {
            [_, function] | [_, _, function] if parts.iter().all(|part| !part.is_empty()) => {
                *function
            }
            _ => {
                let where_ = format!(
                    "`{name}` is not a provider function: write `provider::NAME::FUNCTION`, with the provider's name \
                     in the module's required_providers."
                );
                return FoundFunction::Elsewhere { where_ };
            }
        };
        let built_in =
            crate::families::provider::FUNCTIONS.iter().find(|row| row.own_name() == function);
        FoundFunction::Provided(ProvidedFunction { built_in, is_aliased: parts.len() == 3 })
    }

    /// Returns the editions in whose files a function of this name may be called; `None` if there is no such function.
    pub fn editions_of(name: &str) -> Option<Availability> {
        let rows = rows(name).iter().filter(|row| row.reach == NameReach::Everywhere);
        rows.map(|row| row.dialects).reduce(|one, other| Availability {
            opentofu: one.opentofu.or(other.opentofu),
            terraform: one.terraform.or(other.terraform),
            packer: one.packer.or(other.packer),
        })
    }

    /// Iterates over the names of all functions of all editions, sorted.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        ROWS.chunk_by(|one, next| one.name == next.name).filter_map(|rows| Some(rows.first()?.name))
    }

    /// Returns the names of all functions that may be called, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        self.functions().map(|f| f.name).collect()
    }

    /// Iterates over the rows of the functions that may be called, sorted by name.
    pub fn functions(&self) -> impl Iterator<Item = &'static Function> {
        let library = *self;
        ROWS.iter().copied().filter(move |function| library.has(function))
    }

    /// Returns true if a function exists in the library's edition and may be called in the kind of expression for which the
    /// library is made.
    fn has(&self, function: &Function) -> bool {
        self.admits(function.reach) && function.dialects.includes(self.edition)
    }

    /// Returns true if functions of this reach may be called in the kind of expression for which the library is made, such as one
    /// at the console.
    fn admits(&self, reach: NameReach) -> bool {
        match reach {
            NameReach::Everywhere => true,
            NameReach::Console => self.console,
            NameReach::Given => self.given,
            NameReach::VariableDefault => self.variable_default,
        }
    }

    /// Returns the look-up result for a function that only the editions in `availability` have, with a sentence that names them.
    fn elsewhere(&self, name: &str, availability: Availability) -> FoundFunction {
        let homes = availability.editions_text();
        if homes.is_empty() {
            return FoundFunction::Elsewhere { where_: format!("`{name}` no longer exists.") };
        }
        let known = self.edition.known();
        let where_ = format!("`{name}` is a function of {homes}; {known} does not have it.");
        FoundFunction::Lacking { where_ }
    }

    /// Returns the callable function name most similar to `name`; `None` if none is similar.
    fn nearest(&self, name: &str) -> Option<&'static str> {
        let candidates = self.functions().filter(|function| !function.removed);
        groma_value::nearest(name, candidates.map(|function| function.name))
    }
}
