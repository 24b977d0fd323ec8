//! Lists of schemas, plain and packed: what can be read is packed and read again as the same, and of bytes that are harmed
//! the same is read or nothing.

use groma_config::ResourceMode;
use groma_module::{ProviderSchemas, SchemaError};

/// The first bytes of a file of packed provider schemas.
const PACK: &[u8] = b"groma schemas\n";
/// Maximum number of resource types of each mode whose schemas are compared, for each provider.
const MOST_KINDS: usize = 64;
/// Every mode of a resource: managed, data, ephemeral, action and list.
const MODES: [ResourceMode; 5] = [
    ResourceMode::Managed,
    ResourceMode::Data,
    ResourceMode::Ephemeral,
    ResourceMode::Action,
    ResourceMode::List,
];

/// Returns the providers, resource schemas and a function of the schemas as lines of text, without unreadable ones.
fn rows(schemas: &ProviderSchemas) -> Vec<String> {
    let mut rows = Vec::new();
    let mut sources: Vec<(&str, usize)> = schemas.providers();
    sources.sort_unstable();
    for (source, count) in sources {
        rows.push(format!("{source} {count} {:?}", schemas.version_of(source)));
        for mode in MODES {
            for kind in schemas.kinds(source, mode).unwrap_or_default().iter().take(MOST_KINDS) {
                if let Some(schema) = schemas.of_type(source, mode, kind) {
                    rows.push(format!("{source} {mode:?} {kind} {schema:?}"));
                }
                if let Some(schema) = schemas.identity(source, kind) {
                    rows.push(format!("{source} identity {kind} {schema:?}"));
                }
            }
        }
        let function = format!("{:?}", schemas.function(source, "box", "f"));
        if function != "Unknown" {
            rows.push(function);
        }
    }
    rows
}

/// Checks that the error for unreadable schemas gives a reason.
fn refused(SchemaError(why): &SchemaError) {
    assert!(why.len() > 10, "{why:?}");
}

/// Checks that packing preserves schemas, and that a flipped bit in a pack never changes what is read from it.
pub(crate) fn pack(bytes: &[u8]) {
    let schemas = match ProviderSchemas::of(bytes.to_vec()) {
        Ok(schemas) => schemas,
        Err(why) => return refused(&why),
    };
    let told = rows(&schemas);
    let packed = match ProviderSchemas::pack(std::slice::from_ref(&schemas)) {
        Ok(packed) => packed,
        Err(why) => return refused(&why),
    };
    assert!(packed.starts_with(PACK));
    let again = ProviderSchemas::of(packed.clone()).expect("what was packed can be read");
    assert_eq!(rows(&again), told, "packed it says something else");
    let both = [schemas, again];
    assert_eq!(ProviderSchemas::pack(&both[1..]).expect("it was packed before"), packed);
    assert_eq!(
        ProviderSchemas::pack(&both).expect("each was packed"),
        packed,
        "twice it is another pack"
    );
    // A bit that falls over is seen wherever it lies. The input says which.
    let sum = bytes.iter().fold(7_usize, |sum, byte| sum.wrapping_mul(31) ^ usize::from(*byte));
    for step in 0..4 {
        let mut harmed = packed.clone();
        let at = sum.wrapping_add(step * 7919) % harmed.len();
        harmed[at] ^= 1 << (sum >> 8 & 7);
        let Ok(schemas) = ProviderSchemas::of(harmed) else { continue };
        let known: std::collections::BTreeSet<&String> = told.iter().collect();
        for row in rows(&schemas) {
            assert!(known.contains(&row), "a bit at {at} makes it say {row}");
        }
    }
}
