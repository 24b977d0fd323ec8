//! Provider configurations. Nobody configures a provider here, but what they refer to has to exist.

use std::sync::Arc;

use groma_folder::{RawBlock, literal_text};
use groma_syntax::{Diagnostics, Expr, Place};
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
}

/// The arguments of a `provider` block that mean the same whatever the provider is.
const OWN: [&str; 3] = ["alias", "for_each", "version"];

impl Provider {
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &Gatherer<'_>,
        providers: &Providers,
        out: &mut Diagnostics,
    ) -> Provider {
        let library = &gatherer.library;
        let schema = gatherer.schemas.of_provider(&providers.source(raw.label(0)));
        let block = schema.as_ref().map(|schema| &*schema.block);
        let alias = raw.argument("alias").and_then(|argument| literal_text(&argument.expr));
        Provider {
            name: Str::from(raw.label(0)),
            place: raw.header,
            alias: alias.map(Str::from),
            version: raw.argument("version").map(|argument| argument.expr.clone()),
            for_each: raw.argument("for_each").map(|a| Expression::new(&a.expr, library)),
            content: Contents { library, out }.read(raw, &OWN, &[], block),
            schema,
        }
    }
}
