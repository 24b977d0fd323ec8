//! Packs of schemas: they contain what the lists contained, and a damaged one leads to an error and nothing worse.

#![allow(clippy::unwrap_used)]

use groma_config::ResourceMode;
use groma_module::ProviderSchemas;

/// The source of the provider whose schemas the tests use.
const SOURCE: &str = "registry.opentofu.org/example/box";

/// Returns a schema file in JSON of one provider; `kinds` are its resource types, each with a number of attributes.
fn list(source: &str, kinds: &[(&str, usize)]) -> Vec<u8> {
    let schemas: Vec<String> = kinds
        .iter()
        .map(|(kind, attributes)| {
            let attributes: Vec<String> = (0..*attributes)
                .map(|at| format!("\"a{at}\":{{\"type\":\"string\",\"optional\":true,\"description\":\"of {kind}\"}}"))
                .collect();
            format!("\"{kind}\":{{\"version\":1,\"block\":{{\"attributes\":{{{}}}}}}}", attributes.join(","))
        })
        .collect();
    let all = schemas.join(",");
    format!(
        "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"{source}\":{{\"resource_schemas\":{{{all}}},\"data_source_schemas\":{{{all}}}}}}}}}"
    )
    .into_bytes()
}

/// Decodes the content of a schema file, which must be valid.
fn read(bytes: &[u8]) -> ProviderSchemas {
    ProviderSchemas::of(bytes.to_vec()).unwrap()
}

/// Returns the number of attributes of a resource type; `None` if its schema is unknown.
fn attributes(schemas: &ProviderSchemas, source: &str, kind: &str) -> Option<usize> {
    Some(schemas.of_type(source, ResourceMode::Managed, kind)?.block.attributes().len())
}

/// Tests that a pack of several schema files contains the same schemas, and is smaller.
#[test]
fn a_pack_holds_what_the_lists_held() {
    // Some schemas fill more than a piece.
    let kinds = [("box_a", 1), ("box_b", 2_000), ("box_c", 3), ("box_d", 900), ("box_e", 0)];
    let first = read(&list(SOURCE, &kinds));
    let second = read(&list("registry.opentofu.org/example/lamp", &[("lamp_a", 4)]));
    let older = read(&list(SOURCE, &[("box_old", 1)]));
    let packed = ProviderSchemas::pack(&[older, first.clone(), second]).unwrap();
    let pack = read(&packed);
    for (kind, count) in kinds {
        assert_eq!(attributes(&pack, SOURCE, kind), Some(count));
        assert_eq!(
            pack.of_type(SOURCE, ResourceMode::Data, kind).map(|schema| schema.version),
            first.of_type(SOURCE, ResourceMode::Data, kind).map(|schema| schema.version)
        );
    }
    assert_eq!(attributes(&pack, "example/lamp", "lamp_a"), Some(4));
    assert_eq!(attributes(&pack, SOURCE, "box_old"), None);
    assert_eq!(
        pack.kinds(SOURCE, ResourceMode::Managed),
        first.kinds(SOURCE, ResourceMode::Managed)
    );
    // It is the same again, whatever it was made of.
    assert_eq!(ProviderSchemas::pack(&[pack]).unwrap(), packed);
    assert!(packed.len() < list(SOURCE, &kinds).len() / 10);
}

/// Tests that a damaged pack yields an error or the same schemas, and never a panic.
#[test]
fn no_bytes_make_a_reader_do_more_than_say_so() {
    let kinds = [("box_a", 2), ("box_b", 40)];
    let whole = ProviderSchemas::pack(&[read(&list(SOURCE, &kinds))]).unwrap();
    let look = |bytes: Vec<u8>| {
        let schemas = ProviderSchemas::of(bytes)?;
        for (kind, _) in kinds {
            schemas.of_type(SOURCE, ResourceMode::Managed, kind);
            schemas.function(SOURCE, "box", "f");
        }
        Ok::<(), groma_module::SchemaError>(())
    };
    for length in 14..whole.len() {
        assert!(look(whole[..length].to_vec()).is_err(), "cut to {length}");
    }
    let mut longer = whole.clone();
    longer.push(0);
    assert!(look(longer).is_err());
    let told = |bytes: Vec<u8>| {
        let schemas = ProviderSchemas::of(bytes).ok()?;
        let of = |(kind, _)| schemas.of_type(SOURCE, ResourceMode::Managed, kind);
        let all: Option<Vec<_>> = kinds.into_iter().map(of).collect();
        Some((schemas.providers().len(), format!("{:?}", all?)))
    };
    let known = told(whole.clone());
    for at in 14..whole.len() {
        for change in (0..8).map(|bit| 1 << bit).chain([0xff]) {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            // A text is looked at when it is read.
            let now = told(bytes);
            assert!(now.is_none() || now == known, "{change:x} at {at}");
        }
    }
    for length in [u32::MAX, 1 << 30] {
        let mut bytes = whole.clone();
        bytes[18..22].copy_from_slice(&length.to_le_bytes());
        assert!(look(bytes).is_err());
        let mut bytes = whole.clone();
        bytes[22..26].copy_from_slice(&length.to_le_bytes());
        assert!(look(bytes).is_err());
    }
}

/// Tests that a pack in the previous format version is still read.
#[test]
fn packs_of_the_form_before_are_read() {
    let old = include_bytes!("../../../fuzz/seeds/pack/form-2");
    let list = include_bytes!("../../../fuzz/seeds/pack/list");
    let (old, new) = (read(old), read(list));
    assert_eq!(old.providers(), new.providers());
    assert_eq!(&*old.version_of(SOURCE).unwrap().1.version, "1.2.3");
    assert_eq!(attributes(&old, SOURCE, "box_b"), attributes(&new, SOURCE, "box_b"));
}
