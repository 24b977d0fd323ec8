//! A request of an editor: the texts, the root whose values are used, and the limits of the request. Answers contain byte
//! offsets in the request's texts; after further typing a client has to ask again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use groma::root::{Root, RootKind};
use groma::syntax::Place;
use groma::{RequestToken, Snapshot, Workspace, hosts::file_path};
use groma_syntax::Span;

use crate::document::TextDocument;
use crate::file_span::FileSpan;

/// The context of an editor's request: the workspace, the root that answers it, and the token that cancels it.
pub struct Request<'w> {
    workspace: &'w Workspace,
    /// The root; without one answers come from the text of a single file.
    root: Option<Arc<dyn Root>>,
    top: Option<String>,
    token: RequestToken,
    documents: RefCell<BTreeMap<String, Option<Rc<TextDocument>>>>,
}

impl<'w> Request<'w> {
    /// Creates a request without a root. It uses values that are evaluated already and waits for nothing.
    pub fn new(workspace: &'w Workspace) -> Request<'w> {
        Request {
            workspace,
            root: None,
            top: None,
            token: RequestToken::ready(),
            documents: RefCell::default(),
        }
    }

    /// Sets the root whose values the request uses.
    #[must_use]
    pub fn in_root(self, root: impl Root + 'static) -> Request<'w> {
        self.in_shared_root(Arc::new(root))
    }

    /// Sets the root whose values the request uses, given by a shared pointer.
    #[must_use]
    pub fn in_shared_root(self, root: Arc<dyn Root>) -> Request<'w> {
        Request { root: Some(root), ..self }
    }

    /// Sets the folder that the editor has opened: a rename changes files in it and in the folders below.
    #[must_use]
    pub fn below(self, top: &str) -> Request<'w> {
        Request { top: Some(file_path::clean(top)), ..self }
    }

    /// Sets the token that cancels the request and limits its time. A token other than [`RequestToken::ready`] lets the request
    /// wait for values.
    #[must_use]
    pub fn bounded_by(self, token: RequestToken) -> Request<'w> {
        Request { token, ..self }
    }

    /// Returns the workspace from which the request reads the texts of files.
    pub fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    /// Returns the root that the request uses, if there is one.
    pub fn root(&self) -> Option<&dyn Root> {
        self.root.as_deref()
    }

    /// Returns the root that a file belongs to: the request's root, or for a module's test file a root of its own; `None`
    /// for other files.
    pub fn root_of(&self, file: &str) -> Option<Arc<dyn Root>> {
        self.root.as_ref()?.root_of(&file_path::clean(file))
    }

    /// Returns the snapshot of the request's root module; `None` if the request has no root, or a root that is no module.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.root()?.module().ok()
    }

    /// Returns the cancellation token of the request, which also limits how long it may compute.
    pub fn token(&self) -> &RequestToken {
        &self.token
    }

    /// Returns the folder below which a rename changes files: the one that the editor has opened, or else that of the root
    /// module; `None` if there is neither.
    pub(crate) fn top(&self) -> Option<String> {
        self.top.clone().or_else(|| self.snapshot().map(|one| file_path::clean(one.dir())))
    }

    /// Returns the document of a file, with the root's text or else the workspace's; `None` if it cannot be read as text.
    pub fn document(&self, file: &str) -> Option<Rc<TextDocument>> {
        let name = file_path::clean(file);
        if let Some(known) = self.documents.borrow().get(&name) {
            return known.clone();
        }
        let of_root = self.snapshot().and_then(|snapshot| {
            let file = snapshot.file(&name)?;
            let text = snapshot.project().sources().get(file).text().clone();
            Some(TextDocument::of_root(&name, text, snapshot))
        });
        let of_text = || Some(TextDocument::new(&name, self.workspace.text(&name).ok()?));
        let made = of_root.or_else(of_text).map(Rc::new);
        self.documents.borrow_mut().insert(name, made.clone());
        made
    }

    /// Returns the place of an offset in a file of the root module, with the module's snapshot; `None` for any other file.
    /// Offsets past the end or inside a character are rounded down.
    pub(crate) fn place(&self, file: &str, at: u32) -> Option<(&Snapshot, Place)> {
        let snapshot = self.snapshot().filter(|_| self.is_of_module(file))?;
        let number = snapshot.file(file)?;
        let text = snapshot.project().sources().get(number).text();
        Some((snapshot, Place::new(number, Span::at(floor(text, at)))))
    }

    /// Returns true if a file is code of the request's root module, and not a root of its own.
    fn is_of_module(&self, file: &str) -> bool {
        self.root_of(file).is_some_and(|root| root.kind() == RootKind::Module)
    }

    /// Returns the name of the file that contains a place of the root module, and the span in it; `None` if the request has
    /// no such root.
    pub(crate) fn span_of(&self, place: Place) -> Option<FileSpan> {
        let (source, place) = self.snapshot()?.project().sources().at(place);
        Some(FileSpan { file: source.name().into(), span: place.span })
    }
}

/// Returns the last character boundary of the text at or before `at`.
pub(crate) fn floor(text: &str, at: u32) -> u32 {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}
