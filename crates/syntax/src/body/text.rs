//! Text that shares the memory of its source, and names and labels as such texts. A label's text is unescaped; its span includes
//! the quotes.

use std::borrow::{Borrow, Cow};
use std::ops::Deref;
use std::sync::Arc;

use crate::span::Span;

/// A part of a text that shares the memory of the whole. Cloning does not allocate.
#[derive(Clone)]
pub struct SharedText {
    whole: Arc<str>,
    span: Span,
}

impl SharedText {
    /// Returns the bytes `span` of `whole` as a shared text.
    pub fn slice(whole: &Arc<str>, span: Span) -> Self {
        Self { whole: Arc::clone(whole), span }
    }

    /// Creates a shared text that owns its whole content.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let whole = text.into();
        let span = Span::new(0, whole.len() as u32);
        Self { whole, span }
    }

    /// Returns `text` as a shared text: as a part of `whole` if it equals the bytes `span` of it, as a copy otherwise.
    pub(crate) fn of(whole: &Arc<str>, span: Span, text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(same) if span.of(whole) == same => Self::slice(whole, span),
            other => Self::new(&*other),
        }
    }

    /// Returns the text as a string slice.
    pub fn as_str(&self) -> &str {
        self.span.of(&self.whole)
    }
}

impl Deref for SharedText {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for SharedText {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl std::fmt::Debug for SharedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.as_str(), f)
    }
}

impl std::fmt::Display for SharedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self)
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for SharedText {}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for SharedText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialOrd for SharedText {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SharedText {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for SharedText {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

/// The name of an argument or the kind of a block, with its span.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name itself.
    pub text: SharedText,
    /// The span of the name in the source; in JSON with the quotes.
    pub span: Span,
}

/// A label of a block, unescaped, with its span.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The label, unescaped.
    pub text: SharedText,
    /// The span of the label in the source, with the quotes.
    pub span: Span,
    /// True if the label is written in quotes.
    pub quoted: bool,
}
