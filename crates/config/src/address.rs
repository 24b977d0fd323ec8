//! Addresses: what kind of object, which instance, and the whole as `moved`, `removed` and `import` blocks
//! write it. They are read and never evaluated.

use groma_runtime::{Availability, Edition};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Expr, json};
use groma_value::Str;

/// The kind of object that a resource block declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ResourceMode {
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

impl ResourceMode {
    /// The mode of what a word declares.
    pub fn of(word: &str) -> Option<ResourceMode> {
        const ALL: [ResourceMode; 5] = [
            ResourceMode::Managed,
            ResourceMode::Data,
            ResourceMode::Ephemeral,
            ResourceMode::Action,
            ResourceMode::List,
        ];
        ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// The word that declares it.
    pub fn word(self) -> &'static str {
        match self {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data",
            ResourceMode::Ephemeral => "ephemeral",
            ResourceMode::Action => "action",
            ResourceMode::List => "list",
        }
    }

    /// Returns how it is spoken of: `data source`.
    pub fn noun(self) -> &'static str {
        match self {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data source",
            ResourceMode::Ephemeral => "ephemeral resource",
            ResourceMode::Action => "action",
            ResourceMode::List => "list",
        }
    }

    /// Returns true if a body is one block `config`, so that its schema is that block's.
    pub fn has_config(self) -> bool {
        matches!(self, ResourceMode::Action | ResourceMode::List)
    }

    /// Returns what stands before the type in an address.
    pub fn prefix(self) -> &'static str {
        match self {
            ResourceMode::Managed => "",
            ResourceMode::Data => "data.",
            ResourceMode::Ephemeral => "ephemeral.",
            ResourceMode::Action => "action.",
            ResourceMode::List => "list.",
        }
    }
}

/// The key of one instance of a repeated block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InstanceKey {
    /// The only one.
    None,
    /// By `count`.
    Number(usize),
    /// By `for_each`.
    Text(Str),
}

impl InstanceKey {
    /// As it stands in an address: `[0]`, `["a"]`, or nothing.
    pub fn suffix(&self) -> String {
        match self {
            InstanceKey::None => String::new(),
            InstanceKey::Number(number) => format!("[{number}]"),
            InstanceKey::Text(text) => {
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

/// The target of an address, and the module that the address is read from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AddressTarget {
    /// The calls that lead there.
    pub modules: Vec<(Str, InstanceKey)>,
    /// The resource; nothing if the last module itself is meant.
    pub resource: Option<ResourceTarget>,
}

/// A resource inside a module, or one of its instances.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ResourceTarget {
    /// The kind of object.
    pub mode: ResourceMode,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// The key of the instance.
    pub key: InstanceKey,
}

/// The editions in which the words that references start with cannot be types in addresses, and addresses of `removed` blocks
/// cannot name what is ephemeral.
const RESERVES: Availability = Availability { opentofu: None, ..Availability::ALL };
/// The editions that have list resources, whose word starts no address.
const LISTS: Availability = Availability::TERRAFORM.terraform_since(14);

/// The words in front of an address that are not a type of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressGrammar {
    /// Those that never start an address.
    reserved: &'static [&'static str],
    /// `resource`, which only says what follows.
    resource: bool,
    /// `ephemeral`, as `data` everywhere.
    ephemeral: bool,
    /// `action`, which then has to start it.
    action: bool,
}

impl AddressGrammar {
    /// Those of addresses that stand in no block: on a command line, in a state.
    pub const NONE: AddressGrammar =
        AddressGrammar { reserved: &[], resource: false, ephemeral: false, action: false };

    /// That of addresses of actions.
    pub const ACTION: AddressGrammar = AddressGrammar { action: true, ..AddressGrammar::NONE };

    /// Those of blocks of that kind.
    pub fn of(edition: Edition, kind: &str) -> AddressGrammar {
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
        let is_reserved = RESERVES.includes(edition);
        if !is_reserved || kind == "removed" {
            return AddressGrammar { ephemeral: !is_reserved, ..AddressGrammar::NONE };
        }
        let has_lists = LISTS.includes(edition);
        let reserved = if has_lists { RESERVED } else { &RESERVED[..RESERVED.len() - 1] };
        AddressGrammar { reserved, resource: true, ephemeral: true, action: false }
    }
}

/// The keys that an address may have beside those that are written out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Literal,
    /// Keys that are worked out.
    Computed,
    /// `[*]`, for every instance.
    Wildcard,
}

/// One step of an address.
enum AddressStep {
    Name(String),
    Key(InstanceKey),
    /// A key that is worked out.
    Computed,
}

impl AddressTarget {
    /// Reads an address. A text in JSON holds one; a text in native syntax is none.
    ///
    /// # Errors
    /// A whole sentence that says what is wrong with it.
    pub fn read(expr: &Expr, words: AddressGrammar) -> Result<AddressTarget, String> {
        AddressTarget::read_with(expr, words, Keys::Literal)
    }

    /// Reads an address whose keys may be worked out later; such a key counts as none.
    ///
    /// # Errors
    /// A whole sentence that says what is wrong with it.
    pub fn read_open(expr: &Expr, words: AddressGrammar) -> Result<AddressTarget, String> {
        AddressTarget::read_with(expr, words, Keys::Computed)
    }

    /// Reads an address of which a key may be `[*]`, for every instance; such a key counts as none.
    ///
    /// # Errors
    /// A whole sentence that says what is wrong with it.
    pub fn read_pattern(expr: &Expr, words: AddressGrammar) -> Result<AddressTarget, String> {
        AddressTarget::read_with(expr, words, Keys::Wildcard)
    }

    fn read_with(expr: &Expr, words: AddressGrammar, keys: Keys) -> Result<AddressTarget, String> {
        const NOT_ONE: &str = "An address is a literal, such as aws_instance.web[0] or module.net, without quotes and with literal keys; it cannot contain expressions.";
        let steps = match expr {
            Expr::Native(native) => steps(native.view(), keys),
            Expr::Json(document) => match document.view().case() {
                json::JsonCase::String(text) => {
                    let parse = groma_syntax::parse_expression(&(*text).into(), expr.file());
                    match (Expr::of(&parse), parse.diagnostics.is_empty()) {
                        (Expr::Native(native), true) => steps(native.view(), keys),
                        _ => None,
                    }
                }
                _ => None,
            },
        };
        let Some(steps) = steps else { return Err(NOT_ONE.to_owned()) };
        if keys != Keys::Computed && steps.iter().any(|step| matches!(step, AddressStep::Computed))
        {
            return Err(NOT_ONE.to_owned());
        }
        read(&steps, words)
    }

    /// The same seen from the root, for a block in the module that these calls lead to.
    pub fn below(&self, path: &[Str]) -> AddressTarget {
        let outer = path.iter().map(|name| (name.clone(), InstanceKey::None));
        AddressTarget {
            modules: outer.chain(self.modules.iter().cloned()).collect(),
            ..self.clone()
        }
    }
}

impl std::fmt::Display for AddressTarget {
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
fn steps(view: ExprView<'_>, keys: Keys) -> Option<Vec<AddressStep>> {
    let mut found = Vec::new();
    // What the splats around stand at, the innermost last.
    let mut sources = Vec::new();
    let mut at = view;
    loop {
        at = match at.case() {
            ExprCase::Root(word) => {
                found.push(AddressStep::Name(word.to_owned()));
                break;
            }
            ExprCase::Attribute { object, name, .. } => {
                found.push(AddressStep::Name(name.to_owned()));
                object
            }
            ExprCase::Index { object, key, .. } => {
                found.push(key_of(key));
                object
            }
            ExprCase::Splat { source, full: true, each, .. } if keys == Keys::Wildcard => {
                sources.push(source);
                each
            }
            ExprCase::SplatItem => sources.pop()?,
            _ => return None,
        };
    }
    found.reverse();
    Some(found)
}

fn key_of(key: ExprView<'_>) -> AddressStep {
    match key.case() {
        ExprCase::Number(_) => key
            .text()
            .parse()
            .map_or(AddressStep::Computed, |n| AddressStep::Key(InstanceKey::Number(n))),
        ExprCase::Template(template) => match template.plain() {
            Some(text) => AddressStep::Key(InstanceKey::Text(Str::from(text.into_owned()))),
            None => AddressStep::Computed,
        },
        _ => AddressStep::Computed,
    }
}

fn read(steps: &[AddressStep], words: AddressGrammar) -> Result<AddressTarget, String> {
    let mut modules = Vec::new();
    let mut rest = steps;
    while let [AddressStep::Name(word), after @ ..] = rest
        && word == "module"
    {
        let [AddressStep::Name(name), after @ ..] = after else {
            return Err("\"module\" is followed by the name of a call, as in module.net.".into());
        };
        let (key, after) = take_key(after);
        modules.push((Str::from(name.as_str()), key));
        rest = after;
    }
    if rest.is_empty() && !modules.is_empty() {
        return Ok(AddressTarget { modules, resource: None });
    }
    let mode = match rest {
        [AddressStep::Name(word), ..] if word == "data" => {
            rest = &rest[1..];
            ResourceMode::Data
        }
        [AddressStep::Name(word), ..] if word == "resource" && words.resource => {
            rest = &rest[1..];
            ResourceMode::Managed
        }
        [AddressStep::Name(word), ..] if word == "ephemeral" && words.ephemeral => {
            rest = &rest[1..];
            ResourceMode::Ephemeral
        }
        [AddressStep::Name(word), ..] if word == "action" && words.action => {
            rest = &rest[1..];
            ResourceMode::Action
        }
        _ if words.action => {
            return Err("The address of an action is action.type.name, with the address of its module in front.".into());
        }
        [AddressStep::Name(word), ..] if words.reserved.contains(&word.as_str()) => {
            return Err(format!(
                "An address of a resource or a module cannot start with \"{word}\". If a resource type has this name, write resource.{word} in front."
            ));
        }
        _ => ResourceMode::Managed,
    };
    let [AddressStep::Name(kind), AddressStep::Name(name), after @ ..] = rest else {
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
    Ok(AddressTarget { modules, resource: Some(ResourceTarget { mode, kind, name, key }) })
}

fn take_key(steps: &[AddressStep]) -> (InstanceKey, &[AddressStep]) {
    match steps {
        [AddressStep::Key(key), rest @ ..] => (key.clone(), rest),
        [AddressStep::Computed, rest @ ..] => (InstanceKey::None, rest),
        _ => (InstanceKey::None, steps),
    }
}

/// The local name of the provider that a type is named after: what stands before its first underscore.
pub fn implied_provider(kind: &str) -> &str {
    kind.split_once('_').map_or(kind, |(provider, _)| provider)
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
