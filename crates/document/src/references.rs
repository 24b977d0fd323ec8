//! References to one declaration as `groma graph --references` prints them: the places that name it, each with the declaration
//! that contains it, and for a variable the calls of its module.

use groma::json::{JsonObject, JsonText, array, place_text};
use groma::place::DeclarationId;
use groma::syntax::Place;
use groma::{Snapshot, Sources};

/// A declaration and the references to it: the places that name it and, for a variable, the calls of its module.
#[derive(Debug)]
pub struct DeclarationReferences {
    /// The word for its kind, such as `variable`.
    pub kind: &'static str,
    /// Its address, without keys.
    pub address: String,
    /// The header of its block, or the argument of a local value.
    pub place: Place,
    /// The references, by place.
    pub references: Vec<NamedPlace>,
    /// For a variable, the calls of its module: the place of the argument that sets it, or of the call.
    pub callers: Vec<NamedPlace>,
}

/// A place where a declaration is referenced or given its value, and the declaration that contains the place.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NamedPlace {
    /// The place.
    pub place: Place,
    /// The address of the declaration that contains it, without keys.
    pub within: String,
    /// False for a module call that does not set the variable.
    pub is_given: bool,
}

impl DeclarationReferences {
    /// Collects the references to a declaration of a snapshot; `None` if the snapshot does not have the declaration.
    pub fn of(snapshot: &Snapshot, id: DeclarationId) -> Option<DeclarationReferences> {
        let site = snapshot.declaration(id)?;
        let named = |place: Place, within: DeclarationId, is_given: bool| {
            let within = full_address(snapshot, within);
            NamedPlace { place, within, is_given }
        };
        let references = snapshot.references(id).iter();
        let references = references.map(|one| named(one.place, one.within, true)).collect();
        let callers = snapshot.callers_of(id).into_iter().filter_map(|one| {
            let call = snapshot.declaration(one.call)?.place;
            Some(named(one.argument.unwrap_or(call), one.call, one.argument.is_some()))
        });
        let callers = callers.collect();
        let address = full_address(snapshot, id);
        Some(DeclarationReferences {
            kind: site.kind,
            address,
            place: site.place,
            references,
            callers,
        })
    }

    /// Writes the declaration and its references as a JSON object.
    pub fn write_json(&self, sources: &Sources, out: &mut JsonText<'_>) {
        let mut document = JsonObject::open(out);
        document.text("address", &self.address);
        document.text("kind", self.kind);
        document.text("place", &place_text(self.place, sources));
        array(&self.references, document.key("references"), |one, out| {
            one.write_json(sources, out);
        });
        if !self.callers.is_empty() {
            array(&self.callers, document.key("callers"), |one, out| one.write_json(sources, out));
        }
        document.close();
    }
}

impl NamedPlace {
    /// Returns the column, counted from 1, in which the reference or the value given to the declaration begins.
    pub fn column(&self, sources: &Sources) -> u32 {
        let (source, place) = sources.at(self.place);
        source.position(place.span.start).column
    }

    /// Writes the place as a JSON object: file and line, column, and the address of the declaration that contains it.
    fn write_json(&self, sources: &Sources, out: &mut JsonText<'_>) {
        let mut one = JsonObject::open(out);
        one.text("place", &place_text(self.place, sources));
        one.number("column", self.column(sources));
        one.text("within", &self.within);
        if !self.is_given {
            one.flag("given", false);
        }
        one.close();
    }
}

/// Returns the address of a declaration, including the address of its module, without keys.
fn full_address(snapshot: &Snapshot, id: DeclarationId) -> String {
    let own = snapshot.declaration(id).map(|site| site.address).unwrap_or_default();
    match snapshot.address_of_module(id.module) {
        module if module.is_empty() => own,
        module => format!("{module}.{own}"),
    }
}
