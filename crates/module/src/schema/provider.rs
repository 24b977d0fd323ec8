//! The provider of a resource: its local name in the module, and the source of that name. Two modules may use the same local
//! name for different providers.

use groma_config::{RawBlock, address_expression, implied_provider, literal_text};
use groma_syntax::Expr;
use groma_syntax::ast::ExprCase;
use groma_value::Str;
use rustc_hash::FxHashMap;

use crate::declare::RequiredProvider;

/// The source address of the provider that is built into every program: `terraform.io/builtin/terraform`.
pub(crate) const BUILT_IN: &str = "terraform.io/builtin/terraform";

/// The sources of a module's providers, by local name.
#[derive(Clone, Default, Debug)]
pub struct LocalProviders {
    sources: FxHashMap<Str, String>,
}

impl LocalProviders {
    /// Indexes the sources in a module's `required_providers` by the providers' local names.
    pub fn of(required: &[RequiredProvider]) -> LocalProviders {
        let named = |one: &RequiredProvider| Some((one.name.clone(), one.source()?));
        LocalProviders { sources: required.iter().filter_map(named).collect() }
    }

    /// Returns the source of the provider with this local name: of `terraform` the built-in one, of others `hashicorp/NAME`,
    /// unless the module declares a source.
    pub fn source(&self, local: &str) -> String {
        let source = match self.sources.get(local) {
            Some(source) => source.clone(),
            None if local == "terraform" => BUILT_IN.to_owned(),
            None => local.to_owned(),
        };
        if source.contains('/') { source } else { format!("hashicorp/{source}") }
    }
}

/// Returns true if a source denotes the built-in provider.
pub(super) fn is_built_in(source: &str) -> bool {
    source == "hashicorp/terraform" || source.ends_with("builtin/terraform")
}

/// Returns the local name of a resource's provider, explicit or implied by its type.
pub(crate) fn local_name(raw: &RawBlock) -> String {
    let written = raw.argument("provider").and_then(|argument| first_word(&argument.expr));
    let implied = || implied_provider(raw.label(0)).to_owned();
    written.unwrap_or_else(implied)
}

/// Returns the local name in a provider reference such as `aws.west`, written as a reference or a string; `None` for other
/// expressions.
fn first_word(expr: &Expr) -> Option<String> {
    if let Some((Expr::Native(native), _)) = address_expression(expr) {
        let mut at = native.view();
        loop {
            match at.case() {
                ExprCase::Root(word) => return Some(word.to_owned()),
                ExprCase::Attribute { object, .. } | ExprCase::Index { object, .. } => at = object,
                _ => break,
            }
        }
    }
    let text = literal_text(expr)?;
    text.split(['.', '[']).next().map(str::to_owned)
}
