//! The library: a [`Workspace`] holds texts over a host, a [`Snapshot`] answers queries about one root as it was when the
//! snapshot was made. Later edits do not change the answers of an existing snapshot.
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
//!
//! Why a value is what it is, and the value under a cursor:
//!
//! ```
//! use groma::syntax::{ColumnUnit, Point};
//! use groma::{LoadOptions, MemoryHost, RequestToken, Workspace};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "locals {\n  zones = [\"a\", \"b\"]\n  count = length(local.zones)\n}\n");
//! let snapshot = workspace.root("app", &LoadOptions::default());
//!
//! let tree = snapshot.why("local.count").value.expect("it is an address of this root");
//! assert!(snapshot.why_json(&tree).contains("local.zones"));
//!
//! let cursor = Point { line: 2, column: 27 };
//! let place = snapshot.place("app/main.tf", cursor, ColumnUnit::Utf16).expect("the file was read");
//! let found = snapshot.values_at(place, 8, &RequestToken::new()).expect("the cursor is in an expression");
//! assert_eq!(snapshot.plain_json(&found.values[0].value), r#"["a","b"]"#);
//! ```
//!
//! A module is one kind of [`root::Root`]; a Packer template and a test file are asked the same questions.
//!
//! Further pages: [`root`] for code of any kind, [`place`] for editors, [`edit`] for changes of code, [`why`], [`impact`] and
//! [`review`] for what a change means, [`hosts`] and `disk` for where files come from, [`limits`] for code that is not trusted.
#![forbid(unsafe_code)]

mod affected;
mod answer;
mod answer_digest;
mod batch;
mod batch_load;
mod compare;
mod compat;
mod document;
pub mod edit;
mod expression_values;
mod file_findings;
mod finding_memory;
mod findings;
pub mod json;
mod kept_graph;
mod kept_stamps;
pub mod place;
pub mod published;
mod recording_host;
pub mod root;
mod roots;
mod snapshot;
mod template;
mod template_why;
mod touched_paths;
mod upgrade;
mod workspace;
mod workspace_memory;

pub use answer::ExpressionAnswer;
pub use compare::{CompareOptions, RootSide, compare};
pub use document::{DocumentEdit, EditRefusal};
pub use expression_values::{ExpressionPlace, ExpressionValue, ExpressionValues};
pub use file_findings::FileFindings;
pub use findings::RootFindings;
pub use snapshot::Snapshot;
pub use template::TemplateSnapshot;
pub use workspace::Workspace;
pub use workspace_memory::{OpenRootMemory, WorkspaceMemory};

pub use groma_config::Incompleteness;
pub use groma_impact as impact;
pub use groma_inputs::InputAssignment;
pub use groma_manual as manual;
pub use groma_plan::{Plan, PlanOptions};
pub use groma_project::{
    ListedObject, LoadOptions, LoadPurpose, OutputValue, RequestToken, RootInputs, RunOptions,
};
pub use groma_review as review;
pub use groma_runtime::{Budget, Dialect, Edition, Host, MemoryHost, Quota};
pub use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};
pub use groma_value::{Type, Unknown, Value};
pub use groma_why::{self as why, Why};

/// Addresses of declarations, modules, resources and instances, and patterns of addresses, as `-target` takes them.
///
/// ```
/// use groma::plans::read_target;
///
/// let pattern = read_target("module.app[0].terraform_data.a").expect("it is an address");
/// assert!(pattern.has_keys());
/// assert_eq!(pattern.without_keys().to_string(), "module.app.terraform_data.a");
/// ```
pub mod address {
    pub use groma_address::{
        AddressPattern, DeclarationAddress, DeclarationName, InstanceKey, ModuleAddress,
        ModulePath, ResourceMode, ResourceName, ResourceTarget,
    };
}

/// Parts of values and their text forms: marks, unknown parts, conversion to a type, console text, JSON with and without types,
/// and words for sentences about values.
pub mod values {
    pub use crate::json::{UnreadableJson, read_plain, read_value};
    pub use groma_value::{
        Causes, ElementOrder, KnownParts, Mark, Marks, Number, Str, convert, json_type, nearest,
        print, sentence,
    };
}

/// Causes of unknown values, and the files whose content may have changed between two revisions.
pub mod causes {
    pub use groma_eval::{
        Cause, CauseAddress, CauseClass, CauseTable, ChangedFile, ChangedFiles, OtherFiles, ended,
    };
}

/// Entries and errors of a [`Host`], hosts that wrap another one, and paths as hosts take them.
pub mod hosts {
    pub use groma_config::path;
    pub use groma_runtime::{
        AnswerStamps, DirEntry, EntryKind, FILE_LIMIT, HostError, MeteredHost, NotedFiles,
        NotedHost, StampedLook, file_path,
    };
}

/// Limits of a run: cancellation, the reason for an early end, threads and their stacks, and the clock.
pub mod limits {
    pub use groma_project::{CancelToken, ThreadCount};
    pub use groma_runtime::{BudgetRemainder, EVALUATION_STACK, Moment, RunEnd};
}

/// Editions of the programs: versions, evidence for an edition in code, differences, and the constructs that code needs.
pub mod editions {
    pub use crate::compat::{CompatNeed, CompatReport, CompatTarget, CompatValue, since};
    pub use groma_module::EditionEvidence;
    pub use groma_runtime::{EditionDifference, Semantics, Version};
}

/// Options of a plan: its purpose, targets and actions as flags write them, and its event lines.
pub mod plans {
    pub use groma_plan::{EventLines, PLAN_FORMAT, PlanGoal, read_action, read_target};
}

/// State files of version 4: reading one, and the objects that it records.
pub mod states {
    pub use groma_plan::{
        StateFile, StateInventory, StateObject, codes::STATE_MISSING, state_at, state_text_at,
        workspaces,
    };
}

/// Schemas of providers: packs and documents of them, the lock file's versions, and shapes that are built in.
pub mod schemas {
    pub use groma_config::UnfitSchemas;
    pub use groma_module::ProviderSchemas;
    pub use groma_module::built_in::shape_of;
    pub use groma_module::schema::{CACHED, LOCK_FILE, SchemaVersion, locked_versions};
}

/// Mocks of providers, resources, data and modules: mock files, and a draft of one for a root.
pub mod mocks {
    pub use groma_config::{MOCK_FILE, MockRows, read_mocks};
    pub use groma_mock::MockDraft;
    pub use groma_module::dialect::{MOCK, MOCKED};
}

/// Batches of expressions, one per line, evaluated in one module or template.
pub mod batches {
    pub use crate::batch::{batch_in_module, batch_in_template};
    pub use groma_protocol::{BatchOptions, EvaluatedExpression, EvaluationBatch};
}

/// Directories below a top: those with code, roots, the calls between them, and loading many of them at once.
pub mod folders {
    pub use crate::affected::{AffectedFolder, AffectedSearch};
    pub use crate::answer_digest::hex_digest;
    pub use crate::batch_load::{
        LoadedRoot, ReadModules, ReadingGroup, ReadingRecorder, RootLoader, RootToLoad, SharedCode,
        load_all,
    };
    pub use crate::recording_host::HostReading;
    pub use crate::roots::{chosen_roots_below, roots_below};
    pub use crate::upgrade::{ModuleUpgrade, UpgradedCall};
    pub use groma_config::{
        FileKind, FilePurpose, ReleaseVersion, data_dir, dialect_of, is_ignored,
    };
    pub use groma_inputs::sets_variable;
    pub use groma_module::{
        CallGraph, FolderCall, FolderCallers, GraphFolder, ParsedFiles, is_code, is_module,
        module_folders,
    };
}

/// The references between the declarations of a root, as a graph.
pub mod graph {
    pub use groma_config::{GraphVertex, ReferenceGraph};
}

/// The rules of `groma check` and the switches that enable them.
pub mod rules {
    pub use groma_lint::{RuleSwitches, UnknownRule, names as rule_names};
}

/// The stage below a snapshot: a loaded project, its evaluation, and the facts that its providers would supply.
pub mod projects {
    pub use groma_project::{
        Evaluation, Facts, PlannedObject, PriorObject, PriorState, Project, ProjectOptions,
        ProviderAnswers, ProviderUse, RecordedObject, ResourceFact, ResourceRequest, ScopeRef,
        SourceMapping, TracedPart, ValueOverrides,
    };
}

/// Template files of `templatefile`, and the values that they are rendered with.
pub mod templates {
    pub use groma_config::read_text;
    pub use groma_eval::{Context, EvaluationBasis, NamedValues};
}

/// The disk as a host, with the command's rules for links and untrusted code. Only with the feature `disk`: without it nothing
/// here opens a file.
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
        DiskContext, DiskHost, FileStamp, FolderCheck, FolderRecord, LinkBounds, ReadLog,
        StampClock, clean_path, leads_out_of_bounds, open_unlinked, real_within, slashed,
    };
}

/// Source texts, places in them and syntax trees.
pub mod syntax {
    pub use groma_syntax::{
        ColumnUnit, FileId, Fix, Parse, Place, Point, Source, Span, Token, TokenKind, Tree, render,
    };
}

/// The functions of the language, as rows.
pub mod functions {
    pub use groma_functions::{
        FoundFunction, Function, FunctionLibrary, NameReach, ParameterRow, ProvidedFunction, TABLE,
        read_moment,
    };
}

/// Packer templates: their declarations and the builds that they define.
pub mod packer {
    pub use crate::template::write_build_plan;
    pub use crate::template_why::{why_at_address, why_in_template, why_template_block};
    pub use groma_packer::{
        Build, BuildPlan, ComponentUse, StatedValue, Template, TemplateEvaluation, TemplateOptions,
        is_template,
    };
}
