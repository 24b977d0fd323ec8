//! What goes and comes again under another name: of one type in one module, with all that is written the same, and
//! nothing else that it could be. It is only told: without a `moved` block it is destroyed and made again.

use std::collections::BTreeMap;

use groma_folder::Mode;
use groma_plan::{Action, Change};
use groma_value::{Value, json};

/// What looks renamed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rename {
    /// The address that goes.
    pub from: String,
    /// The address that comes.
    pub to: String,
}

/// What looks renamed among these changes, by address.
pub(crate) fn find(changes: &[Change]) -> Vec<Rename> {
    // What goes and what comes of each kind in each module, by all that is known of it.
    let mut alike: BTreeMap<(&str, &str, String), [Vec<&str>; 2]> = BTreeMap::new();
    for change in changes.iter().filter(|change| change.mode == Mode::Managed) {
        let (side, value) = match (change.action, &change.before) {
            (Action::Delete, Some(before)) => (0, before),
            (Action::Create, _) => (1, &change.instance.value),
            _ => continue,
        };
        if let Some(told) = told(value) {
            let key = (change.module(), &*change.kind, told);
            alike.entry(key).or_default()[side].push(&change.instance.address);
        }
    }
    // Where there are several, nobody can tell which is which.
    let mut found: Vec<Rename> = alike
        .into_values()
        .filter_map(|[gone, come]| match (gone.as_slice(), come.as_slice()) {
            ([from], [to]) => Some(Rename { from: (*from).to_owned(), to: (*to).to_owned() }),
            _ => None,
        })
        .collect();
    found.sort();
    found
}

/// All that is known of an object, if that is anything.
fn told(value: &Value) -> Option<String> {
    let (bare, _) = value.unmark_deep();
    let Value::Object(object) = &bare else { return None };
    let is_told = object.iter().any(|(_, value)| value.is_known() && !value.is_null());
    is_told.then(|| json::plain(&bare))
}
