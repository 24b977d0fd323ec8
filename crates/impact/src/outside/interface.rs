//! The interface of a module, as entries to compare with those of the other revision: variables, outputs, module calls and
//! checks, and the values that variable files give the root. Descriptions do not count, and values of outputs are compared by the
//! plans.

use groma_config::DeclarationName;
use groma_eval::TypeDefaults;
use groma_module::declare::{Expression, Output, Variable};
use groma_project::InputSource;
use groma_value::print::type_constraint;
use groma_value::{Str, Type, Value};

use super::body::{ArgumentPart, ComparedBody};
use super::change::OutsideKind;
use super::entry::{ChangeTarget, DeclaredEntry};
use super::expression::SideModule;
use super::pairing::ModulePair;
use super::written::{dependency, push_conditions};

/// Adds the variables, outputs, calls and checks of one module of a pair, the older with `side` 0 and the newer with 1, as
/// entries to compare with those of the other revision.
pub(super) fn entries(pair: &ModulePair<'_>, side: usize, all: &mut Vec<DeclaredEntry>) {
    let here = &pair.here[side];
    let module = here.module();
    for variable in &module.variables {
        let address = format!("var.{}", &*variable.name);
        let body = of_variable(variable);
        all.push(DeclaredEntry::new(
            OutsideKind::Variable,
            address.clone(),
            ChangeTarget::Modules,
            body,
        ));
        let mut body = ComparedBody::empty(variable.place);
        push_conditions(here, "validation", &variable.validations, &mut body);
        all.push(
            DeclaredEntry::new(OutsideKind::Condition, address, ChangeTarget::Modules, body)
                .of_both(),
        );
    }
    for output in &module.outputs {
        let address = format!("output.{}", &*output.name);
        let entry = |kind, body| {
            DeclaredEntry::new(kind, address.clone(), ChangeTarget::Modules, body).of_both()
        };
        all.push(entry(OutsideKind::Output, of_output(output)));
        let mut body = ComparedBody::empty(output.place);
        push_conditions(here, "precondition", &output.preconditions, &mut body);
        all.push(entry(OutsideKind::Condition, body));
        all.push(dependency(address, ChangeTarget::Modules, output.place, &output.depends_on));
    }
    for check in &module.checks {
        let mut body = ComparedBody::empty(check.place);
        push_conditions(here, "assert", &check.assertions, &mut body);
        let address = format!("check.{}", &*check.name);
        all.push(DeclaredEntry::new(OutsideKind::Condition, address, ChangeTarget::Modules, body));
    }
    for call in &module.calls {
        let name = pair.name(side, DeclarationName::Call(call.name.clone()));
        let (address, target) = (name.to_string(), ChangeTarget::Declaration(name));
        let mut body = ComparedBody::empty(call.place);
        body.arguments
            .extend(call.source.as_ref().map(|one| (Str::from("source"), source(here, one))));
        let version = call.version.as_ref().map(|one| here.valued("version", one));
        body.arguments.extend(version.map(|part| (Str::from("version"), part)));
        all.push(DeclaredEntry::new(OutsideKind::Module, address.clone(), target.clone(), body));
        all.push(dependency(address, target, call.place, &call.depends_on));
    }
}

/// Returns the source of a called module in normal form, so that two spellings of one source are equal.
fn source(here: &SideModule<'_>, expression: &Expression) -> ArgumentPart {
    let part = here.valued("source", expression);
    let Some(Value::String(text)) = part.value.as_ref().map(|value| value.unmark_deep().0) else {
        return part;
    };
    let address = match text.starts_with('.') {
        true => groma_config::path::normal(&text),
        false => groma_project::source_address(&text),
    };
    ArgumentPart { value: Some(Value::String(Str::from(address))), ..part }
}

/// Returns a body with the arguments of a variable for comparison.
fn of_variable(variable: &Variable) -> ComparedBody {
    let mut body = ComparedBody::empty(variable.place);
    put_type(&variable.ty, variable.defaults.as_ref(), variable.is_hidden(), &mut body);
    if let Some(default) = &variable.default {
        let place = variable.default_place.unwrap_or(variable.place);
        // Attributes that the type fills in are compared with the type.
        let own = match &variable.defaults {
            Some(defaults) => defaults.without_defaults(default),
            None => default.clone(),
        };
        let part = ArgumentPart::plain(place, own);
        // A default of null differs from no default.
        let part = match default.is_null() {
            true => ArgumentPart { value: None, text: Str::from("null"), ..part },
            false => part,
        };
        body.set("default", if variable.is_hidden() { part.hidden() } else { part });
    }
    let flags = [
        ("sensitive", variable.sensitive, true),
        ("ephemeral", variable.ephemeral, true),
        ("nullable", !variable.nullable, false),
        ("const", variable.is_const, true),
    ];
    for (name, _, value) in flags.into_iter().filter(|(_, is_set, _)| *is_set) {
        body.put(name, Value::Bool(value));
    }
    body
}

/// Returns a body with the type and the flags of an output for comparison.
fn of_output(output: &Output) -> ComparedBody {
    let mut body = ComparedBody::empty(output.place);
    if let Some((ty, defaults)) = &output.ty {
        put_type(ty, defaults.as_ref(), output.sensitive || output.ephemeral, &mut body);
    }
    for (name, is_set) in [("sensitive", output.sensitive), ("ephemeral", output.ephemeral)] {
        if is_set {
            body.put(name, Value::Bool(true));
        }
    }
    body
}

/// Adds a type and the defaults of its optional attributes, not to be shown if `is_hidden` is true, to a body for comparison.
/// The dynamic type equals an omitted one.
fn put_type(ty: &Type, defaults: Option<&TypeDefaults>, is_hidden: bool, body: &mut ComparedBody) {
    if *ty != Type::Dynamic {
        body.set("type", ArgumentPart::code(body.place, type_constraint(ty)));
    }
    for (path, value) in defaults.map(TypeDefaults::all).unwrap_or_default() {
        let part = ArgumentPart::plain(body.place, value.clone());
        body.set(&format!("type{path}"), if is_hidden { part.hidden() } else { part });
    }
}

/// Adds the values that variable files give the root module, each as an entry to compare with that of the other revision.
pub(super) fn values(here: &SideModule<'_>, all: &mut Vec<DeclaredEntry>) {
    let project = here.node.project();
    for variable in &here.module().variables {
        let Some((InputSource::File, place)) = project.input_source(&variable.name) else {
            continue;
        };
        let Some(given) = project.given_value(&variable.name) else { continue };
        let value = variable.convert(given).unwrap_or_else(|_| given.clone());
        let place = place.unwrap_or(variable.place);
        let part = ArgumentPart::plain(place, value);
        let mut body = ComparedBody::empty(place);
        body.arguments
            .insert(Str::default(), if variable.is_hidden() { part.hidden() } else { part });
        let address = format!("var.{}", &*variable.name);
        all.push(DeclaredEntry::new(OutsideKind::Values, address, ChangeTarget::Nothing, body));
    }
}
