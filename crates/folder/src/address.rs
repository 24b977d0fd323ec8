//! Addresses: what kind of object, which instance, and the whole as `moved`, `removed` and `import` blocks
//! write it. They are read and never evaluated.

use groma_runtime::{Availability, Dialect, Edition};
use groma_syntax::ast::{Case, ExprView};
use groma_syntax::{Expr, json};
use groma_value::Str;

/// What kind of object a resource block declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// `resource`
    Managed,
    /// `data`
    Data,
    /// `ephemeral`
    Ephemeral,
    /// `action`: it has no value, and runs when something triggers it.
    Action,
    /// `list`, in a query file.
    List,
}

impl Mode {
    /// The mode of what a word declares.
    pub fn of(word: &str) -> Option<Mode> {
        const ALL: [Mode; 5] =
            [Mode::Managed, Mode::Data, Mode::Ephemeral, Mode::Action, Mode::List];
        ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// The word that declares it.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Managed => "resource",
            Mode::Data => "data",
            Mode::Ephemeral => "ephemeral",
            Mode::Action => "action",
            Mode::List => "list",
        }
    }

    /// How it is spoken of: `data source`.
    pub fn noun(self) -> &'static str {
        match self {
            Mode::Managed => "resource",
            Mode::Data => "data source",
            Mode::Ephemeral => "ephemeral resource",
            Mode::Action => "action",
            Mode::List => "list",
        }
    }

    /// Whether a body is one block `config`, so that its schema is that block's.
    pub fn has_config(self) -> bool {
        matches!(self, Mode::Action | Mode::List)
    }

    /// What stands before the type in an address.
    pub fn prefix(self) -> &'static str {
        match self {
            Mode::Managed => "",
            Mode::Data => "data.",
            Mode::Ephemeral => "ephemeral.",
            Mode::Action => "action.",
            Mode::List => "list.",
        }
    }
}

/// Which instance of a repeated thing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// The only one.
    None,
    /// By `count`.
    Number(usize),
    /// By `for_each`.
    Text(Str),
}

impl Key {
    /// As it stands in an address: `[0]`, `["a"]`, or nothing.
    pub fn suffix(&self) -> String {
        match self {
            Key::None => String::new(),
            Key::Number(number) => format!("[{number}]"),
            Key::Text(text) => {
                let mut quoted = String::with_capacity(text.len() + 4);
                quoted.push_str("[\"");
                let is_written = |byte: u8| {
                    !byte.is_ascii_control() && !matches!(byte, b'"' | b'\\' | b'$' | b'%')
                };
                match text.bytes().all(is_written) {
                    true => quoted.push_str(text),
                    false => quote(text, &mut quoted),
                }
                quoted.push_str("\"]");
                quoted
            }
        }
    }
}

/// Writes a text as it stands between quotes.
fn quote(text: &str, out: &mut String) {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Otherwise it would read as the start of a template.
            '$' | '%' if rest.peek() == Some(&'{') => out.extend([c, c]),
            c => out.push(c),
        }
    }
}

/// What an address names, and where it is read from: the module that the block stands in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The calls that lead there.
    pub modules: Vec<(Str, Key)>,
    /// The resource; nothing if the last module itself is meant.
    pub resource: Option<ResourceTarget>,
}

/// A resource inside a module, or one of its instances.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ResourceTarget {
    /// What kind of object it is.
    pub mode: Mode,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// Which instance.
    pub key: Key,
}

/// Which editions have lists of what exists, whose word starts no address.
const LISTS: Availability = Availability::TERRAFORM.terraform_since(14);

/// Which words in front of an address are no type of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// Those that never start an address.
    reserved: &'static [&'static str],
    /// `resource`, which only says what follows.
    resource: bool,
    /// `ephemeral`, as `data` everywhere.
    ephemeral: bool,
    /// `action`, which then has to start it.
    action: bool,
}

impl Words {
    /// Those of addresses that stand in no block: on a command line, in a state.
    pub const NONE: Words =
        Words { reserved: &[], resource: false, ephemeral: false, action: false };

    /// That of addresses of actions.
    pub const ACTION: Words = Words { action: true, ..Words::NONE };

    /// Those of blocks of that kind.
    pub fn of(edition: Edition, kind: &str) -> Words {
        const RESERVED: &[&str] = &[
            "arg",
            "count",
            "each",
            "lazy",
            "local",
            "path",
            "self",
            "template",
            "terraform",
            "var",
            "list",
        ];
        let is_tofu = edition.dialect == Dialect::OpenTofu;
        if is_tofu || kind == "removed" {
            return Words { ephemeral: is_tofu, ..Words::NONE };
        }
        let has_lists = LISTS.includes(edition);
        let reserved = if has_lists { RESERVED } else { &RESERVED[..RESERVED.len() - 1] };
        Words { reserved, resource: true, ephemeral: true, action: false }
    }
}

/// One step of an address.
enum Step {
    Name(String),
    Key(Key),
    /// A key that is worked out.
    Computed,
}

impl Target {
    /// Reads an address. A text in JSON holds one; a text in native syntax is none.
    ///
    /// # Errors
    /// A whole sentence that says what is wrong with it.
    pub fn read(expr: &Expr, words: Words) -> Result<Target, String> {
        Target::read_with(expr, words, false)
    }

    /// Reads an address whose keys may be worked out later; such a key counts as none.
    ///
    /// # Errors
    /// A whole sentence that says what is wrong with it.
    pub fn read_open(expr: &Expr, words: Words) -> Result<Target, String> {
        Target::read_with(expr, words, true)
    }

    fn read_with(expr: &Expr, words: Words, open: bool) -> Result<Target, String> {
        const NOT_ONE: &str = "An address is written out, such as aws_instance.web[0] or module.net, without quotes and with literal keys; nothing is evaluated in it.";
        let steps = match expr {
            Expr::Native(native) => steps(native.view()),
            Expr::Json(document) => match document.view().case() {
                json::Case::String(text) => {
                    let parse = groma_syntax::parse_expression(&(*text).into(), expr.file());
                    match (Expr::of(&parse), parse.diagnostics.is_empty()) {
                        (Expr::Native(native), true) => steps(native.view()),
                        _ => None,
                    }
                }
                _ => None,
            },
        };
        let Some(steps) = steps else { return Err(NOT_ONE.to_owned()) };
        if !open && steps.iter().any(|step| matches!(step, Step::Computed)) {
            return Err(NOT_ONE.to_owned());
        }
        read(&steps, words)
    }

    /// The same seen from the root, for a block in the module that these calls lead to.
    pub fn below(&self, path: &[Str]) -> Target {
        let outer = path.iter().map(|name| (name.clone(), Key::None));
        Target { modules: outer.chain(self.modules.iter().cloned()).collect(), ..self.clone() }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut before = "";
        for (name, key) in &self.modules {
            write!(f, "{before}module.{}{}", &**name, key.suffix())?;
            before = ".";
        }
        let Some(resource) = &self.resource else { return Ok(()) };
        let prefix = resource.mode.prefix();
        let (kind, name, key) = (&*resource.kind, &*resource.name, resource.key.suffix());
        write!(f, "{before}{prefix}{kind}.{name}{key}")
    }
}

/// The steps of an address, the first first; nothing where it is not made of steps.
fn steps(view: ExprView<'_>) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    let mut at = view;
    loop {
        at = match at.case() {
            Case::Root(word) => {
                found.push(Step::Name(word.to_owned()));
                break;
            }
            Case::Attribute { object, name, .. } => {
                found.push(Step::Name(name.to_owned()));
                object
            }
            Case::Index { object, key, .. } => {
                found.push(key_of(key));
                object
            }
            _ => return None,
        };
    }
    found.reverse();
    Some(found)
}

fn key_of(key: ExprView<'_>) -> Step {
    match key.case() {
        Case::Number(_) => key.text().parse().map_or(Step::Computed, |n| Step::Key(Key::Number(n))),
        Case::Template(template) => match template.plain() {
            Some(text) => Step::Key(Key::Text(Str::from(text.into_owned()))),
            None => Step::Computed,
        },
        _ => Step::Computed,
    }
}

fn read(steps: &[Step], words: Words) -> Result<Target, String> {
    let mut modules = Vec::new();
    let mut rest = steps;
    while let [Step::Name(word), after @ ..] = rest
        && word == "module"
    {
        let [Step::Name(name), after @ ..] = after else {
            return Err("\"module\" is followed by the name of a call, as in module.net.".into());
        };
        let (key, after) = take_key(after);
        modules.push((Str::from(name.as_str()), key));
        rest = after;
    }
    if rest.is_empty() && !modules.is_empty() {
        return Ok(Target { modules, resource: None });
    }
    let mode = match rest {
        [Step::Name(word), ..] if word == "data" => {
            rest = &rest[1..];
            Mode::Data
        }
        [Step::Name(word), ..] if word == "resource" && words.resource => {
            rest = &rest[1..];
            Mode::Managed
        }
        [Step::Name(word), ..] if word == "ephemeral" && words.ephemeral => {
            rest = &rest[1..];
            Mode::Ephemeral
        }
        [Step::Name(word), ..] if word == "action" && words.action => {
            rest = &rest[1..];
            Mode::Action
        }
        _ if words.action => {
            return Err("An action is named as in action.type.name, or with the module that it is in before that.".into());
        }
        [Step::Name(word), ..] if words.reserved.contains(&word.as_str()) => {
            return Err(format!(
                "\"{word}\" does not start the address of a resource or a module. If a resource type has this name, write resource.{word} in front."
            ));
        }
        _ => Mode::Managed,
    };
    let [Step::Name(kind), Step::Name(name), after @ ..] = rest else {
        return Err(
            "The address of a resource is its type and its name, as in aws_instance.web.".into()
        );
    };
    let (key, after) = take_key(after);
    if !after.is_empty() {
        return Err(format!(
            "After {kind}.{name} only a key in square brackets can follow: resources are addressed as a whole."
        ));
    }
    let (kind, name) = (Str::from(kind.as_str()), Str::from(name.as_str()));
    Ok(Target { modules, resource: Some(ResourceTarget { mode, kind, name, key }) })
}

fn take_key(steps: &[Step]) -> (Key, &[Step]) {
    match steps {
        [Step::Key(key), rest @ ..] => (key.clone(), rest),
        [Step::Computed, rest @ ..] => (Key::None, rest),
        _ => (Key::None, steps),
    }
}
/// An address without the keys of instances.
pub fn without_keys(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    // Where what is taken begins; all that decides is one byte long.
    let mut from = 0;
    for (at, byte) in address.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' if depth > 0 => is_quoted = !is_quoted,
            b'[' if !is_quoted => {
                if depth == 0 {
                    out.push_str(&address[from..at]);
                }
                depth += 1;
            }
            b']' if !is_quoted => {
                if depth == 0 {
                    out.push_str(&address[from..at]);
                }
                depth = depth.saturating_sub(1);
                from = at + 1;
            }
            _ => {}
        }
    }
    if depth == 0 {
        out.push_str(&address[from..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_keys;

    #[test]
    fn keys_go() {
        assert_eq!(without_keys(r#"module.m["a]\"].b"].x_y.z[0]"#), "module.m.x_y.z");
        assert_eq!(without_keys("timestamp()"), "timestamp()");
        assert_eq!(without_keys("a.b[c[0]].d]e[\"é\"].ü[1"), "a.b.de.ü");
    }
}
