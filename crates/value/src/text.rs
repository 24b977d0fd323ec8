//! Text of the language: always NFC.
use std::ops::Deref;

/// Text in NFC, 16 bytes, cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Str(ecow::EcoString);

impl Deref for Str {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}
impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
impl From<&str> for Str {
    fn from(text: &str) -> Str {
        Str(text.into())
    }
}
impl From<String> for Str {
    fn from(text: String) -> Str {
        Str(text.into())
    }
}
