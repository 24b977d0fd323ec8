//! Declarations of a snapshot, each by a number that holds for that snapshot only.

use groma_module::visit::Declaration;
use groma_syntax::{Place, Span};

use crate::Snapshot;
use crate::place::index::{module, name_of};

/// A declaration of a snapshot: the module by its number in the project, and the declaration's position in that module. A module
/// that is called several times counts once, by its first number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeclarationId {
    /// The number of the module; the root is 0.
    pub module: usize,
    /// The declaration in it.
    pub declaration: Declaration,
}

/// A declaration as it stands in its file.
#[derive(Clone, Debug)]
pub struct DeclarationSite {
    /// The declaration.
    pub id: DeclarationId,
    /// The word for its kind, such as `variable` or `resource`.
    pub kind: &'static str,
    /// Its address within its module, such as `local.name`.
    pub address: String,
    /// The header of its block, or the argument of a local value.
    pub place: Place,
    /// Its name where it is declared, without quotes.
    pub name: Option<Place>,
}

impl Snapshot {
    /// The declarations of a file, in the order of the text.
    pub fn declarations_in(&self, path: &str) -> Vec<DeclarationSite> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let sites = self.places().sites(self.project(), file);
        sites.declarations.iter().filter_map(|(_, id)| self.declaration(*id)).collect()
    }

    /// The declaration of a number; nothing for a number of another snapshot that this one does not have.
    pub fn declaration(&self, id: DeclarationId) -> Option<DeclarationSite> {
        let module = module(self.project(), id.module)?;
        let (kind, at) = id.declaration.position();
        if at >= *module.counts().get(kind)? {
            return None;
        }
        let place = self.project().sources().resolve(id.declaration.place(module));
        let name = name_of(module, id.declaration).and_then(|name| {
            let text = self.text_at(place);
            let start = match id.declaration {
                // `name = value`
                Declaration::Local(_) => text.find(name).filter(|at| *at <= 1),
                _ => text.rfind(name),
            }? as u32;
            let start = place.span.start + start;
            Some(Place::new(place.file, Span::new(start, start + name.len() as u32)))
        });
        let (kind, address) = (id.declaration.word(module), id.declaration.address(module));
        Some(DeclarationSite { id, kind, address, place, name })
    }

    /// The place of a declaration's name, or of its header if the name is not written as it is.
    pub fn definition(&self, id: DeclarationId) -> Option<Place> {
        self.declaration(id).map(|site| site.name.unwrap_or(site.place))
    }
}
