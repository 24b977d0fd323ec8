//! `import` blocks: which object is taken over, and by which id. A block with `for_each` takes several
//! over; there, and in OpenTofu anywhere, the keys of the address may be worked out.

use groma_functions::Dialect;
use groma_syntax::{Code, Diagnostic, Diagnostics, Place};

use super::gather::Gatherer;
use super::raw::Raw;
use super::{Expression, Mode};
use crate::target::Target;

static ADDRESS: Code = Code { slug: "invalid-address", summary: "This is not an address" };
static NOT_MANAGED: Code = Code { slug: "import-address", summary: "This cannot be taken over" };
static TWICE: Code = Code { slug: "duplicate-import", summary: "Imported twice" };
static MISSING: Code = Code { slug: "missing-argument", summary: "Missing required argument" };

/// One `import` block.
#[derive(Debug)]
pub struct Import {
    /// Where its header stands.
    pub place: Place,
    /// Where its target is written.
    pub to: Place,
    /// What is taken over, if it is an address. Keys that are worked out are left out.
    pub target: Option<Target>,
    /// Whether keys are left out.
    pub computed: bool,
    /// What it repeats over.
    pub for_each: Option<Expression>,
    /// By which id the provider knows the object.
    pub id: Option<Expression>,
    /// What tells the object apart instead.
    pub identity: Option<Expression>,
    /// Where a provider is asked for.
    pub provider: Option<Place>,
}

impl Import {
    pub(super) fn read(
        raw: &Raw,
        gatherer: &Gatherer<'_>,
        earlier: &[Import],
        out: &mut Diagnostics,
    ) -> Option<Import> {
        let expression =
            |name| raw.argument(name).map(|a| Expression::new(&a.expr, &gatherer.library));
        let (for_each, id) = (expression("for_each"), expression("id"));
        let identity = expression("identity");
        let is_tofu = gatherer.library.edition.dialect == Dialect::OpenTofu;
        let has_identity = gatherer.rules.import_identity;
        if id.is_none() && !is_tofu && !has_identity {
            let detail = "An import block needs the argument \"id\", and it is not set.";
            out.push(Diagnostic::error(&MISSING, detail).at(raw.open).within(raw.header.span));
        }
        if is_tofu || has_identity {
            identified(raw, out);
        }
        let argument = raw.argument("to")?;
        let to = argument.expr.place();
        let computed = Target::read(&argument.expr).is_err();
        let read = match is_tofu || for_each.is_some() {
            true => Target::read_open(&argument.expr),
            false => Target::read(&argument.expr),
        };
        let target = match read {
            Ok(target) => Some(target),
            Err(detail) => {
                out.push(Diagnostic::error(&ADDRESS, detail).at(to));
                None
            }
        };
        if let Some(target) = &target {
            let mode = target.resource.as_ref().map(|resource| resource.mode);
            if mode != Some(Mode::Managed) {
                let detail =
                    format!("{target} is no resource, and only resources can be taken over.");
                out.push(Diagnostic::error(&NOT_MANAGED, detail).at(to));
                return None;
            }
            let same = |other: &&Import| {
                !computed && !other.computed && other.target.as_ref() == Some(target)
            };
            if let Some(first) = earlier.iter().find(same) {
                let detail =
                    format!("{target} is taken over already. Remove one of the two blocks.");
                let twice = Diagnostic::error(&TWICE, detail).at(to);
                out.push(twice.note_at("The first is here.", first.to));
            }
        }
        let provider = raw.argument("provider").map(|argument| argument.expr.place());
        Some(Import { place: raw.header, to, target, computed, for_each, id, identity, provider })
    }

    /// All of them.
    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        self.for_each.iter_mut().chain(&mut self.id).chain(&mut self.identity)
    }
}

/// Where an object may have an identity in place of an id, it has one of the two.
fn identified(raw: &Raw, out: &mut Diagnostics) {
    let detail = match (raw.argument("id"), raw.argument("identity")) {
        (None, None) => {
            "An import block needs the argument \"id\" or \"identity\", by which the provider knows the object."
        }
        (Some(_), Some(_)) => {
            "\"id\" and \"identity\" both say which object is meant. Keep one of them."
        }
        _ => return,
    };
    out.push(Diagnostic::error(&MISSING, detail).at(raw.header));
}
