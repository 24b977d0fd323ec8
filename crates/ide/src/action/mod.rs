//! Code actions for a selection. Listing them is cheap and yields titles; the edits of an action are computed when it is chosen,
//! from the same request.

mod extract;
mod fix;
mod inline;
mod missing;
mod mock;
mod moved;
mod pin;
mod repeat;

use groma::edit::{Edit, EditOp, SourceText, TextEdit, apply, language, text_edits};
use groma::place::DeclarationId;
use groma_syntax::{BodyItem, Span};

use crate::diagnostics::FileFinding;
use crate::document::TextDocument;
use crate::file_span::{ChangeSet, FileEdits, FileSpan};
use crate::request::Request;

pub use fix::fix_all;

/// A change of the code that an editor offers at the cursor, such as a fix; its edits are computed when it is chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct CodeAction {
    /// The title shown to the user.
    pub title: String,
    /// The category of the action.
    pub kind: ActionKind,
    /// The index of the diagnostic that it resolves, in the list given to [`code_actions`].
    pub finding: Option<usize>,
    /// True if the editor may apply it as the default choice.
    pub is_preferred: bool,
    /// The change to make when it is chosen.
    pub choice: ActionChoice,
}

/// The category by which an editor groups a code action: fix, extraction, inlining or rewriting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// Resolves one diagnostic.
    Fix,
    /// Resolves all diagnostics of a file whose fixes keep its meaning.
    FixAll,
    /// Extracts code into a declaration of its own.
    Extract,
    /// Replaces a name by its value.
    Inline,
    /// Rewrites code in another form, or adds what is missing.
    Rewrite,
}

/// The change that a code action makes when it is chosen.
#[derive(Clone, PartialEq, Debug)]
pub enum ActionChoice {
    /// Applies these edits of a fix.
    Fix(Vec<FileEdits>),
    /// Declares the variable or local value at this address.
    Declare(String),
    /// Declares an output that the called module lacks.
    DeclareOutput {
        /// The module call.
        call: DeclarationId,
        /// The name of the output.
        name: String,
    },
    /// Adds the missing required arguments of the block at this offset.
    AddArguments(u32),
    /// Replaces the name of the local value at this offset by its expression.
    InlineLocal(u32),
    /// Declares this expression as a local value.
    ExtractLocal(Span),
    /// Moves the blocks in this range into a module.
    ExtractModule(Span),
    /// Replaces `count` by `for_each`.
    CountToForEach(DeclarationId),
    /// Sets a call's version to the installed one.
    PinVersion {
        /// The name of the module call.
        call: String,
        /// The version.
        version: String,
    },
    /// Writes a mock for this declaration.
    WriteMock(DeclarationId),
    /// Adds a `moved` block for a renamed object of the state.
    AddMoved {
        /// The address in the state.
        from: String,
        /// The address in the code.
        to: String,
    },
}

/// Returns the code actions for a range of a file, among them the fixes of `findings`, the diagnostics that the editor shows
/// there.
pub fn code_actions(
    request: &Request<'_>,
    file: &str,
    range: Span,
    findings: &[FileFinding],
) -> Vec<CodeAction> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let length = document.text().len() as u32;
    let range =
        Span::new(range.start.min(length), range.end.clamp(range.start.min(length), length));
    let mut list = ActionList { request, document: &document, range, actions: Vec::new() };
    list.fixes(findings);
    list.missing();
    list.inline();
    list.extract();
    list.repeat();
    list.pin();
    list.mock();
    list.moved();
    list.actions
}

/// Computes the edits of a code action.
///
/// # Errors
/// If the change cannot be made: a sentence for the user.
pub fn resolve_action(
    request: &Request<'_>,
    file: &str,
    action: &CodeAction,
) -> Result<ChangeSet, String> {
    let document = request.document(file).ok_or("The file cannot be read.")?;
    let change = ActionChange { request, document: &document };
    match &action.choice {
        ActionChoice::Fix(files) => Ok(ChangeSet { files: files.clone(), ..ChangeSet::default() }),
        ActionChoice::Declare(address) => change.declare(address),
        ActionChoice::DeclareOutput { call, name } => change.declare_output(*call, name),
        ActionChoice::AddArguments(at) => change.add_arguments(*at),
        ActionChoice::InlineLocal(at) => change.inline_local(*at),
        ActionChoice::ExtractLocal(span) => change.extract_local(*span),
        ActionChoice::ExtractModule(span) => change.extract_module(*span),
        ActionChoice::CountToForEach(id) => change.count_to_for_each(*id),
        ActionChoice::PinVersion { call, version } => {
            let value = format!("\"{version}\"");
            change.edit_file(&[(EditOp::Add, format!("module.{call}.version"), value)])
        }
        ActionChoice::WriteMock(id) => change.write_mock(*id),
        ActionChoice::AddMoved { from, to } => change.add_moved(from, to),
    }
}

/// The list of code actions that is being collected for a range of a document.
struct ActionList<'a> {
    request: &'a Request<'a>,
    document: &'a TextDocument,
    range: Span,
    actions: Vec<CodeAction>,
}

impl ActionList<'_> {
    /// Adds a code action that is not a fix of a diagnostic; `choice` says what the action changes, from which its edits are
    /// computed later.
    fn push(&mut self, title: String, kind: ActionKind, choice: ActionChoice) {
        let action = CodeAction { title, kind, finding: None, is_preferred: false, choice };
        self.actions.push(action);
    }

    /// Returns the declaration whose header or name contains the start of the range for which actions are requested, with
    /// its address; `None` if there is none.
    fn declaration(&self) -> Option<(DeclarationId, String)> {
        let (snapshot, place) = self.request.place(self.document.name(), self.range.start)?;
        match snapshot.target_at(place)? {
            groma::place::PlaceTarget::Declaration(id) => {
                Some((id, snapshot.declaration(id)?.address))
            }
            _ => None,
        }
    }
}

/// The request and the document from which the edits of a code action are computed.
struct ActionChange<'a> {
    request: &'a Request<'a>,
    document: &'a TextDocument,
}

impl ActionChange<'_> {
    /// Returns the change set that edits the action's file; an edit is an operation, the path of its target in the code, and new
    /// code.
    fn edit_file(&self, edits: &[(EditOp, String, String)]) -> Result<ChangeSet, String> {
        let made = self.edited(self.document, edits)?;
        Ok(ChangeSet {
            files: vec![FileEdits { file: self.document.name().to_owned(), edits: made }],
            ..ChangeSet::default()
        })
    }

    /// Returns the name of the argument that contains the code at `at`; `None` outside of arguments and of the root module's
    /// files.
    fn argument_at(&self, at: &FileSpan) -> Option<String> {
        let (snapshot, place) = self.request.place(&at.file, at.span.start)?;
        snapshot.syntax_position(place).argument.map(|(name, _)| name)
    }

    /// Returns an error if a `moved`, `import` or `removed` block names the address, since it would need a change too.
    fn refuse_other_statements(&self, address: &str) -> Result<(), String> {
        let snapshot = self.request.snapshot().ok_or("The file belongs to no root.")?;
        let number = snapshot.module_of_file(self.document.name());
        for file in snapshot.files_of(number) {
            let Some(document) = self.request.document(&file) else { continue };
            for item in document.syntax().body().items() {
                let BodyItem::Block(block) = item else { continue };
                let kind = &*block.kind.text;
                if matches!(kind, "moved" | "import" | "removed")
                    && names_address(block.span.of(document.text()), address)
                {
                    return Err(format!("A block `{kind}` names {address}. Take it away first."));
                }
            }
        }
        Ok(())
    }

    /// Converts edits of a document to text edits; an edit is an operation, the path of its target in the code, and new
    /// code.
    fn edited(
        &self,
        document: &TextDocument,
        edits: &[(EditOp, String, String)],
    ) -> Result<Vec<TextEdit>, String> {
        let text =
            SourceText { name: document.name().into(), text: document.source().text().clone() };
        let read = |(op, path, code): &(EditOp, String, String)| Edit::new(*op, path, Some(code));
        let edits: Result<Vec<Edit>, _> = edits.iter().map(read).collect();
        let edits = edits.map_err(|refusal| refusal.0)?;
        let changed = apply(std::slice::from_ref(&text), &edits, language());
        let changed = changed.map_err(|refusal| refusal.0)?;
        let after = changed.into_iter().next().map(|one| one.text);
        Ok(after.map_or_else(Vec::new, |after| text_edits(&text.text, &after)))
    }
}

/// Returns true if a text contains an address, alone or followed by further steps.
fn names_address(text: &str, address: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(address).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + address.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(|c| is_part(c) && c != '.')
    })
}
