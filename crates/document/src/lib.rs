//! Answers of the library as JSON documents and drawings, one file for each kind of answer. All programs write the same
//! documents: the output of the command's `--json` equals that of the library.
//!
//! ```
//! use groma::json::{JsonLayout, JsonText};
//! use groma::{LoadOptions, MemoryHost, Workspace};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "output \"n\" { value = 1 + 1 }");
//! let outputs = workspace.root("app", &LoadOptions::default()).outputs().value;
//! let mut text = JsonText::new(JsonLayout::Compact);
//! groma_document::write_outputs(&outputs, &mut text);
//! assert_eq!(text.into_string(), r#"{"n":{"sensitive":false,"type":"number","value":2}}"#);
//! ```
#![forbid(unsafe_code)]

mod function;
pub mod graph;
mod instance;
mod json_syntax;
mod output;
mod parsed;
mod references;
mod syntax;
mod template;
mod unknown;
mod written_values;

pub use function::write_signatures;
pub use instance::{write_build_names, write_evaluated, write_instances, write_list};
pub use output::write_outputs;
pub use parsed::{ParsedText, write_syntax};
pub use references::{DeclarationReferences, NamedPlace};
pub use syntax::DeclaredNames;
pub use template::write_template;
pub use unknown::write_keeping;
