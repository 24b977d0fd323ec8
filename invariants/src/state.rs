//! States, and whatever else is shown: any text is read or refused, no text of it stands in a refusal, and what is printed
//! for programs can be read.

use groma_module::ProviderSchemas;
use groma_plan::{State, StateError, StateInventory, recorded};
use groma_review::{PlainText, SavedFile, write_inventory};
use groma_runtime::{Dialect, Edition};
use groma_syntax::render::harmless;
use groma_value::json::{self, JsonLayout, JsonText};

use crate::utf8;

/// A text in the states of the seeds that must not be printed.
const SECRET: &str = "hunter2";

/// A state of any bytes, as each dialect reads it.
pub(crate) fn state(bytes: &[u8]) {
    for dialect in [Dialect::Terraform, Dialect::OpenTofu] {
        let read = || State::of(bytes.to_vec(), "terraform.tfstate", Edition::newest(dialect));
        let state = match read() {
            Ok(Some(state)) => state,
            Ok(None) => continue,
            Err(StateError(why)) => {
                assert!(why.ends_with('.') && !why.contains(SECRET), "{why}");
                continue;
            }
        };
        let tell = |state: State| {
            let all =
                StateInventory::of(state, &ProviderSchemas::default(), Edition::newest(dialect));
            let mut text = String::new();
            write_inventory(&all, &mut PlainText(&mut text)).expect("it is written to memory");
            let mut out = JsonText::new(JsonLayout::Compact);
            all.write_json(Edition::newest(dialect).version, &mut out);
            (text, out.into_string())
        };
        let (text, document) = tell(state);
        assert_eq!(harmless(&text.replace('\n', " ")), text.replace('\n', " "), "{text:?}");
        json::decode_loose(&document).expect("what is printed can be read");
        let again = read().ok().flatten().expect("it was read before");
        assert_eq!(tell(again), (text, document));
        if let Ok(Some(state)) = read() {
            for (address, _) in
                recorded(state, &ProviderSchemas::default(), Edition::newest(dialect))
            {
                assert!(!address.is_empty());
            }
        }
    }
}

/// Any text is something that can be shown or is refused by a sentence.
pub(crate) fn show(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    match SavedFile::of(text) {
        Ok(SavedFile::Saved { document, .. }) => {
            assert!(json::decode_loose(text).is_err() || json::decode_loose(&document).is_ok());
        }
        Ok(_) => {}
        Err(why) => assert!(why.ends_with('.'), "{why}"),
    }
}
