//! Reviews: every change with the values before and after, first as data. Text and Markdown are rendered from that data alone,
//! whether a plan or a comparison of two revisions produced it.
#![forbid(unsafe_code)]

mod compact;
mod compared;
mod denied;
mod difference;
mod document;
mod inventory;
mod markdown;
mod model;
mod planned;
mod possible;
mod reasons;
mod saved;
mod several;
mod style;
mod text;

pub use denied::{DeniedClaim, denied_claims};
pub use document::{ComparedDocuments, PlanDocument, SchemaLookup};
pub use groma_plan::{Action, PlanGoal};
pub use inventory::{write_inventory, write_state_object};
pub use model::{
    ActionCounts, ActionItem, DifferenceOrigin, OutputItem, PossibleGroup, ResourceItem, Review,
    ReviewRemark, SharedDeclaration,
};
pub use reasons::{CauseText, UnknownReasons};
pub use saved::{SavedFile, write_saved};
pub use several::write_several;
pub use style::{PlainText, StyledSink, TextStyle};
