//! Reports on one or many roots as documents for other programs. Diagnostics are attributed to roots before a format is written,
//! so all formats contain the same.
//!
//! ```
//! use groma::{LoadOptions, MemoryHost, Workspace};
//! use groma_report::{Report, ReportFormat};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "output \"a\" { value = local.b }");
//! let report = Report::of(workspace.root("app", &LoadOptions::default()).checked());
//! assert_eq!(report.error_count(), 1);
//! let mut text = String::new();
//! report.write(ReportFormat::Compact, &mut text)?;
//! assert!(text.starts_with("app/main.tf:1:22: "), "{text}");
//! # Ok::<(), std::fmt::Error>(())
//! ```
#![forbid(unsafe_code)]

mod absent;
mod checkstyle;
mod compact;
mod format;
mod gather;
mod github;
mod json;
mod junit;
mod sarif;

pub use format::ReportFormat;
pub use gather::Report;
