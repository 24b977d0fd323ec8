//! `import` blocks: target address and id. With `for_each` a block imports several objects; there, and in OpenTofu anywhere,
//! instance keys of the address may be computed.

use crate::dialect::Conventions;
use groma_config::{
    AddressPattern, KeyForms, RawBlock, ResourceMode, address_expression, address_grammar, sentence,
};
use groma_functions::FunctionLibrary;
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Mark, Type, Value};

use crate::codes;
use crate::declare::{DeclarationReader, Expression, ProviderReference};

/// The declaration of an `import` block: target address, and id or identity.
#[derive(Debug)]
pub struct Import {
    /// The source range of its header.
    pub place: Place,
    /// The source range of its target address.
    pub to: Place,
    /// The target, if it is an address. Computed keys are omitted.
    pub target: Option<AddressPattern>,
    /// True if the target has computed keys.
    pub computed: bool,
    /// The computed keys of the target.
    pub keys: Vec<OpenKey>,
    /// The collection that it iterates over.
    pub for_each: Option<Expression>,
    /// The import id.
    pub id: Option<Expression>,
    /// The identity that selects the object instead of an id.
    pub identity: Option<Expression>,
    /// The provider that is named explicitly; a provider per key is not supported here.
    pub provider: Option<Box<ProviderReference>>,
    /// Faults of its references. They may be irrelevant if the target is not declared.
    pub problems: Vec<Diagnostic>,
}

impl Import {
    /// Reads an `import` block, given the `earlier` ones of the module; `None` if its target address is missing or is not that
    /// of a managed resource.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        earlier: &[Import],
        out: &mut Diagnostics,
    ) -> Option<Import> {
        let expression =
            |name| raw.argument(name).map(|a| Expression::new(&a.expr, &gatherer.library));
        let (for_each, id) = (expression("for_each"), expression("id"));
        let identity = expression("identity");
        let conventions = &gatherer.conventions;
        if id.is_none() && !conventions.import_needs_one_name {
            let detail = "An import block needs the argument \"id\", and it is not set.";
            out.push(
                Diagnostic::error(&codes::MISSING_ARGUMENT, detail)
                    .at(raw.edge)
                    .within(raw.header.span),
            );
        }
        if conventions.import_needs_one_name {
            identified(raw, out);
        }
        let argument = raw.argument("to")?;
        let to = argument.expr.place();
        let words = address_grammar(gatherer.library.edition, "import");
        let computed = AddressPattern::read(&argument.expr, words).is_err();
        let read = match conventions.computed_import_keys || for_each.is_some() {
            true => AddressPattern::read(&argument.expr, words.with_keys(KeyForms::Computed)),
            false => AddressPattern::read(&argument.expr, words),
        };
        let target = match read {
            Ok(target) => Some(target),
            Err(detail) => {
                out.push(Diagnostic::error(&codes::INVALID_ADDRESS, detail).at(to));
                None
            }
        };
        if let Some(target) = &target {
            let mode = target.resource.as_ref().map(|resource| resource.mode);
            if mode != Some(ResourceMode::Managed) {
                let detail =
                    format!("{target} is not a resource, and only resources can be imported.");
                out.push(Diagnostic::error(&codes::IMPORT_ADDRESS, detail).at(to));
                return None;
            }
            if !computed {
                let at = if conventions.blames_blocks { raw.header } else { to };
                check_first(target, earlier, at, out);
            }
        }
        let provider = ProviderReference::read(raw, &gatherer.library)
            .map(|asked| Box::new(ProviderReference { key: None, ..*asked }));
        let keys = match target {
            Some(_) => open_keys(&argument.expr, &gatherer.library),
            None => Vec::new(),
        };
        if !conventions.computed_import_keys {
            check_keys(&keys, out);
        }
        let place = raw.header;
        let problems = Vec::new();
        Some(Import {
            place,
            to,
            target,
            computed,
            keys,
            for_each,
            id,
            identity,
            provider,
            problems,
        })
    }

    /// Returns the reason why a value cannot be the id of an import, such as null; `None` if it can, or if that is unknown yet.
    pub fn problem_of_id(id: &Value, conventions: &Conventions) -> Option<String> {
        let (bare, marks) = id.unmark();
        if conventions.import_ids_shown && marks.contains(&Mark::Sensitive) {
            return Some("it is sensitive, and ids of imports are shown. Remove the mark with nonsensitive(…)".to_owned());
        }
        if conventions.import_ids_shown && marks.contains(&Mark::Ephemeral) {
            return Some("it is ephemeral, and ids of imports are stored".to_owned());
        }
        match groma_value::convert(&bare, &Type::String) {
            Ok(Value::Null(_)) => {
                Some("it is null. Give the id that the provider uses for the object".to_owned())
            }
            Ok(Value::String(text)) if text.is_empty() && !conventions.empty_import_id_creates => {
                Some("it is empty. Give the id that the provider uses for the object".to_owned())
            }
            Ok(_) => None,
            Err(why) => Some(format!("an id has to be a string, and {}", sentence(&why))),
        }
    }
}

/// An instance key in an import's target address that is not a literal: its expression, and the step that it belongs to.
#[derive(Debug)]
pub struct OpenKey {
    /// The index of the module call that the key belongs to; `None` for the resource's own key.
    pub call: Option<usize>,
    /// The expression of the key. Its references are resolved only when it is evaluated.
    pub value: Expression,
    /// The source range.
    pub place: Place,
}

/// Reports an import of a target that an earlier block imports.
fn check_first(target: &AddressPattern, earlier: &[Import], at: Place, out: &mut Diagnostics) {
    let same = |other: &&Import| !other.computed && other.target.as_ref() == Some(target);
    if let Some(first) = earlier.iter().find(same) {
        let detail = format!("{target} is already imported. Remove one of the two blocks.");
        let twice = Diagnostic::error(&codes::DUPLICATE_IMPORT, detail).at(at);
        out.push(twice.note_at("The first is here.", first.to));
    }
}

/// Reports computed keys of an import's address that refer to anything but `each`.
fn check_keys(keys: &[OpenKey], out: &mut Diagnostics) {
    for key in keys {
        let located = &key.value.located;
        if let Some(other) = located.code.references().iter().find(|one| &*one.root != "each") {
            let detail = format!(
                "A key in the address of an import may be a literal or use each.key and each.value, but this refers to {}.",
                &*other.root
            );
            let place = located.place(other.span);
            out.push(Diagnostic::error(&codes::IMPORT_ADDRESS, detail).at(place));
        }
    }
}

/// Returns the instance keys in an import's target address that are not literals.
fn open_keys(address: &Expr, library: &FunctionLibrary) -> Vec<OpenKey> {
    let Some((Expr::Native(native), shift)) = address_expression(address) else {
        return Vec::new();
    };
    let mut keys = Vec::new();
    let mut names = 0;
    let mut at = native.view();
    loop {
        at = match at.case() {
            ExprCase::Attribute { object, .. } => {
                names += 1;
                object
            }
            ExprCase::Index { object, key, .. } => {
                let is_literal = match key.case() {
                    ExprCase::Number(_) => true,
                    ExprCase::Template(template) => template.plain().is_some(),
                    _ => false,
                };
                if !is_literal {
                    let mut value = Expression::new(&Expr::Native(native.inner(key)), library);
                    value.located.base += shift;
                    keys.push((names, value));
                }
                object
            }
            _ => break,
        };
    }
    keys.reverse();
    // A key is preceded by pairs of names: "module" and a call, or a type and a name.
    let key = |(after, value): (usize, Expression)| OpenKey {
        call: (after > 0).then(|| (names + 1 - after) / 2).and_then(|pairs| pairs.checked_sub(1)),
        place: if shift > 0 { address.place() } else { value.place() },
        value,
    };
    keys.into_iter().map(key).collect()
}

/// Reports an `import` block that sets neither or both of `id` and `identity`.
fn identified(raw: &RawBlock, out: &mut Diagnostics) {
    let detail = match (raw.argument("id"), raw.argument("identity")) {
        (None, None) => {
            "An import block needs the argument \"id\" or \"identity\", which identifies the object to the provider."
        }
        (Some(_), Some(_)) => "\"id\" and \"identity\" both identify the object. Keep one of them.",
        _ => return,
    };
    out.push(Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(raw.header));
}
