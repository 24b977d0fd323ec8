//! A request of an editor: the texts, the root whose values are used, and the limits of the request. Answers contain byte
//! offsets in the request's texts; after further typing a client has to ask again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use groma::syntax::Place;
use groma::{RequestToken, Snapshot, TemplateSnapshot, Workspace, hosts::file_path};
use groma_syntax::Span;

use crate::document::TextDocument;
use crate::file_span::FileSpan;

/// The root that a request uses.
#[derive(Clone)]
pub enum RequestRoot {
    /// No root: answers come from the text of a single file.
    Nothing,
    /// A module with the modules that it calls.
    Module(Box<Snapshot>),
    /// A Packer template.
    Template(Box<TemplateSnapshot>),
}

/// A request with its limits. It uses the same snapshot for all of its answers.
pub struct Request<'w> {
    workspace: &'w Workspace,
    root: RequestRoot,
    top: Option<String>,
    token: RequestToken,
    documents: RefCell<BTreeMap<String, Option<Rc<TextDocument>>>>,
}

impl<'w> Request<'w> {
    /// Creates a request without a root. It uses values that are evaluated already and waits for nothing.
    pub fn new(workspace: &'w Workspace) -> Request<'w> {
        Request {
            workspace,
            root: RequestRoot::Nothing,
            top: None,
            token: RequestToken::ready(),
            documents: RefCell::default(),
        }
    }

    /// Sets the root module whose values the request uses.
    #[must_use]
    pub fn in_root(self, snapshot: Snapshot) -> Request<'w> {
        Request { root: RequestRoot::Module(Box::new(snapshot)), ..self }
    }

    /// Sets the Packer template whose values the request uses.
    #[must_use]
    pub fn in_template(self, template: TemplateSnapshot) -> Request<'w> {
        Request { root: RequestRoot::Template(Box::new(template)), ..self }
    }

    /// Sets the folder that the editor has opened: renaming affects the folders below it.
    #[must_use]
    pub fn below(self, top: &str) -> Request<'w> {
        Request { top: Some(file_path::clean(top)), ..self }
    }

    /// Sets the limits. A token other than [`RequestToken::ready`] lets the request wait for values.
    #[must_use]
    pub fn bounded_by(self, token: RequestToken) -> Request<'w> {
        Request { token, ..self }
    }

    /// Returns the workspace with the texts.
    pub fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    /// Returns the module or template that the request uses.
    pub fn root(&self) -> &RequestRoot {
        &self.root
    }

    /// Returns the root module's snapshot; `None` in a template or without a root.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        match &self.root {
            RequestRoot::Module(snapshot) => Some(snapshot),
            _ => None,
        }
    }

    /// Returns the limits of the request.
    pub fn token(&self) -> &RequestToken {
        &self.token
    }

    /// Returns the folder below which names are changed: the one that the editor has opened, or else the root.
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

    /// Returns the place of an offset in a file of the root. Offsets past the end or inside a character are rounded down.
    pub(crate) fn place(&self, file: &str, at: u32) -> Option<(&Snapshot, Place)> {
        let snapshot = self.snapshot()?;
        let number = snapshot.file(file)?;
        let text = snapshot.project().sources().get(number).text();
        Some((snapshot, Place::new(number, Span::at(floor(text, at)))))
    }

    /// Returns the file and span of a place.
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
