//! Provider configurations. Providers are not run, but references must resolve.

use std::sync::Arc;

use groma_config::{RawBlock, literal_text};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;
use groma_value::schema::Schema;

use crate::declare::content::ContentReader;
use crate::declare::{DeclarationReader, Expression, SchemaBody};
use crate::schema::LocalProviders;

/// The declaration of a `provider` block: local name, alias and configuration.
#[derive(Debug)]
pub struct Provider {
    /// The local name of the provider.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    /// The alias.
    pub alias: Option<Str>,
    /// The version constraint, which is deprecated in favour of the module's requirements.
    pub version: Option<Expr>,
    /// The collection that it iterates over.
    pub for_each: Option<Expression>,
    /// Its body.
    pub content: SchemaBody,
    /// The schema of the body, if known.
    pub schema: Option<Arc<Schema>>,
    /// Diagnostics inside the body, beyond its form. They are reported only if the configuration is used.
    pub problems: Vec<Diagnostic>,
}

/// Arguments of a `provider` block that the language defines and the provider's schema does not.
const OWN: [&str; 3] = ["alias", "for_each", "version"];

impl Provider {
    /// Returns true if the provider's body refers to something undeclared: then it is not read any further.
    pub fn is_broken(&self) -> bool {
        self.content.is_broken(self.schema.as_deref().map(|schema| &*schema.block))
    }

    /// Reads a provider configuration from its block; diagnostics about its body are kept in `problems`.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        providers: &LocalProviders,
    ) -> Provider {
        let library = &gatherer.library;
        let schema = gatherer.schemas.of_provider(&providers.source(raw.label(0)));
        let block = schema.as_ref().map(|schema| &*schema.block);
        let alias = raw.argument("alias").and_then(|argument| literal_text(&argument.expr));
        let mut found = Diagnostics::new();
        let content = ContentReader { library, out: &mut found }.read(raw, &OWN, &[], block);
        Provider {
            name: Str::from(raw.label(0)),
            place: raw.header,
            alias: alias.map(Str::from),
            version: raw.argument("version").map(|argument| argument.expr.clone()),
            for_each: raw.argument("for_each").map(|a| Expression::new(&a.expr, library)),
            content,
            schema,
            problems: found.into_vec(),
        }
    }
}
