//! Tests of the table of functions: the rules that every row must follow.

use groma_functions::{FoundFunction, Function, FunctionBody, FunctionLibrary, NameReach, TABLE};
use groma_runtime::{Availability, Dialect, Edition};

/// Iterates over the rows of all functions.
fn rows() -> impl Iterator<Item = &'static Function> {
    TABLE.iter().flat_map(|family| family.functions)
}

/// Returns the library of the edition with this name.
fn library(name: &str) -> FunctionLibrary {
    FunctionLibrary::of(Edition::parse(name).unwrap())
}

/// Tests that families, and the functions in each, are sorted by name.
#[test]
fn families_are_sorted() {
    assert!(TABLE.is_sorted_by_key(|family| family.name), "the families are not sorted");
    for family in TABLE {
        let names: Vec<&str> = family.functions.iter().map(|f| f.name).collect();
        assert!(names.is_sorted(), "not sorted: {names:?}");
    }
}

/// Tests that no edition has two functions of one name.
#[test]
fn names_are_unique_in_every_edition() {
    for dialect in Dialect::ALL {
        let edition = Edition::newest(dialect);
        let library =
            FunctionLibrary::of(edition).with_console().with_given().with_variable_default();
        let names = library.names();
        let mut once = names.clone();
        once.dedup();
        assert_eq!(names, once, "{edition}");
    }
}

/// Tests that every row has a valid name, documentation, parameter names and editions.
#[test]
fn rows_are_complete() {
    for function in rows() {
        let name = function.name;
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let own = function.own_name();
        assert!(!own.is_empty() && own.chars().all(letters), "{name}");
        assert!(own == name || name == format!("provider::terraform::{own}"), "{name}");
        assert!(function.doc.ends_with('.'), "{name}: the doc is a sentence");
        let params = function.params.iter().chain(&function.rest);
        for param in params {
            assert!(!param.name.is_empty() && param.name.chars().all(letters), "{name}: {param:?}");
        }
        assert_ne!(
            function.dialects,
            Availability { opentofu: None, terraform: None, packer: None },
            "{name} exists nowhere"
        );
    }
}

/// Tests signatures with types.
#[test]
fn signatures_with_types() {
    for function in rows() {
        assert!(function.typed_signature().starts_with(function.name));
        assert!(function.editions_text().contains(char::is_alphabetic), "{function:?}");
    }
    let typed = |name: &str| match library("opentofu").find(name) {
        FoundFunction::Function(function) => function.typed_signature(),
        _ => String::new(),
    };
    assert_eq!(typed("split"), "split(separator: string, string: string) → list(string)");
    assert_eq!(typed("distinct"), "distinct(list: list(any)) → list(any)");
    assert_eq!(typed("merge"), "merge(maps...: any) → any");
    assert_eq!(typed("csvdecode"), "csvdecode(str: string) → any");
}

/// Tests the look-up of special forms and of functions of console and givens.
#[test]
fn forms_are_found() {
    let library = library("opentofu");
    let FoundFunction::Function(function) = library.find("try") else { panic!("try") };
    assert!(matches!(function.body, FunctionBody::Form(_)));
    assert!(matches!(library.find("type"), FoundFunction::Elsewhere { .. }));
    assert!(matches!(library.with_console().find("type"), FoundFunction::Function(_)));
    assert!(matches!(library.find("unknown"), FoundFunction::Nowhere { .. }));
    assert!(matches!(library.with_given().find("unknown"), FoundFunction::Function(_)));
}

/// Tests the look-up of names that exist in some editions only.
#[test]
fn names_by_edition() {
    let packer = library("packer");
    assert!(matches!(packer.find("tostring"), FoundFunction::Lacking { .. }));
    assert!(matches!(packer.find("core::upper"), FoundFunction::Elsewhere { .. }));
    assert!(matches!(packer.find("convert"), FoundFunction::Function(_)));
    let tofu = library("opentofu");
    assert!(matches!(tofu.find("convert"), FoundFunction::Lacking { .. }));
    assert!(matches!(tofu.find("core::upper"), FoundFunction::Function(_)));
    assert!(matches!(tofu.find("kernel::upper"), FoundFunction::Nowhere { .. }));
    assert!(matches!(tofu.find("Upper"), FoundFunction::Nowhere { nearest: Some("upper") }));
    assert!(matches!(tofu.find("frobnicate"), FoundFunction::Nowhere { nearest: None }));
    let old = library("terraform@1.7");
    assert!(matches!(old.find("issensitive"), FoundFunction::Lacking { .. }));
    assert!(matches!(library("terraform").find("issensitive"), FoundFunction::Function(_)));
    let lookup = |library: FunctionLibrary| match library.find("lookup") {
        FoundFunction::Function(function) => function.params.len(),
        _ => 0,
    };
    assert_eq!((lookup(tofu), lookup(packer)), (2, 3));
}

/// Tests that functions of givens are not callable in files.
#[test]
fn given_names_stay_out_of_the_way() {
    for function in rows().filter(|f| f.reach == NameReach::Given) {
        assert!(!library("opentofu").names().contains(&function.name));
    }
}
