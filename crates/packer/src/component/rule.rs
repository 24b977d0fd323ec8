//! Rules for a component's arguments beyond their types. An unknown argument counts as set, because it may turn out valid.
//! Strings with `{{ … }}` are not checked, since only Packer can render them.

use groma_runtime::{Host, HostError};
use groma_value::Value;
use groma_value::sentence::{HIDDEN, brief};

use super::config::ComponentConfig;

/// A rule for a component's arguments beyond their types, such as that exactly one of several is set.
#[derive(Debug)]
pub(crate) enum ComponentRule {
    /// The argument must be set.
    Required(&'static str),
    /// Exactly one of the arguments must be set.
    OneOf(&'static [&'static str]),
    /// At least one of the arguments must be given, possibly empty.
    Given(&'static [&'static str]),
    /// At most one of the arguments may be set.
    AtMostOne(&'static [&'static str]),
    /// The first argument has an effect only with the second.
    Together(&'static str, &'static str),
    /// The argument is one of these keywords.
    Choice(&'static str, &'static [&'static str]),
    /// Each element of the argument is one of these keywords.
    Choices(&'static str, &'static [&'static str]),
    /// Each element of the argument is `NAME=value`.
    Pairs(&'static str),
    /// The files named by the arguments exist.
    Files(&'static [&'static str]),
    /// The file uploaded by a file provisioner exists.
    Uploaded,
    /// The connection arguments are complete for a machine that no builder creates.
    Reachable,
}

/// The message about a violated rule of a component's arguments.
pub(crate) struct ComponentProblem {
    /// The message, in whole sentences.
    pub(crate) detail: String,
    /// True if the fault depends on this machine and may not exist where Packer runs.
    pub(crate) is_of_machine: bool,
}

/// Returns a message for each violation of the rules of a component by its arguments.
pub(crate) fn check(
    rules: &[ComponentRule],
    config: &ComponentConfig,
    host: &dyn Host,
) -> Vec<ComponentProblem> {
    let mut found = Vec::new();
    for rule in rules {
        let mut details = Vec::new();
        judge(rule, config, host, &mut details);
        let is_of_machine = matches!(rule, ComponentRule::Files(_) | ComponentRule::Uploaded);
        found.extend(details.into_iter().map(|detail| ComponentProblem { detail, is_of_machine }));
    }
    found
}

/// Adds a message for each violation of one rule to `found`.
fn judge(rule: &ComponentRule, config: &ComponentConfig, host: &dyn Host, found: &mut Vec<String>) {
    match rule {
        ComponentRule::Required(name) => {
            if !is_set(config, name) {
                found.push(format!(
                    "The argument \"{name}\" has to be set.{}",
                    unread_data_hint(config, &[name])
                ));
            }
        }
        ComponentRule::OneOf(names) => {
            match names.iter().filter(|name| is_set(config, name)).count() {
                0 => found.push(format!(
                    "One of {} has to be set.{}",
                    list(names),
                    unread_data_hint(config, names)
                )),
                1 => {}
                _ => found.push(format!("Only one of {} can be set.", list(names))),
            }
        }
        ComponentRule::Given(names) => {
            if !names.iter().any(|name| config.get(name).is_some()) {
                found.push(format!("One of {} has to be set.", list(names)));
            }
        }
        ComponentRule::AtMostOne(names) => {
            if names.iter().filter(|name| is_set(config, name)).count() > 1 {
                found.push(format!("Only one of {} can be set.", list(names)));
            }
        }
        ComponentRule::Together(name, other) => {
            if is_set(config, name) && !is_set(config, other) {
                found.push(format!("\"{name}\" is used only with \"{other}\", which is not set."));
            }
        }
        ComponentRule::Choice(name, words) => {
            for KnownText { text, shown } in texts(config, name) {
                if !text.is_empty() && !words.iter().any(|word| word.eq_ignore_ascii_case(&text)) {
                    found.push(format!("\"{name}\" must be one of {}, not {shown}.", list(words)));
                }
            }
        }
        ComponentRule::Choices(name, words) => {
            for KnownText { text, shown } in texts(config, name) {
                if !words.contains(&text.as_str()) {
                    found.push(format!("\"{name}\" takes {}, not {shown}.", list(words)));
                }
            }
        }
        ComponentRule::Pairs(name) => {
            for KnownText { text, shown } in texts(config, name) {
                if text.split_once('=').is_none_or(|(name, _)| name.is_empty()) {
                    found.push(format!(
                        "\"{name}\" takes strings of the form NAME=value, not {shown}."
                    ));
                }
            }
        }
        ComponentRule::Files(names) => {
            for path in names.iter().flat_map(|name| texts(config, name)) {
                check_file(&path, "script", host, found);
            }
        }
        ComponentRule::Uploaded => {
            let is = |name: &str, wanted: &str| matches!(config.get(name).map(Value::bare), Some(Value::String(text)) if &**text == wanted);
            let generated = matches!(
                config.get("generated").map(Value::bare),
                Some(Value::Bool(true) | Value::Unknown(_))
            );
            if generated || is("direction", "download") {
                return;
            }
            for path in texts(config, "source").into_iter().chain(texts(config, "sources")) {
                check_file(&path, "source", host, found);
            }
        }
        ComponentRule::Reachable => reachable(config, found),
    }
}

/// Adds messages about missing connection arguments, which are required where no builder creates the machine.
fn reachable(config: &ComponentConfig, found: &mut Vec<String>) {
    let communicator = config.get("communicator");
    let kind = match communicator.map(Value::bare) {
        Some(Value::String(text)) => text.to_string(),
        Some(_) => return,
        None => "ssh".to_owned(),
    };
    let (host, user, ways): (&str, &str, &[&str]) = match kind.as_str() {
        "none" => return,
        "ssh" | "" => (
            "ssh_host",
            "ssh_username",
            &["ssh_password", "ssh_private_key_file", "ssh_agent_auth"],
        ),
        "winrm" => ("winrm_host", "winrm_username", &["winrm_password"]),
        _ => {
            let shown = communicator.map(brief).unwrap_or_default();
            found.push(format!("\"communicator\" must be ssh, winrm or none, not {shown}."));
            return;
        }
    };
    /// The hint in messages that no communicator is needed without a machine to connect to.
    const NO_COMMUNICATOR: &str = "Write communicator = \"none\" if no machine has to be reached.";
    for name in [host, user] {
        if !is_set(config, name) {
            found.push(format!("The argument \"{name}\" has to be set. {NO_COMMUNICATOR}"));
        }
    }
    if !ways.iter().any(|name| is_set(config, name)) {
        found.push(format!("One of {} has to be set. {NO_COMMUNICATOR}", list(ways)));
    }
}

/// Returns true if an argument is set to a value other than false or an empty string, list or map.
fn is_set(config: &ComponentConfig, name: &str) -> bool {
    match config.get(name).map(Value::bare) {
        None | Some(Value::Null(_)) => false,
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::List(list)) => !list.items().is_empty(),
        Some(Value::Map(map)) => !map.entries().is_empty(),
        Some(Value::Unknown(_)) => !config.is_left_empty(name),
        Some(_) => true,
    }
}

/// Returns the hint that one of some arguments counts as empty only because data is not read; empty if that applies to none.
fn unread_data_hint(config: &ComponentConfig, names: &[&str]) -> &'static str {
    if names.iter().any(|name| config.is_left_empty(name)) {
        " It depends on a data source, and data sources are not read during validation, where an unknown list counts as empty. Use -evaluate-datasources."
    } else {
        ""
    }
}

/// A known string in the value of an argument, with the text that messages show for it, which hides a sensitive one.
struct KnownText {
    /// The string.
    text: String,
    /// The quoted text for messages, hidden if sensitive.
    shown: String,
}

/// Returns the known strings in the value of an argument, except those with `{{ }}`, which Packer renders later.
fn texts(config: &ComponentConfig, name: &str) -> Vec<KnownText> {
    let Some(value) = config.get(name) else { return Vec::new() };
    let hidden = value.marks().hide();
    let plain = |value: &Value| match value.bare() {
        Value::String(text) if !text.contains("{{") => {
            let shown = if hidden { HIDDEN.to_owned() } else { brief(value) };
            Some(KnownText { text: text.to_string(), shown })
        }
        _ => None,
    };
    match value.bare() {
        Value::List(list) => list.items().iter().filter_map(plain).collect(),
        _ => plain(value).into_iter().collect(),
    }
}

/// Adds a message to `found` if the file or folder at a path does not exist; `what` is what the message calls it.
fn check_file(path: &KnownText, what: &str, host: &dyn Host, found: &mut Vec<String>) {
    if !path.text.is_empty() && host.kind(&path.text) == Err(HostError::Absent) {
        let shown = &path.shown;
        found
            .push(format!("The {what} {shown} does not exist. Its path is relative to the directory in which Packer runs."));
    }
}

/// Returns quoted words, separated by commas.
fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    quoted.join(", ")
}
