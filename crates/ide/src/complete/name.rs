//! Completion of references: names of declarations with their values, and the next step of a reference.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma::place::{DeclarationId, MemberStep, members, part_of, part_of_type};
use groma::root::{Root, RootDeclaration};
use groma::{Type, Value};
use groma_syntax::ast::{ExprCase, ExprView};

use crate::complete::body::type_words;
use crate::complete::{ChainStep, CompletionItem, CompletionKind, CompletionSubject, ListBuilder};
use crate::value_text;

/// Maximum number of characters of a value shown beside a name; a longer value is shortened.
pub(super) const DETAIL_COLUMNS: usize = 60;

/// Maximum number of keys of a value that completion lists; further ones are left out.
const MAX_KEYS: usize = 500;

/// The value and type of the object at the end of a reference, as far as known.
#[derive(Default)]
pub(super) struct ChainEnd {
    value: Option<Value>,
    ty: Option<Type>,
}

impl ListBuilder<'_> {
    /// Adds completion items for the next step of the reference before the cursor.
    pub(super) fn chained(&mut self) {
        let chain = self.site.chain.clone();
        let Some((ChainStep::Name(root), rest)) = chain.split_first() else { return };
        if self.bound_chain(root, rest) {
            return;
        }
        match (root.as_str(), rest) {
            _ if self.next_parts(&chain) => {}
            // Nothing else is known of a name in a root without modules.
            _ if self.root().is_some_and(|root| root.module().is_err()) => {}
            ("each", []) => self.words(&["key", "value"]),
            ("count", []) => self.words(&["index"]),
            ("path", []) => self.words(&["cwd", "module", "root"]),
            ("terraform" | "tofu", []) => self.words(&["applying", "workspace"]),
            ("module", [ChainStep::Name(call), ..]) => self.outputs(call, &rest[1..]),
            _ => {
                let end = self.chain_end(&chain);
                self.parts(&end);
            }
        }
    }

    /// Returns the root that the completed file belongs to; `None` if it belongs to none.
    pub(super) fn root(&self) -> Option<Arc<dyn Root>> {
        self.request.root_of(self.document.name())
    }

    /// Adds completion items for the next steps of the declared addresses that begin with the steps of `chain`, the
    /// reference before the cursor; returns false if there are none.
    fn next_parts(&mut self, chain: &[ChainStep]) -> bool {
        let names: Option<String> = chain
            .iter()
            .map(|step| match step {
                ChainStep::Name(name) => Some(format!("{name}.")),
                _ => None,
            })
            .collect();
        let (Some(prefix), Some(root)) = (names, self.root()) else { return false };
        let all = root.names_at(self.document.name(), self.site.word.start);
        let mut parts: BTreeMap<&str, Option<&RootDeclaration>> = BTreeMap::new();
        for one in &all {
            let Some(rest) = one.address.strip_prefix(&prefix) else { continue };
            match rest.split_once('.') {
                Some((part, _)) => drop(parts.entry(part).or_default()),
                None => drop(parts.insert(rest, Some(one))),
            }
        }
        let is_continued = !parts.is_empty();
        for (part, declared) in parts {
            let item = self.item(part, CompletionKind::Name, 1);
            let item = match declared {
                Some(one) => CompletionItem {
                    detail: self.value_in(&*root, one),
                    subject: self.subject_of(one),
                    ..item
                },
                None => item,
            };
            self.push(item);
        }
        is_continued
    }

    /// Returns the value of a declaration of any root on one line of at most [`DETAIL_COLUMNS`] characters, or else its declared
    /// type; `None` if neither is known.
    fn value_in(&mut self, root: &dyn Root, one: &RootDeclaration) -> Option<String> {
        let known = root.values_of(one, 1, self.request.token()).unwrap_or_default();
        self.list.is_pending |= known.is_pending;
        match known.values.first() {
            Some(known) => Some(value_text::brief(&known.value, DETAIL_COLUMNS)),
            None => {
                let (snapshot, id) = one.in_module()?;
                snapshot.type_of(id).map(|ty| type_words(&ty))
            }
        }
    }

    /// Returns the subject by which a declaration's documentation is looked up later; `Nothing` if it is outside of the request's
    /// module.
    fn subject_of(&self, one: &RootDeclaration) -> CompletionSubject {
        match (one.in_module(), self.request.snapshot()) {
            (Some((snapshot, id)), Some(own)) if snapshot.is_same(own) => {
                CompletionSubject::Declaration(id)
            }
            _ => CompletionSubject::Nothing,
        }
    }

    /// Adds a completion item for each of some keywords or other fixed words.
    fn words(&mut self, words: &[&str]) {
        for word in words {
            let item = self.item(word, CompletionKind::Word, 1);
            self.push(item);
        }
    }

    /// Returns the value of a declaration of the request's module on one line of at most [`DETAIL_COLUMNS`] characters, or else
    /// its declared type; `None` if neither is known.
    fn value_detail(&mut self, id: DeclarationId) -> Option<String> {
        let snapshot = self.request.snapshot()?;
        let known = snapshot.values_of(id, 1, self.request.token());
        self.list.is_pending |= known.is_pending;
        match known.values.first() {
            Some(one) => Some(value_text::brief(&one.value, DETAIL_COLUMNS)),
            None => snapshot.type_of(id).map(|ty| type_words(&ty)),
        }
    }

    /// Adds completion items for the outputs of the module call named `call`, or, if the steps `rest` after it name an
    /// output, for its parts.
    fn outputs(&mut self, call: &str, rest: &[ChainStep]) {
        let Some(snapshot) = self.request.snapshot() else { return };
        let rest: Vec<&ChainStep> =
            rest.iter().skip_while(|step| !matches!(step, ChainStep::Name(_))).collect();
        let Some(id) = self.declaration_of(&format!("module.{call}")) else { return };
        if let Some((ChainStep::Name(output), rest)) = rest.split_first() {
            let Some(output) = snapshot.output_of(id, output) else { return };
            let rest: Vec<ChainStep> = rest.iter().map(|step| (*step).clone()).collect();
            let end = self.end_of(output, &rest);
            self.parts(&end);
            return;
        }
        for (output, name) in snapshot.outputs_of(id) {
            let item = CompletionItem {
                detail: self.value_detail(output),
                subject: CompletionSubject::Declaration(output),
                ..self.item(&name, CompletionKind::Attribute, 1)
            };
            self.push(item);
        }
    }

    /// Returns the declaration with an address as the file writes it; `None` unless it is in the module of the request.
    pub(super) fn declaration_of(&self, address: &str) -> Option<DeclarationId> {
        let names = self.root()?.names_at(self.document.name(), self.site.word.start);
        let one = names.into_iter().find(|one| one.address == address)?;
        let (snapshot, id) = one.in_module()?;
        snapshot.is_same(self.request.snapshot()?).then_some(id)
    }

    /// Returns the value and type, as far as known, of the object that a reference to a declaration leads to.
    pub(super) fn chain_end(&mut self, chain: &[ChainStep]) -> ChainEnd {
        let names: Vec<&str> = chain
            .iter()
            .map_while(|step| match step {
                ChainStep::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let own = match names.first() {
            Some(&"data" | &"ephemeral") => 3,
            _ => 2,
        };
        if names.len() < own {
            return ChainEnd::default();
        }
        if names[..2] == ["each", "value"] {
            let value = self.each_value();
            return member_at(value, None, &chain[2..]);
        }
        match self.declaration_of(&names[..own].join(".")) {
            Some(id) => self.end_of(id, &chain[own..]),
            None => ChainEnd::default(),
        }
    }

    /// Returns the value and type of the part of a declaration to which `steps`, those that follow its address in a
    /// reference, lead.
    fn end_of(&mut self, id: DeclarationId, steps: &[ChainStep]) -> ChainEnd {
        let Some(snapshot) = self.request.snapshot() else { return ChainEnd::default() };
        let mut ty = snapshot.type_of(id);
        let mut known = snapshot.values_of(id, 1, self.request.token());
        self.list.is_pending |= known.is_pending;
        let mut value = known.values.pop().map(|one| one.value);
        let mut steps = steps;
        // The key of an instance is not a step into the value.
        if snapshot.is_repeated(id) {
            match steps.split_first() {
                Some((ChainStep::Name(_), _)) | None => (value, ty) = (None, None),
                Some((_, rest)) => steps = rest,
            }
        }
        member_at(value, ty, steps)
    }

    /// Returns the value of `each.value` in the first instance of the block at the cursor; `None` if the block has no
    /// `for_each` or its value is not known.
    fn each_value(&self) -> Option<Value> {
        let snapshot = self.request.snapshot()?;
        let step = self.site.blocks.first()?;
        let prefix = match step.kind.as_str() {
            "resource" => String::new(),
            kind => format!("{kind}."),
        };
        let id = self.declaration_of(&format!("{prefix}{}", step.labels.join(".")))?;
        snapshot.first_element(id, self.request.token())
    }

    /// Adds completion items for the attributes and keys of the value to which the names before the cursor lead, or for the
    /// attributes of its type.
    pub(super) fn parts(&mut self, end: &ChainEnd) {
        let of_value = end.value.as_ref().map(|value| members(value, MAX_KEYS)).unwrap_or_default();
        for (name, value) in &of_value {
            if !groma_syntax::is_identifier(name) {
                continue;
            }
            let item = CompletionItem {
                detail: Some(value_text::brief(value, DETAIL_COLUMNS)),
                ..self.item(name, CompletionKind::Attribute, 1)
            };
            self.push(item);
        }
        if let Some(Type::Object(object)) = &end.ty {
            for attribute in object.attributes() {
                if of_value.iter().any(|(name, _)| *name == attribute.name) {
                    continue;
                }
                let item = CompletionItem {
                    detail: Some(type_words(&attribute.ty)),
                    ..self.item(&attribute.name, CompletionKind::Attribute, 1)
                };
                self.push(item);
            }
        }
    }

    /// Adds completion items for the keys of the value to which the reference before a bracket, with the steps `chain`,
    /// leads; an item replaces the text of the string in the bracket.
    pub(super) fn index_keys(&mut self, chain: &[ChainStep]) {
        let end = self.chain_end(chain);
        let mut keys: Vec<(String, Option<String>)> = Vec::new();
        if let Some(value) = &end.value {
            let all = members(value, MAX_KEYS);
            let detail = |value: &Value| Some(value_text::brief(value, DETAIL_COLUMNS));
            keys.extend(all.iter().map(|(key, value)| (key.to_string(), detail(value))));
        }
        for (key, detail) in keys {
            let replaces = self.text_word();
            let item = CompletionItem {
                detail,
                replaces,
                ..self.item(&key, CompletionKind::Attribute, 1)
            };
            self.push(item);
        }
    }

    /// Adds completion items for the attributes and keys of what the steps `rest` lead to in the value that the `for`
    /// variable `root` holds; returns false if no `for` binds that name.
    fn bound_chain(&mut self, root: &str, rest: &[ChainStep]) -> bool {
        let at = self.site.word.start;
        let Some(whole) = self.document.expression_at(at) else { return false };
        let Some((collection, is_key)) = binder(whole.view(), root, at) else { return false };
        if is_key {
            return true;
        }
        let Some((snapshot, place)) =
            self.request.place(self.document.name(), collection.span().end)
        else {
            return true;
        };
        let known = snapshot.values_at(place, 1, self.request.token());
        let value = known.and_then(|known| known.values.into_iter().next()).map(|one| one.value);
        let steps: Vec<ChainStep> =
            std::iter::once(ChainStep::Any).chain(rest.iter().cloned()).collect();
        let end = member_at(value, None, &steps);
        self.parts(&end);
        true
    }

    /// Returns the names that enclosing `for` expressions bind at the cursor.
    pub(super) fn bound_names(&self) -> Vec<String> {
        let at = self.site.word.start;
        let Some(whole) = self.document.expression_at(at) else { return Vec::new() };
        let mut found = Vec::new();
        visit_enclosing_fors(whole.view(), at, &mut |each| {
            found.extend(each.key_name.map(|(name, _)| name.to_owned()));
            found.push(each.value_name.0.to_owned());
        });
        found.retain(|name| !name.is_empty());
        found
    }
}

/// Returns the part of a value, and the part of its type, to which `steps` lead.
fn member_at(value: Option<Value>, ty: Option<Type>, steps: &[ChainStep]) -> ChainEnd {
    let step = |one: &ChainStep| match one {
        ChainStep::Name(name) | ChainStep::Key(name) => MemberStep::Name(name.clone()),
        ChainStep::Position(at) => MemberStep::Position(*at),
        ChainStep::Any => MemberStep::Any,
    };
    let steps: Vec<MemberStep> = steps.iter().map(step).collect();
    ChainEnd {
        value: value.and_then(|value| part_of(&value, &steps)),
        ty: ty.and_then(|ty| part_of_type(&ty, &steps)),
    }
}

/// Visits every `for` expression whose names are in scope at an offset, outermost first.
fn visit_enclosing_fors(
    whole: ExprView<'_>,
    at: u32,
    see: &mut dyn FnMut(&groma_syntax::ast::ForView<'_>),
) {
    let mut waiting = vec![whole];
    while let Some(view) = waiting.pop() {
        let case = view.case();
        if let ExprCase::For(each) = &case
            && at > each.collection.span().end
        {
            see(each);
        }
        case.inner(|inner| {
            if inner.span().touches(at) {
                waiting.push(inner);
            }
        });
    }
}

/// Returns the collection that the innermost `for` around the offset `at` in the expression `whole` iterates over with the
/// bound name `name`, and true if the name is bound to its keys; `None` if no `for` binds it.
fn binder<'t>(whole: ExprView<'t>, name: &str, at: u32) -> Option<(ExprView<'t>, bool)> {
    let mut waiting = vec![whole];
    let mut found = None;
    while let Some(view) = waiting.pop() {
        let case = view.case();
        if let ExprCase::For(each) = &case
            && at > each.collection.span().end
        {
            if each.value_name.0 == name {
                found = Some((each.collection, false));
            } else if each.key_name.is_some_and(|(key, _)| key == name) {
                found = Some((each.collection, true));
            }
        }
        case.inner(|inner| {
            if inner.span().touches(at) {
                waiting.push(inner);
            }
        });
    }
    found
}
