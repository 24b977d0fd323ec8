//! The shapes of what every program has built in, for which no schema is needed.

use std::sync::{Arc, LazyLock};

use groma_value::schema::{AttributeSchema, AttributeShape, BlockSchema};
use groma_value::{Str, Type};

/// The attributes of `terraform_data`.
pub fn data_block() -> Arc<BlockSchema> {
    static DATA_BLOCK: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| {
        shape(&["input", "output", "triggers_replace"], &["id"], &["id", "output"])
    });
    DATA_BLOCK.clone()
}

/// The attributes of `terraform_remote_state`.
pub(crate) fn remote_state_block() -> Arc<BlockSchema> {
    static REMOTE_STATE_BLOCK: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| {
        shape(&["config", "defaults", "outputs"], &["backend", "workspace"], &["outputs"])
    });
    REMOTE_STATE_BLOCK.clone()
}

/// A body of attributes that may be of any type, and of those that are text; some are worked out.
fn shape(open: &[&str], texts: &[&str], worked_out: &[&str]) -> Arc<BlockSchema> {
    let of = |name: &&str, ty: Type| AttributeSchema {
        name: Str::from(*name),
        shape: AttributeShape::Type(ty),
        required: false,
        optional: !worked_out.contains(name),
        computed: worked_out.contains(name),
        sensitive: false,
        write_only: false,
        deprecated: false,
    };
    let open = open.iter().map(|name| of(name, Type::Dynamic));
    let all = open.chain(texts.iter().map(|name| of(name, Type::String))).collect();
    Arc::new(BlockSchema::new(all, Vec::new()))
}
