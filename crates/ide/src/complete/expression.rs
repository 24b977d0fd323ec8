//! Completion at the start of an expression: names, functions, keywords, and allowed values.

use groma::functions::FunctionLibrary;

use crate::complete::name::DETAIL_COLUMNS;
use crate::complete::{CompletionItem, CompletionKind, CompletionSubject, ListBuilder, SiteFrame};
use crate::file_kind::FileKind;
use crate::template_names::template_names;
use crate::value_text;

/// Sort rank of allowed values among completion items.
const CHOICE: u8 = 0;
/// Sort rank of names that an enclosing `for` binds among completion items.
const BOUND: u8 = 1;
/// Sort rank of names of declarations among completion items.
const NAME: u8 = 2;
/// Sort rank of keywords among completion items.
const WORD: u8 = 3;
/// Sort rank of functions among completion items.
const FUNCTION: u8 = 5;

/// The keywords of types: the primitive types and `any`.
const TYPE_WORDS: [&str; 4] = ["any", "bool", "number", "string"];

/// Type constructors, each with the snippet that inserts it.
const TYPE_FORMS: [(&str, &str); 6] = [
    ("list", "list(${1:string})"),
    ("map", "map(${1:string})"),
    ("object", "object({\n  ${1:name} = ${2:string}\n})"),
    ("optional", "optional(${1:string})"),
    ("set", "set(${1:string})"),
    ("tuple", "tuple([${1:string}])"),
];

impl ListBuilder<'_> {
    /// Adds completion items for the start of an expression, or for the next step of the reference before the cursor.
    pub(super) fn expression(&mut self) {
        if !self.site.chain.is_empty() {
            return self.chained();
        }
        if self.is_type() {
            return self.types_of_variables();
        }
        if self.document.kind() == Some(FileKind::Values) {
            self.choices(true);
            return;
        }
        self.choices(true);
        for name in self.bound_names() {
            let item = self.item(&name, CompletionKind::Name, BOUND);
            self.push(item);
        }
        if self.document.kind() == Some(FileKind::Template) {
            self.given_by_callers();
        } else {
            self.roots();
        }
        self.functions();
        for word in ["false", "null", "true"] {
            let item = self.item(word, CompletionKind::Word, WORD);
            self.push(item);
        }
    }

    /// Adds completion items for the variables that the callers of a template file pass to it.
    fn given_by_callers(&mut self) {
        for given in template_names(self.request, self.document) {
            self.list.is_pending |= given.is_pending;
            let item = CompletionItem {
                detail: given.value.map(|value| value_text::brief(&value, DETAIL_COLUMNS)),
                ..self.item(&given.name, CompletionKind::Name, NAME)
            };
            self.push(item);
        }
    }

    /// Adds completion items for the sources that a Packer build can start from.
    fn sources(&mut self) {
        let Some(root) = self.root() else { return };
        for one in root.declarations() {
            if one.address.starts_with("source.") {
                let replaces = self.text_word();
                let item = CompletionItem {
                    replaces,
                    ..self.item(&one.address, CompletionKind::Choice, CHOICE)
                };
                self.push(item);
            }
        }
    }

    /// Returns true if the cursor is in the `type` argument of a variable.
    fn is_type(&self) -> bool {
        let is_variable = self.site.blocks.first().is_some_and(|step| step.kind == "variable");
        is_variable && self.site.argument.as_deref() == Some("type")
    }

    /// Adds completion items for the types that a variable can have.
    fn types_of_variables(&mut self) {
        for word in TYPE_WORDS {
            let item = self.item(word, CompletionKind::Word, CHOICE);
            self.push(item);
        }
        for (name, form) in TYPE_FORMS {
            let item = CompletionItem {
                insert: form.to_owned(),
                is_snippet: true,
                ..self.item(name, CompletionKind::Word, BOUND)
            };
            self.push(item);
        }
    }

    /// Adds completion items for the names with which a reference can begin, such as `var` or a resource type.
    fn roots(&mut self) {
        let mut roots: Vec<String> = Vec::new();
        match self.root() {
            Some(root) => {
                let names = root.names_at(self.document.name(), self.site.word.start);
                let first = |address: &str| address.split('.').next().map(str::to_owned);
                roots.extend(names.iter().filter_map(|one| first(&one.address)));
                roots.extend(root.builtin_names().iter().map(|name| (*name).to_owned()));
            }
            None => roots.extend(["path", "terraform"].map(str::to_owned)),
        }
        let body = self.site.blocks.first();
        let is_repeated = body.is_some_and(|step| {
            matches!(step.kind.as_str(), "resource" | "data" | "module" | "ephemeral")
        });
        if is_repeated {
            roots.extend(["each", "count"].map(str::to_owned));
        }
        let has_self = self.site.blocks.iter().any(|step| {
            matches!(step.kind.as_str(), "provisioner" | "connection" | "postcondition")
        });
        if has_self {
            roots.push("self".to_owned());
        }
        roots.sort_unstable();
        roots.dedup();
        for root in roots {
            let item = self.item(&root, CompletionKind::Name, NAME);
            self.push(item);
        }
    }

    /// Adds completion items for the functions of the edition.
    fn functions(&mut self) {
        let library = FunctionLibrary::of(self.edition());
        let functions: Vec<_> = library.functions().filter(|function| !function.removed).collect();
        let is_followed = {
            let rest = self.document.text().get(self.site.word.end as usize..);
            rest.unwrap_or_default().starts_with('(')
        };
        for function in functions {
            let takes_nothing = function.params.is_empty() && function.rest.is_none();
            let mut item = CompletionItem {
                detail: Some(function.signature()),
                subject: CompletionSubject::Function(function.name.to_owned()),
                ..self.item(function.name, CompletionKind::Function, FUNCTION)
            };
            if !is_followed {
                let inner = if takes_nothing { "" } else { "$1" };
                item.insert = format!("{}({inner})", function.name);
                item.is_snippet = true;
            }
            self.push(item);
        }
    }

    /// Adds completion items for the values allowed at the cursor; `in_quotes` quotes texts, for an offset outside of a
    /// string.
    pub(super) fn choices(&mut self, in_quotes: bool) {
        for word in self.allowed_words() {
            let mut item = self.item(&word.text, CompletionKind::Choice, CHOICE);
            item.detail = word.detail;
            match (word.is_quoted, in_quotes) {
                (true, true) => item.insert = format!("\"{}\"", word.text),
                (true, false) => item.replaces = self.text_word(),
                (false, true) => {}
                (false, false) => continue,
            }
            self.push(item);
        }
    }

    /// Adds completion items inside of a string: allowed values, paths or map keys.
    pub(super) fn text(&mut self) {
        if let Some(SiteFrame::Index(chain)) = self.site.frames.first() {
            let chain = chain.clone();
            return self.index_keys(&chain);
        }
        let is_packer = self.document.kind() == Some(FileKind::Packer);
        if is_packer && self.site.argument.as_deref() == Some("sources") {
            return self.sources();
        }
        self.choices(false);
        self.paths();
    }
}
