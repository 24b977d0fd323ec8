//! Offers a `moved` block for a resource or module call that was renamed by hand, if the state has an object of that type under
//! an address that is not declared.

use std::collections::BTreeSet;

use groma::edit::EditOp;

use crate::action::{ActionChange, ActionChoice, ActionKind, ActionList};
use crate::file_span::ChangeSet;

/// Maximum number of old addresses that are offered.
const MAX_ADDRESSES: usize = 5;

impl ActionList<'_> {
    /// Offers `moved` blocks for the renamed resource or call at the cursor.
    pub(super) fn moved(&mut self) {
        let Some(snapshot) = self.request.snapshot() else { return };
        let Some((id, address)) = self.declaration() else { return };
        // Moves inside a called module belong into that module, where no state is known.
        let kind = snapshot.declaration(id).map(|site| site.kind);
        if id.module != 0 || !matches!(kind, Some("resource" | "module")) {
            return;
        }
        let recorded = outermost(&snapshot.recorded_addresses());
        let declared: Vec<String> =
            snapshot.declarations_of(0).into_iter().map(|(_, address)| address).collect();
        if recorded.contains(&address) {
            return;
        }
        let kind = |address: &str| address.split('.').next().unwrap_or_default().to_owned();
        let gone =
            recorded.iter().filter(|old| !declared.contains(old) && kind(old) == kind(&address));
        let gone: Vec<String> = gone.take(MAX_ADDRESSES).cloned().collect();
        for from in gone {
            let title = format!("Say that {from} is now {address}");
            let choice = ActionChoice::AddMoved { from, to: address.clone() };
            self.push(title, ActionKind::Rewrite, choice);
        }
    }
}

/// Returns the addresses of the root's resources and module calls that contain the recorded objects, each once.
fn outermost(recorded: &[String]) -> BTreeSet<String> {
    let own = |address: &String| {
        let count = if address.starts_with("data.") { 3 } else { 2 };
        address.split('.').take(count).collect::<Vec<_>>().join(".")
    };
    recorded.iter().map(own).collect()
}

impl ActionChange<'_> {
    /// Adds a `moved` block to the file.
    pub(super) fn add_moved(&self, from: &str, to: &str) -> Result<ChangeSet, String> {
        let code = format!("{{\n  from = {from}\n  to   = {to}\n}}");
        self.edit_file(&[(EditOp::Add, "moved[]".to_owned(), code)])
    }
}
