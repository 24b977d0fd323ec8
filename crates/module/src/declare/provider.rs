//! Provider configurations. Nobody configures a provider here, but what they refer to has to exist.

use std::sync::Arc;

use groma_folder::{RawBlock, literal_text};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;
use groma_value::schema::Schema;

use crate::declare::content::Contents;
use crate::declare::{Content, Expression, Gatherer};
use crate::schema::Providers;

/// A `provider` block.
#[derive(Debug)]
pub struct Provider {
    /// The local name of the provider.
    pub name: Str,
    /// Where its header stands.
    pub place: Place,
    /// What tells it from others of its name.
    pub alias: Option<Str>,
    /// Which versions of it; the requirements of the module are the place for that now.
    pub version: Option<Expr>,
    /// What makes several of it.
    pub for_each: Option<Expression>,
    /// Its body.
    pub content: Content,
    /// What the body may hold, where that is at hand.
    pub schema: Option<Arc<Schema>>,
    /// What is wrong inside of the body, beyond its form. It counts only where something uses the configuration.
    pub problems: Vec<Diagnostic>,
}

/// The arguments of a `provider` block that mean the same whatever the provider is.
const OWN: [&str; 3] = ["alias", "for_each", "version"];

impl Provider {
    /// Whether its body refers to what is not there: then it is not read any further.
    pub fn is_broken(&self) -> bool {
        self.content.is_broken(self.schema.as_deref().map(|schema| &*schema.block))
    }

    pub(crate) fn read(raw: &RawBlock, gatherer: &Gatherer<'_>, providers: &Providers) -> Provider {
        let library = &gatherer.library;
        let schema = gatherer.schemas.of_provider(&providers.source(raw.label(0)));
        let block = schema.as_ref().map(|schema| &*schema.block);
        let alias = raw.argument("alias").and_then(|argument| literal_text(&argument.expr));
        let mut found = Diagnostics::new();
        let content = Contents { library, out: &mut found }.read(raw, &OWN, &[], block);
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
