//! Provider configurations. Nobody configures a provider here, but what they refer to has to exist.

use groma_functions::Library;
use groma_syntax::{Diagnostics, Expr, Place};
use groma_value::Str;

use super::Content;
use super::content::Contents;
use super::expression::literal_text;
use super::raw::Raw;

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
    /// Its body; what makes several of it stands there as an argument.
    pub content: Content,
}

impl Provider {
    pub(super) fn read(raw: &Raw, library: &Library, out: &mut Diagnostics) -> Provider {
        let alias = raw.argument("alias").and_then(|argument| literal_text(&argument.expr));
        Provider {
            name: Str::from(raw.label(0)),
            place: raw.header,
            alias: alias.map(Str::from),
            version: raw.argument("version").map(|argument| argument.expr.clone()),
            content: Contents { library, out }.read(raw, &["alias", "version"], &[], None),
        }
    }
}
