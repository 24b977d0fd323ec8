//! Queries about places in the files of a snapshot. Answers are data; callers turn them into lists and texts for people. A place
//! is valid only in the snapshot that returned it and has to be requested again after an edit.
//!
//! ```
//! use groma::place::PlaceTarget;
//! use groma::syntax::{ColumnUnit, Point};
//! use groma::{LoadOptions, MemoryHost, RequestToken, Workspace};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "locals {\n  zones = [\"a\", \"b\"]\n  count = length(local.zones)\n}\n");
//! let snapshot = workspace.root("app", &LoadOptions::default());
//! let cursor = Point { line: 2, column: 27 };
//! let place = snapshot.place("app/main.tf", cursor, ColumnUnit::Utf16).expect("the file was read");
//!
//! let Some(PlaceTarget::Reference { declaration, .. }) = snapshot.target_at(place) else { panic!() };
//! let defined = snapshot.definition(declaration).expect("it is declared");
//! assert_eq!(snapshot.range(defined, ColumnUnit::Utf16).1.start, Point { line: 1, column: 2 });
//!
//! // A request that must not wait returns the values evaluated so far, and reports that others are pending.
//! let soon = snapshot.values_at(place, 8, &RequestToken::ready()).expect("an expression stands there");
//! assert!(soon.is_pending);
//! let found = snapshot.values_at(place, 8, &RequestToken::new()).expect("an expression stands there");
//! assert_eq!(snapshot.plain_json(&found.values[0].value), r#"["a","b"]"#);
//! ```

mod block;
mod declaration;
mod declared_value;
mod expected;
mod index;
mod json;
mod lookup;
mod member;
mod reference;
mod target;
mod value;

use std::ops::Range;
use std::sync::Arc;

use groma_runtime::file_path;
use groma_syntax::{ColumnUnit, Diagnostic, FileId, Place, Point, Span};

use crate::Snapshot;

pub use groma_eval::Step;

pub use block::{FileSyntax, SyntaxPosition};
pub use declaration::{DeclarationId, DeclarationSite};
pub use declared_value::DeclarationValues;
pub use expected::{
    BlockStep, BodyLanguage, ExpectedArgument, ExpectedBlock, ExpectedBody, attributes_of,
    expected_by_rows, label_names,
};
pub(crate) use index::PlaceIndex;
pub use json::JsonPosition;
pub use member::{MemberStep, ModuleProvider, members, part_of, part_of_type, texts_of};
pub use reference::{InputCaller, PlaceReference};
pub use target::PlaceTarget;
pub use value::{InstanceValue, PlaceValues};
pub(crate) use value::{instance_scopes, is_of_iterator};

impl Snapshot {
    /// Returns the file number of a file by its path, written as in [`LoadOptions`](crate::LoadOptions) and diagnostics; `None`
    /// if no such file was read.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.places().file(&file_path::clean(path))
    }

    /// Returns the names of the files that were read for this snapshot, sorted.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.places().names()
    }

    /// Returns the empty place at a point in a file; `None` if the file was not read. A line or column beyond the end becomes
    /// the end.
    pub fn place(&self, path: &str, point: Point, unit: ColumnUnit) -> Option<Place> {
        let file = self.file(path)?;
        let offset = self.project().sources().get(file).offset(point, unit);
        Some(Place::new(file, Span::at(offset)))
    }

    /// Returns the file name of a place and the points at which it starts and ends, with columns in `unit`.
    pub fn range(&self, place: Place, unit: ColumnUnit) -> (Arc<str>, Range<Point>) {
        let (source, place) = self.project().sources().at(place);
        let points = source.point(place.span.start, unit)..source.point(place.span.end, unit);
        (Arc::from(source.name()), points)
    }

    /// Returns the source text at a place.
    pub fn text_at(&self, place: Place) -> &str {
        let (source, place) = self.project().sources().at(place);
        place.span.of(source.text())
    }

    /// Returns the diagnostics in a file, sorted by place. The places of their fixes are those of this snapshot.
    pub fn findings_in(&self, path: &str) -> Vec<&Diagnostic> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let name = self.project().sources().get(file).name();
        self.findings_by_file().get(name).into_iter().flat_map(|all| all.iter()).collect()
    }

    /// Returns the syntax of a file, with or without errors; `None` if no such file was read.
    pub fn syntax(&self, path: &str) -> Option<Arc<FileSyntax>> {
        Some(self.places().syntax(self.project(), self.file(path)?))
    }
}
