//! What names inside of an expression are bound to: every use with the place of its binder.

use std::sync::Arc;

use groma_syntax::ast::{BinderKind, Bindings};
use groma_syntax::{Expr, FileId, Span, parse_expression};

/// Returns each use of a name in text order as `name@offset`, followed by `=` and the offset of its binder if it has one.
fn told(text: &str, given: &[(&str, Span)]) -> String {
    let text: Arc<str> = text.into();
    let parse = parse_expression(&text, FileId(0));
    let Expr::Native(native) = Expr::of(&parse) else { panic!("{text}") };
    let given: Vec<(&str, Span)> = given.to_vec();
    let bindings = Bindings::within(native.view(), given);
    let mut uses: Vec<_> = bindings.uses().to_vec();
    uses.sort_by_key(|one| one.span.start);
    let one = uses.into_iter().map(|one| {
        let name = if one.name.is_empty() { "*" } else { one.name };
        match one.binder.and_then(|id| bindings.binder(id)) {
            Some(binder) => format!("{name}@{}={}", one.span.start, binder.span.start),
            None => format!("{name}@{}", one.span.start),
        }
    });
    one.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_name_is_bound_by_the_innermost_loop() {
    assert_eq!(
        told("[for k, v in xs : v.a + k + w if v.b]", &[]),
        "xs@13 v@18=8 k@24=5 w@28 v@33=8"
    );
    assert_eq!(told("[for x in x : x]", &[]), "x@10 x@14=5");
    assert_eq!(told("[for x in a : [for x in x : x]]", &[]), "a@10 x@24=5 x@28=19");
    assert_eq!(told("[[for x in a : x], x]", &[]), "a@11 x@15=6 x@19");
    assert_eq!(told("{for k, k in a : k => k}", &[]), "a@13 k@17=8 k@22=8");
}

#[test]
fn a_key_of_an_object_is_itself() {
    assert_eq!(
        told("{for k in a : k => { k = k, (k) = k, k.x = 1 }}", &[]),
        "a@10 k@14=5 k@25=5 k@29=5 k@34=5 k@37=5"
    );
}

#[test]
fn words_are_bound_by_nothing() {
    assert_eq!(told("[for null in a : null]", &[]), "a@13");
}

#[test]
fn directives_of_templates_bind() {
    let text = "\"%{ for i, j in l }${i}%{ if j }${x}%{ endif }%{ endfor }${i}\"";
    assert_eq!(told(text, &[]), "l@16 i@21=8 j@29=11 x@34 i@59");
}

#[test]
fn a_splat_binds_its_element() {
    assert_eq!(told("a[*].b[*].c", &[]), "a@0 *@4=1 *@9=6");
    assert_eq!(told("a.*.b[c]", &[]), "a@0 *@3=1 c@6");
    assert_eq!(told("[for x in a[*].b : x[*].c[x]]", &[]), "a@10 *@14=11 x@19=5 *@23=20 x@26=5");
}

#[test]
fn surroundings_bind_what_the_expression_does_not() {
    let given = [("each", Span::new(100, 104)), ("rule", Span::new(200, 204))];
    assert_eq!(told("[each.key, rule.value, other]", &given), "each@1=100 rule@11=200 other@23");
    assert_eq!(told("[for rule in rule.value : rule]", &given), "rule@13=200 rule@26=5");
}

#[test]
fn places_of_the_text_lead_to_binders_and_uses() {
    let text: Arc<str> = "[for key, one in xs : one.a[key]]".into();
    let parse = parse_expression(&text, FileId(0));
    let Expr::Native(native) = Expr::of(&parse) else { panic!("native") };
    let bindings = Bindings::of(native.view());
    let one = bindings.binder_at(11).expect("the name of the element");
    assert_eq!(bindings.binder(one).map(|one| one.kind), Some(BinderKind::Value));
    assert_eq!(bindings.uses_of(one).map(|one| one.span.start).collect::<Vec<_>>(), [22]);
    assert_eq!(bindings.use_at(29).and_then(|used| used.binder), bindings.binder_at(5));
    assert_eq!(bindings.use_at(18).map(|used| used.binder), Some(None));
    assert_eq!(bindings.binder_at(18), None);
}

#[test]
fn long_chains_need_no_stack() {
    let sum = vec!["x"; 20_000].join(" + ");
    let chain = format!("x{}", ".a".repeat(20_000));
    for text in [sum, chain] {
        let text: Arc<str> = text.into();
        let parse = parse_expression(&text, FileId(0));
        let Expr::Native(native) = Expr::of(&parse) else { panic!("native") };
        assert!(!Bindings::of(native.view()).uses().is_empty());
    }
}
