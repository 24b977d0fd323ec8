//! Changes that an editor offers at a selection. A list of them is made quickly and holds titles; the edits of one are made when it is
//! chosen, from the same request.

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

/// A change that is offered.
#[derive(Clone, PartialEq, Debug)]
pub struct CodeAction {
    /// The words for the user.
    pub title: String,
    /// The kind.
    pub kind: ActionKind,
    /// The finding that it resolves, by its number among those that were given.
    pub finding: Option<usize>,
    /// True if it is the one that most users want.
    pub is_preferred: bool,
    /// What is done when it is chosen.
    pub choice: ActionChoice,
}

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// It resolves a finding.
    Fix,
    /// It resolves all findings of a file whose fixes change no meaning.
    FixAll,
    /// It takes something apart.
    Extract,
    /// It puts something in place of its name.
    Inline,
    /// It writes the same in another form, or adds what is missing.
    Rewrite,
}

/// What is done when a change is chosen.
#[derive(Clone, PartialEq, Debug)]
pub enum ActionChoice {
    /// The fix of a finding.
    Fix(Vec<FileEdits>),
    /// A declaration that is missing: its address.
    Declare(String),
    /// An output that a called module lacks.
    DeclareOutput {
        /// The call.
        call: DeclarationId,
        /// The name of the output.
        name: String,
    },
    /// Arguments that a block lacks, at an offset.
    AddArguments(u32),
    /// A local value in place of its name.
    InlineLocal(DeclarationId),
    /// A local value of an expression.
    ExtractLocal(Span),
    /// A module of blocks.
    ExtractModule(Span),
    /// Instances by key in place of a number of them.
    CountToForEach(DeclarationId),
    /// The version of a module that is installed.
    PinVersion {
        /// The name of the call.
        call: String,
        /// The version.
        version: String,
    },
    /// A mock of an answer that is not known.
    WriteMock(DeclarationId),
    /// The new address of what a state has under another.
    AddMoved {
        /// The address in the state.
        from: String,
        /// The address in the code.
        to: String,
    },
}

/// The changes that are offered for a range of a file. `findings` are those that the editor shows there.
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

/// The edits of a change.
///
/// # Errors
/// With a sentence for the user, where it cannot be made.
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
        ActionChoice::InlineLocal(id) => change.inline_local(*id),
        ActionChoice::ExtractLocal(span) => change.extract_local(*span),
        ActionChoice::ExtractModule(span) => change.extract_module(*span),
        ActionChoice::CountToForEach(id) => change.count_to_for_each(*id),
        ActionChoice::PinVersion { call, version } => {
            let value = format!("\"{version}\"");
            change.one(&[(EditOp::Add, format!("module.{call}.version"), value)])
        }
        ActionChoice::WriteMock(id) => change.write_mock(*id),
        ActionChoice::AddMoved { from, to } => change.add_moved(from, to),
    }
}

/// The list while it is made.
struct ActionList<'a> {
    request: &'a Request<'a>,
    document: &'a TextDocument,
    range: Span,
    actions: Vec<CodeAction>,
}

impl ActionList<'_> {
    fn push(&mut self, title: String, kind: ActionKind, choice: ActionChoice) {
        let action = CodeAction { title, kind, finding: None, is_preferred: false, choice };
        self.actions.push(action);
    }

    /// The declaration whose header or name the range begins in.
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

/// A change while its edits are made.
struct ActionChange<'a> {
    request: &'a Request<'a>,
    document: &'a TextDocument,
}

impl ActionChange<'_> {
    /// Edits by path in the file.
    fn one(&self, edits: &[(EditOp, String, String)]) -> Result<ChangeSet, String> {
        let made = self.edited(self.document, edits)?;
        Ok(ChangeSet {
            files: vec![FileEdits { file: self.document.name().to_owned(), edits: made }],
            ..ChangeSet::default()
        })
    }

    /// The argument that a reference stands in.
    fn argument_at(&self, at: &FileSpan) -> Option<String> {
        let (snapshot, place) = self.request.place(&at.file, at.span.start)?;
        snapshot.syntax_position(place).argument.map(|(name, _)| name)
    }

    /// Refuses to change what blocks such as `moved` and `import` say of an address: they mean one moment, and come first.
    fn refuse_other_statements(&self, address: &str) -> Result<(), String> {
        let snapshot = self.request.snapshot().ok_or("The file belongs to no root.")?;
        let number = snapshot.module_of_file(self.document.name());
        for file in snapshot.files_of(number) {
            let Some(document) = self.request.document(&file) else { continue };
            for item in document.syntax().body().items() {
                let BodyItem::Block(block) = item else { continue };
                let kind = &*block.kind.text;
                if matches!(kind, "moved" | "import" | "removed")
                    && says(block.span.of(document.text()), address)
                {
                    return Err(format!("A block `{kind}` names {address}. Take it away first."));
                }
            }
        }
        Ok(())
    }

    /// Edits by path in a text.
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

/// Returns true if a text says an address: as a whole, or with steps behind it.
fn says(text: &str, address: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(address).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + address.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(|c| is_part(c) && c != '.')
    })
}
