//! Text that shares the source it came from, and the names and labels made of it.
//! A label's text is unescaped; its span still covers the quotes.

use std::borrow::{Borrow, Cow};
use std::ops::Deref;
use std::sync::Arc;

use crate::span::Span;

/// A substring of a shared text. Cloning does not allocate.
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

    /// Returns `text`, shared with `whole` where it equals the bytes `span` of it.
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
    /// The span of its source; in JSON with the quotes.
    pub span: Span,
}

/// A label of a block, unescaped, with its span.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The label, unescaped.
    pub text: SharedText,
    /// The span of its source, with the quotes.
    pub span: Span,
    /// True if it is quoted.
    pub quoted: bool,
}
