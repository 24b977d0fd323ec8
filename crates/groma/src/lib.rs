//! The front door: a [`Workspace`] holds texts, a [`Snapshot`] answers for one root as it was when the snapshot was
//! made. What is asked later of the same snapshot is answered from the same texts, whatever was edited since.
//!
//! ```
//! use groma::{LoadOptions, MemoryHost, Workspace};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "locals { n = 2 }\noutput \"twice\" { value = local.n * 2 }");
//! let before = workspace.root("app", &LoadOptions::default());
//! workspace.set("app/main.tf", "locals { n = 5 }\noutput \"twice\" { value = local.n * 2 }");
//! let after = workspace.root("app", &LoadOptions::default());
//! assert_eq!(before.plain_json(&before.evaluate("local.n + 1").value), "3");
//! assert_eq!(after.plain_json(&after.evaluate("local.n + 1").value), "6");
//! for output in after.outputs().value {
//!     assert_eq!((&*output.name, &*after.plain_json(&output.value)), ("twice", "10"));
//! }
//! ```
//!
//! A plan is data, a document, and a text for people:
//!
//! ```
//! use groma::review::Review;
//! use groma::{LoadOptions, MemoryHost, PlanOptions, Workspace};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "resource \"terraform_data\" \"a\" { input = 1 }");
//! let plan = workspace.root("app", &LoadOptions::default()).plan(PlanOptions::default());
//! let review = Review::of(&plan);
//! assert_eq!(review.counts().add, 1);
//! assert!(review.text().contains("  # terraform_data.a will be created\n"));
//! assert!(review.markdown().starts_with("**Plan: 1 to add, 0 to change, 0 to destroy.**\n"));
//! ```
#![forbid(unsafe_code)]

mod affected;
mod answer;
mod batch;
mod batch_load;
mod compare;
mod compat;
mod document;
pub mod edit;
mod expression_values;
mod findings;
pub mod json;
pub mod place;
pub mod published;
mod recording_host;
mod roots;
mod snapshot;
mod template;
mod template_why;
mod upgrade;
mod workspace;

pub use affected::{AffectedFolder, CallGraph, is_code, is_module, module_folders};
pub use answer::ExpressionAnswer;
pub use batch::{batch_in_module, batch_in_template};
pub use batch_load::{ReadModules, RootToLoad, look_at_all};
pub use compare::{CompareOptions, RootSide, compare};
pub use compat::{CompatNeed, CompatReport, CompatTarget, CompatValue, since};
pub use document::{DocumentEdit, EditRefusal};
pub use expression_values::{ExpressionPlace, ExpressionValue, ExpressionValues};
pub use findings::RootFindings;
pub use json::{UnreadableJson, read_plain, read_value};
pub use roots::roots_below;
pub use snapshot::Snapshot;
pub use template::TemplateSnapshot;
pub use upgrade::{ModuleUpgrade, UpgradedCall};
pub use workspace::Workspace;

pub use groma_address::{AddressPattern, InstanceKey, ModuleAddress, ResourceMode, ResourceTarget};
pub use groma_config::{
    FileKind, FilePurpose, GraphVertex, Incompleteness, InputAssignment, MOCK_FILE, MockRows,
    ReferenceGraph, ReleaseVersion, UnfitSchemas, data_dir, path, read_mocks,
};
pub use groma_eval::{Cause, CauseClass, CauseTable, ChangedFile, ChangedFiles, OtherFiles, ended};
pub use groma_impact as impact;
pub use groma_lint::{RuleSwitches, UnknownRule, names as rule_names};
pub use groma_manual as manual;
pub use groma_mock::MockDraft;
pub use groma_module::built_in::shape_of;
pub use groma_module::dialect::{MOCK, MOCKED};
pub use groma_module::schema::{LOCK_FILE, SchemaVersion, locked_versions};
pub use groma_module::{EditionEvidence, ParsedFiles, ProviderSchemas};
pub use groma_packer::TemplateOptions as PackerOptions;
pub use groma_plan::{
    EventLines, PLAN_FORMAT, Plan, PlanGoal, PlanOptions, StateFile, StateInventory, StateObject,
    codes::STATE_MISSING, read_action, read_target, state_at, state_text_at, workspaces,
};
pub use groma_project::{
    CancelToken, Evaluation, Facts, ListedObject, LoadOptions, LoadPurpose, OutputValue,
    PlannedObject, PriorObject, Project, ProjectOptions, ProviderUse, RequestToken, ResourceFact,
    ResourceRequest, RootInputs, RunOptions, ScopeRef, SourceMapping, ThreadCount, TracedPart,
};
pub use groma_protocol::{BatchOptions, EvaluationBatch};
pub use groma_review as review;
pub use groma_runtime::{
    Budget, Dialect, DirEntry, Edition, EditionDifference, EntryKind, FILE_LIMIT, Host, HostError,
    MemoryHost, MeteredHost, Moment, NotedFiles, NotedHost, Quota, RunEnd, Semantics, Version,
    file_path,
};
pub use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};
pub use groma_value::{
    Causes, ElementOrder, KnownParts, Mark, Str, Type, Unknown, Value, convert, json_type, nearest,
    print, sentence,
};
pub use groma_why::{self as why, Why};
pub use template_why::{why_at_address, why_in_template, why_template_block};

/// The disk as a host, with the command's own rules on links and on code that is not trusted. Only with the feature
/// `disk`: without it nothing here opens a file.
///
/// ```
/// use groma::disk::DiskHost;
/// use groma::review::Review;
/// use groma::{LoadOptions, PlanOptions, Workspace};
///
/// # let dir = std::env::temp_dir().join(format!("groma-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// # std::fs::write(dir.join("main.tf"), "resource \"terraform_data\" \"a\" { input = 1 }\n")?;
/// # let dir = dir.to_str().expect("the folder's name is text");
/// let workspace = Workspace::new(DiskHost::of_module(dir)?);
/// let snapshot = workspace.root(dir, &LoadOptions::default());
/// for finding in snapshot.findings() {
///     eprintln!("{}", snapshot.render(finding));
/// }
/// let plan = snapshot.plan(PlanOptions::default());
/// println!("{}", Review::of(&plan).text());
/// # assert_eq!(Review::of(&plan).counts().add, 1);
/// # std::fs::remove_dir_all(dir)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "disk")]
pub mod disk {
    pub use groma_disk::{
        DiskContext, DiskHost, LinkBounds, clean_path, has_led_out, open_unlinked, real_within,
        slashed,
    };
}

/// Texts, places in them and trees.
pub mod syntax {
    pub use groma_syntax::{
        ColumnUnit, FileId, Fix, Parse, Place, Point, Source, Span, Token, TokenKind, Tree,
    };
}

/// The functions of the language, as rows.
pub mod functions {
    pub use groma_functions::{
        FoundFunction, Function, FunctionLibrary, NameReach, ParameterRow, ProvidedFunction, TABLE,
        read_moment,
    };
}

/// Template files: what they are rendered with.
pub mod templates {
    pub use groma_config::read_text;
    pub use groma_eval::{Context, EvaluationBasis, NamedValues};
}

/// Packer templates: what they declare and what they would build.
pub mod packer {
    pub use groma_packer::{
        Build, BuildPlan, ComponentUse, StatedValue, Template, TemplateEvaluation, TemplateOptions,
        is_template,
    };
}
