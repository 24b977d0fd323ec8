//! States, and whatever else is shown: any text is read or refused, no text of it stands in a refusal, and what is printed
//! for programs can be read.

use groma_module::ProviderSchemas;
use groma_plan::{State, StateError, StateInventory, recorded};
use groma_review::{PlainText, SavedFile, write_inventory};
use groma_runtime::{Dialect, Edition};
use groma_syntax::render::harmless;
use groma_value::json::{self, JsonLayout, JsonText};

use crate::utf8;

/// A secret in the sample states, which no error message may contain.
const SECRET: &str = "hunter2";

/// Checks that any bytes are read as a state or refused with a message, and that a state is listed repeatably.
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

/// Checks that `show` reads any text as a plan or state, or refuses it with a sentence.
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
