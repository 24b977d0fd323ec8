//! Tests of addresses: they read back as written, and containment agrees with a second, text-based computation. Hostile texts are
//! parsed or refused, and never crash the process.

use groma_address::{
    AddressGrammar, AddressPattern, ConfigAddress, DeclarationAddress, DeclarationName,
    InstanceAddress, InstanceKey, KeyForms, ModuleAddress, ModulePath, ResourceAddress,
    ResourceMode, ResourceName, ResourceTarget, UndecidedAddress, UndecidedModule, text,
};
use groma_value::Str;
use proptest::prelude::*;

/// The grammar of the addresses in these tests: that outside of blocks, with `ephemeral` allowed before the type.
const GRAMMAR: AddressGrammar = AddressGrammar { takes_ephemeral: true, ..AddressGrammar::PLAIN };

/// Returns a strategy for instance keys: none, small and large numbers, and texts with characters that need escapes.
fn key() -> impl Strategy<Value = InstanceKey> {
    prop_oneof![
        2 => Just(InstanceKey::None),
        2 => (0_usize..3).prop_map(InstanceKey::Number),
        1 => any::<usize>().prop_map(InstanceKey::Number),
        3 => r#"[ab.\]\["\\$%{}é\n\t #/*-]{0,6}"#.prop_map(|one| InstanceKey::Text(one.into())),
    ]
}

/// Returns a strategy for a few names, so that addresses often coincide.
fn name() -> impl Strategy<Value = Str> {
    prop_oneof![
        Just("a"),
        Just("b"),
        Just("a-b"),
        Just("check"),
        Just("module"),
        Just("data"),
        Just("é_1")
    ]
    .prop_map(Str::from)
}

/// Returns a strategy for addresses of module instances that are up to two calls deep.
fn modules() -> impl Strategy<Value = ModuleAddress> {
    proptest::collection::vec((name(), key()), 0..3).prop_map(ModuleAddress::from)
}

/// Returns a strategy for resource targets of three modes, with and without keys.
fn resource() -> impl Strategy<Value = ResourceTarget> {
    let mode = prop_oneof![
        Just(ResourceMode::Managed),
        Just(ResourceMode::Data),
        Just(ResourceMode::Ephemeral)
    ];
    let kind = prop_oneof![Just("a"), Just("aws_vpc"), Just("check")].prop_map(Str::from);
    (mode, kind, name(), key()).prop_map(|(mode, kind, name, key)| ResourceTarget {
        mode,
        kind,
        name,
        key,
    })
}

/// Returns a strategy for address patterns: of modules below the root, and of resources in any module.
fn pattern() -> impl Strategy<Value = AddressPattern> {
    let any = (modules(), proptest::option::of(resource()));
    any.prop_filter_map("the root is no pattern", |(modules, resource)| {
        (resource.is_some() || !modules.is_empty()).then_some(AddressPattern { modules, resource })
    })
}

/// Returns a strategy for addresses of resource instances in any module instance.
fn instance() -> impl Strategy<Value = InstanceAddress> {
    (modules(), resource()).prop_map(|(module, resource)| InstanceAddress::new(module, resource))
}

/// Returns a strategy for undecided addresses: a known module instance, calls below it, and a declaration in the innermost.
fn undecided() -> impl Strategy<Value = UndecidedAddress> {
    let resource = proptest::option::of(resource());
    let calls = proptest::collection::vec((name(), any::<bool>()), 0..3);
    (modules(), calls, name(), resource, any::<bool>()).prop_map(
        |(known, calls, name, resource, is_repeated)| {
            let within = calls.into_iter().fold(UndecidedModule::from(&known), |at, call| {
                let call = at.declared(DeclarationName::Call(call.0), call.1);
                call.called().expect("it is a call")
            });
            let resource = resource.map(|one| DeclarationName::Resource(one.without_keys()));
            within.declared(resource.unwrap_or(DeclarationName::Call(name)), is_repeated)
        },
    )
}

/// Returns [`UndecidedAddress::contains`] as computed from texts: the names are equal, and the keys up to the first `[*]`.
fn may_be(instance: &InstanceAddress, outer: &UndecidedAddress) -> bool {
    let (names, whole) =
        (text::without_keys(&outer.to_string()), text::without_keys(&instance.to_string()));
    let above = outer.module().known();
    let is_below = match outer.name() {
        DeclarationName::Call(_) => whole.starts_with(&format!("{names}.")),
        _ => whole == names,
    };
    is_below && (above.is_empty() || instance.to_string().starts_with(&format!("{above}.")))
}

/// Returns true if the address `inner` lies in the pattern `outer`, as computed from the steps of their texts.
fn lies_in(inner: &str, outer: &str) -> bool {
    let (inner, outer): (Vec<_>, Vec<_>) =
        (text::steps(inner).collect(), text::steps(outer).collect());
    let meets = |((name, key), (own, own_key)): (&(&str, &str), &(&str, &str))| {
        name == own && (key.is_empty() || key == own_key)
    };
    outer.len() <= inner.len() && outer.iter().zip(&inner).all(meets)
}

proptest! {
    /// Tests that addresses of every type are parsed from their text as the same address.
    #[test]
    fn what_is_written_is_read(pattern in pattern(), instance in instance()) {
        let again = AddressPattern::parse(&pattern.to_string(), GRAMMAR);
        prop_assert_eq!(again.as_ref(), Ok(&pattern));
        prop_assert_eq!(InstanceAddress::parse(&instance.to_string(), GRAMMAR), Ok(instance.clone()));
        prop_assert_eq!(ModuleAddress::parse(&instance.module().to_string()), Ok(instance.module().clone()));
        let declared = instance.without_keys();
        prop_assert_eq!(ConfigAddress::parse(&declared.to_string(), GRAMMAR), Ok(declared.clone()));
        prop_assert_eq!(ModulePath::parse(&declared.module().to_string()), Ok(declared.module().clone()));
        prop_assert_eq!(AddressPattern::from(&declared).without_keys(), declared);
    }

    /// Tests that the functions on texts of addresses agree with the methods of the types.
    #[test]
    fn texts_and_types_agree(pattern in pattern(), instance in instance(), other in instance()) {
        let (outer, inner) = (pattern.to_string(), instance.to_string());
        prop_assert_eq!(pattern.contains(&instance), lies_in(&inner, &outer), "{} in {}", inner, outer);
        prop_assert_eq!(text::without_keys(&inner), instance.without_keys().to_string());
        prop_assert_eq!(text::without_keys(&outer), pattern.without_keys().to_string());
        let (module, rest) = text::module_and_rest(&inner);
        prop_assert_eq!(module, instance.module().to_string());
        prop_assert_eq!(rest, instance.target().to_string());
        prop_assert_eq!(text::below(module, rest), inner.clone());
        prop_assert_eq!(text::modules_around(&inner).count(), instance.module().len());
        prop_assert_eq!(text::is_module(&outer), pattern.resource.is_none());
        let (one, two) = (pattern.without_keys(), other.without_keys());
        prop_assert_eq!(one.contains(&two), lies_in(&two.to_string(), &one.to_string()));
        prop_assert_eq!(
            instance.module().contains(other.module()),
            other.module().to_string() == instance.module().to_string()
                || instance.module().is_empty()
                || other.to_string().starts_with(&format!("{}.", instance.module()))
        );
    }

    /// Tests that undecided addresses contain instances with any key at undecided steps, and are equal if displayed alike.
    #[test]
    fn undecided_keys(one in undecided(), other in undecided(), instance in instance()) {
        let told = one.to_string();
        prop_assert_eq!(one == other, told == other.to_string(), "{} and {}", told, other);
        prop_assert_eq!(one.declaration().to_string(), text::without_keys(&told));
        let known = one.module().known();
        let (_, own) = told.split_at(known.to_string().len());
        prop_assert!(text::steps(own.trim_start_matches('.')).all(|(_, key)| key.is_empty() || key == "[*]"));
        prop_assert!(own.contains("[*]"));
        prop_assert_eq!(one.is_outermost(), *one.module().to_string() == known.to_string());
        prop_assert_eq!(one.contains(&instance), may_be(&instance, &one), "{} in {}", instance, told);
        let declared = match one.called() {
            Some(called) => called.declared(DeclarationName::Resource(instance.resource().name().clone()), false),
            None => one.clone(),
        };
        let DeclarationName::Resource(name) = declared.name() else { unreachable!() };
        // Below the known module instance any key is possible.
        let whole = declared.declaration();
        let steps = whole.module().names().iter().cloned().zip(
            known.iter().map(|(_, key)| key.clone()).chain(std::iter::repeat(instance.key().clone())),
        );
        let inner = ResourceAddress::new(steps.collect(), name.clone()).instance(instance.key().clone());
        prop_assert!(one.contains(&inner) && declared.contains(&inner), "{} in {}", inner, told);
    }

    /// Tests that arbitrary texts are parsed or refused without a panic.
    #[test]
    fn any_text_is_read_or_refused(any in r#"[a.\[\]"\\$\{\}*0 é]{0,40}|\PC{0,40}"#) {
        let keys = [KeyForms::Literal, KeyForms::Computed, KeyForms::Wildcard];
        for grammar in keys.map(|keys| GRAMMAR.with_keys(keys)) {
            if let Ok(found) = AddressPattern::parse(&any, grammar) {
                prop_assert_eq!(AddressPattern::parse(&found.to_string(), GRAMMAR), Ok(found));
            }
        }
        let steps: usize = text::steps(&any).map(|(name, key)| name.len() + key.len()).sum();
        prop_assert!(steps <= any.len());
        let (module, rest) = text::module_and_rest(&any);
        prop_assert_eq!(text::below(module, rest), any.clone());
        prop_assert!(text::without_keys(&any).len() <= any.len());
    }
}

/// Tests parsing of very long addresses and of deeply nested brackets.
#[test]
fn long_and_deep_texts() {
    let deep = format!("{}a.b", "module.m[\"k\"].".repeat(20_000));
    let found = AddressPattern::parse(&deep, GRAMMAR);
    assert!(found.is_err() || found.is_ok_and(|one| one.to_string() == deep));
    assert_eq!(text::modules_around(&deep).count(), 20_000);
    assert_eq!(text::module_and_rest(&deep).1, "a.b");
    let nested = format!("a.b{}0{}", "[".repeat(50_000), "]".repeat(50_000));
    assert!(AddressPattern::parse(&nested, GRAMMAR).is_err());
    assert_eq!(text::without_keys(&nested), "a.b");
    let long = InstanceKey::Text("x\"".repeat(100_000).into());
    let own = ResourceTarget {
        mode: ResourceMode::Managed,
        kind: "a".into(),
        name: "b".into(),
        key: long,
    };
    let instance = InstanceAddress::new(ModuleAddress::ROOT, own);
    assert_eq!(InstanceAddress::parse(&instance.to_string(), GRAMMAR), Ok(instance.clone()));
    assert_eq!(text::without_keys(&instance.to_string()), "a.b");
}

/// Tests which forms of keys each grammar accepts.
#[test]
fn keys_by_grammar() {
    let with = |keys, one| AddressPattern::parse(one, GRAMMAR.with_keys(keys));
    for (keys, computed, wildcard) in [
        (KeyForms::Literal, false, false),
        (KeyForms::Computed, true, false),
        (KeyForms::Wildcard, false, true),
    ] {
        assert_eq!(with(keys, "module.a[var.b].c.d[each.key]").is_ok(), computed, "{keys:?}");
        assert_eq!(with(keys, "module.a[*].c.d[*]").is_ok(), wildcard, "{keys:?}");
        assert!(with(keys, "module.a[0].c.d[\"x\"]").is_ok(), "{keys:?}");
    }
    let every = with(KeyForms::Wildcard, "module.a[*].c.d").map(|one| one.to_string());
    assert_eq!(every.as_deref(), Ok("module.a.c.d"));
}

/// Tests that addresses of declarations of every kind are parsed, and other texts refused.
#[test]
fn declarations_of_every_kind() {
    for text in [
        "var.a",
        "local.a",
        "output.a",
        "check.a",
        "module.a",
        "aws_x.a",
        "data.aws_x.a",
        "ephemeral.aws_x.a",
        "source.docker.a",
        "build.a",
        "module.a.module.b",
        "module.a.module.b.data.aws_x.a",
        "module.module.module.check.check.check",
    ] {
        let read = DeclarationAddress::parse(text);
        assert_eq!(read.map(|one| one.to_string()).as_deref(), Some(text));
    }
    for text in ["", "a", ".", "var.", "var.a.b", "module", "module.a.b", "resource.a.b", "data.a"]
    {
        assert_eq!(DeclarationAddress::parse(text), None, "{text}");
    }
    let inner = DeclarationAddress::parse("module.ab.var.c").unwrap();
    let call = |text| DeclarationAddress::parse(text).and_then(|one| one.called_module());
    assert!(call("module.ab").unwrap().contains(inner.module()));
    assert!(!call("module.a").unwrap().contains(inner.module()));
    assert_eq!(DeclarationAddress::of_module(inner.module()).unwrap().to_string(), "module.ab");
    let config = DeclarationAddress::parse("module.a.data.b.c").unwrap().config();
    assert_eq!(config.map(|one| one.to_string()).as_deref(), Some("module.a.data.b.c"));
}

/// Pairs each kind of declaration with a name of it. The match has no arm for all others: a new kind does not compile without a
/// sample.
macro_rules! kinds {
    ($($kind:pat => $sample:expr;)*) => {
        /// Names of declarations, one of each kind whose address can be read.
        fn names_of_all_kinds() -> Vec<DeclarationName> {
            let samples = vec![$($sample),*];
            for name in &samples {
                match name {
                    $($kind => {})*
                    DeclarationName::BuildAt(_) => unreachable!("its address has an index"),
                }
            }
            samples
        }
    };
}

kinds! {
    DeclarationName::Variable(_) => DeclarationName::Variable("a".into());
    DeclarationName::Local(_) => DeclarationName::Local("a".into());
    DeclarationName::Call(_) => DeclarationName::Call("a".into());
    DeclarationName::Output(_) => DeclarationName::Output("a".into());
    DeclarationName::Check(_) => DeclarationName::Check("a".into());
    DeclarationName::Resource(_) => DeclarationName::Resource(ResourceName {
        mode: ResourceMode::Ephemeral, kind: "a".into(), name: "b".into(),
    });
    DeclarationName::Source(..) => DeclarationName::Source("a".into(), "b".into());
    DeclarationName::Build(_) => DeclarationName::Build("a".into());
}

/// Tests that the address of a declaration of each kind leads to the same name.
#[test]
fn addresses_of_all_kinds_are_read() {
    for name in names_of_all_kinds() {
        let module: ModulePath = [Str::from("m")].into_iter().collect();
        let address = DeclarationAddress::new(module, name);
        let read = DeclarationAddress::parse(&address.to_string());
        assert_eq!(read.as_ref(), Some(&address), "{address}");
    }
}

/// Tests that addresses stay small: a single pointer, and a key at most.
#[test]
fn size_of_addresses() {
    assert_eq!(size_of::<DeclarationAddress>(), size_of::<usize>());
    assert_eq!(size_of::<ConfigAddress>(), size_of::<usize>());
    assert_eq!(size_of::<ResourceAddress>(), size_of::<usize>());
    // Instances of a resource share everything but their keys, so an address allocates nothing itself.
    let key = size_of::<groma_address::InstanceKey>();
    assert_eq!(size_of::<InstanceAddress>(), size_of::<usize>() + key);
    assert_eq!(size_of::<ModuleAddress>(), 2 * size_of::<usize>());
}
