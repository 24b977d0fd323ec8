//! One question of an editor with everything that it is asked of: the texts, the root whose values count, and its bounds. Answers
//! hold offsets of the text as the request has it; a client that has typed on since has to ask again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use groma::syntax::Place;
use groma::{RequestToken, Snapshot, TemplateSnapshot, Workspace, hosts::file_path};
use groma_syntax::Span;

use crate::document::TextDocument;
use crate::file_span::FileSpan;

/// The code that a question is about.
#[derive(Clone)]
pub enum RequestRoot {
    /// No root: answers come from the text of a file alone.
    Nothing,
    /// A module and those that it calls.
    Module(Box<Snapshot>),
    /// A Packer template.
    Template(Box<TemplateSnapshot>),
}

/// A question with its bounds. It holds one snapshot from its first answer to its last.
pub struct Request<'w> {
    workspace: &'w Workspace,
    root: RequestRoot,
    top: Option<String>,
    token: RequestToken,
    documents: RefCell<BTreeMap<String, Option<Rc<TextDocument>>>>,
}

impl<'w> Request<'w> {
    /// A question about single files. It takes from an evaluation what is ready, and waits for nothing.
    pub fn new(workspace: &'w Workspace) -> Request<'w> {
        Request {
            workspace,
            root: RequestRoot::Nothing,
            top: None,
            token: RequestToken::ready(),
            documents: RefCell::default(),
        }
    }

    /// The same in the root of a module.
    #[must_use]
    pub fn in_root(self, snapshot: Snapshot) -> Request<'w> {
        Request { root: RequestRoot::Module(Box::new(snapshot)), ..self }
    }

    /// The same in a Packer template.
    #[must_use]
    pub fn in_template(self, template: TemplateSnapshot) -> Request<'w> {
        Request { root: RequestRoot::Template(Box::new(template)), ..self }
    }

    /// The same for an editor that has opened the folder `top`: names are changed in the folders below it.
    #[must_use]
    pub fn below(self, top: &str) -> Request<'w> {
        Request { top: Some(file_path::clean(top)), ..self }
    }

    /// The same with other bounds. A token that is not one of [`RequestToken::ready`] lets a question wait for values.
    #[must_use]
    pub fn bounded_by(self, token: RequestToken) -> Request<'w> {
        Request { token, ..self }
    }

    /// The texts.
    pub fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    /// The code that the question is about.
    pub fn root(&self) -> &RequestRoot {
        &self.root
    }

    /// The module that the question is about, if it is one.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        match &self.root {
            RequestRoot::Module(snapshot) => Some(snapshot),
            _ => None,
        }
    }

    /// The bounds.
    pub fn token(&self) -> &RequestToken {
        &self.token
    }

    /// The folder below which names are changed: the one that was opened, or else that of the root.
    pub(crate) fn top(&self) -> Option<String> {
        self.top.clone().or_else(|| self.snapshot().map(|one| file_path::clean(one.dir())))
    }

    /// The text of a file: that of the root, or else the workspace's. Nothing for what cannot be read or is no text.
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

    /// The place of an offset in a file of the root. An offset behind the text is its end, one within a character its start.
    pub(crate) fn place(&self, file: &str, at: u32) -> Option<(&Snapshot, Place)> {
        let snapshot = self.snapshot()?;
        let number = snapshot.file(file)?;
        let text = snapshot.project().sources().get(number).text();
        Some((snapshot, Place::new(number, Span::at(floor(text, at)))))
    }

    /// The file and the bytes of a place.
    pub(crate) fn span_of(&self, place: Place) -> Option<FileSpan> {
        let (source, place) = self.snapshot()?.project().sources().at(place);
        Some(FileSpan { file: source.name().into(), span: place.span })
    }
}

/// The next offset before `at` that is between two characters of the text.
pub(crate) fn floor(text: &str, at: u32) -> u32 {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}
