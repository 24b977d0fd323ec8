//! What bodies may hold, as rows: the one language for whatever is known here of a block, be it of a file, of a backend, of
//! a provisioner or of a component. A row says in which editions it counts; code does not ask for a dialect's name.
//! What only a provider knows is a schema, and a row becomes one where a body is decoded.

use groma_runtime::{Availability, Edition};
use groma_syntax::{Body, BodyContent, BodyShape, Diagnostics};
use groma_value::schema::{AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestingMode};
use groma_value::{Str, Type};

/// One kind of block.
#[derive(Clone, Copy, Debug)]
pub struct BlockRow {
    /// The word that starts the block; of what a label chooses, the label.
    pub kind: &'static str,
    /// The purpose, in one sentence.
    pub doc: &'static str,
    /// The meaning of each label.
    pub labels: &'static [&'static str],
    /// The arguments it may hold.
    pub arguments: &'static [ArgumentRow],
    /// The blocks it may hold.
    pub blocks: &'static [BlockRow],
    /// The content that is allowed beside the rows.
    pub open: OpenContent,
    /// True if the body around it holds at most one.
    pub is_single: bool,
    /// True if no override file may change it.
    pub is_fixed: bool,
    /// The editions that know it.
    pub editions: Availability,
}

/// One argument of a block.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentRow {
    /// Its name.
    pub name: &'static str,
    /// The form of its value.
    pub takes: ArgumentType,
    /// True if the block is wrong without it.
    pub is_required: bool,
    /// True if it is worked out and cannot be set.
    pub is_computed: bool,
    /// True if it is taken and never kept: it reads back as null.
    pub is_write_only: bool,
    /// True if it is not to be shown.
    pub is_sensitive: bool,
    /// The editions that know it.
    pub editions: Availability,
}

/// The form of an argument's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentType {
    /// Any value, or an expression that its block reads in a way of its own.
    Any,
    /// Text.
    Text,
    /// A text such as `1m30s`.
    Duration,
    /// True or false.
    Truth,
    /// A number.
    Number,
    /// A list of texts.
    Texts,
    /// A list of numbers.
    Numbers,
    /// A map of texts.
    Map,
    /// An object, of which more names than are known are no error.
    Object,
}

/// The content that a block may hold beside its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenContent {
    /// Nothing.
    Closed,
    /// Any argument.
    Arguments,
    /// Any argument and any block: another layer knows what they mean.
    Body,
}

/// A block of every edition that holds nothing.
pub const fn block(kind: &'static str, doc: &'static str) -> BlockRow {
    BlockRow {
        kind,
        doc,
        labels: &[],
        arguments: &[],
        blocks: &[],
        open: OpenContent::Closed,
        is_single: false,
        is_fixed: false,
        editions: Availability::ALL,
    }
}

/// An argument that may be left out, in every edition, and takes anything.
pub const fn optional(name: &'static str) -> ArgumentRow {
    ArgumentRow {
        name,
        takes: ArgumentType::Any,
        is_required: false,
        is_computed: false,
        is_write_only: false,
        is_sensitive: false,
        editions: Availability::ALL,
    }
}

/// An argument without which the block is wrong, in every edition, and which takes anything.
pub const fn required(name: &'static str) -> ArgumentRow {
    optional(name).required()
}

/// An optional argument that takes text.
pub const fn text(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Text)
}

/// An optional argument that takes a duration.
pub const fn duration(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Duration)
}

/// An optional argument that takes true or false.
pub const fn truth(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Truth)
}

/// An optional argument that takes a number.
pub const fn number(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Number)
}

/// An optional argument that takes a list of texts.
pub const fn texts(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Texts)
}

/// An optional argument that takes a list of numbers.
pub const fn numbers(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Numbers)
}

/// An optional argument that takes a map of texts.
pub const fn map(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Map)
}

/// An optional argument that takes an object.
pub const fn object(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Object)
}

impl BlockRow {
    /// The same with labels.
    pub const fn labels(self, labels: &'static [&'static str]) -> BlockRow {
        BlockRow { labels, ..self }
    }

    /// The same with arguments.
    pub const fn arguments(self, arguments: &'static [ArgumentRow]) -> BlockRow {
        BlockRow { arguments, ..self }
    }

    /// The same with blocks inside.
    pub const fn blocks(self, blocks: &'static [BlockRow]) -> BlockRow {
        BlockRow { blocks, ..self }
    }

    /// The same, which may hold more than its rows.
    pub const fn open(self, open: OpenContent) -> BlockRow {
        BlockRow { open, ..self }
    }

    /// The same, at most once in the body around it.
    pub const fn single(self) -> BlockRow {
        BlockRow { is_single: true, ..self }
    }

    /// The same, which no override file may change.
    pub const fn fixed(self) -> BlockRow {
        BlockRow { is_fixed: true, ..self }
    }

    /// The same in these editions only.
    pub const fn only(self, editions: Availability) -> BlockRow {
        BlockRow { editions, ..self }
    }

    /// The argument of that name, if the edition knows it.
    pub fn argument(&self, name: &str, edition: Edition) -> Option<&'static ArgumentRow> {
        self.arguments.iter().find(|row| row.name == name && row.editions.includes(edition))
    }

    /// Its arguments as the schema of a body without blocks, in all editions together.
    pub fn schema(&self) -> BlockSchema {
        BlockSchema::new(attributes(self.arguments), Vec::new())
    }

    /// Its arguments, in all editions together, and the blocks that `has` says are there, as the schema of a body.
    pub fn schema_with(&self, has: &dyn Fn(&BlockRow) -> bool) -> BlockSchema {
        let blocks = self.blocks.iter().filter(|row| has(row)).map(|row| NestedBlock {
            name: Str::from(row.kind),
            nesting: if row.is_single { NestingMode::Single } else { NestingMode::List },
            min: 0,
            max: u64::from(row.is_single),
            block: row.schema_with(has).into(),
        });
        BlockSchema::new(attributes(self.arguments), blocks.collect())
    }
}

impl ArgumentRow {
    /// The same, which takes values of this kind.
    const fn of(self, takes: ArgumentType) -> ArgumentRow {
        ArgumentRow { takes, ..self }
    }

    /// The same, without which its block is wrong.
    pub const fn required(self) -> ArgumentRow {
        ArgumentRow { is_required: true, ..self }
    }

    /// The same, which is worked out and cannot be set.
    pub const fn computed(self) -> ArgumentRow {
        ArgumentRow { is_computed: true, ..self }
    }

    /// The same, which is taken and never kept.
    pub const fn write_only(self) -> ArgumentRow {
        ArgumentRow { is_write_only: true, ..self }
    }

    /// The same, which is not to be shown.
    pub const fn sensitive(self) -> ArgumentRow {
        ArgumentRow { is_sensitive: true, ..self }
    }

    /// The same in these editions only.
    pub const fn only(self, editions: Availability) -> ArgumentRow {
        ArgumentRow { editions, ..self }
    }
}

impl ArgumentType {
    /// The type that values are converted to.
    pub fn ty(self) -> Type {
        match self {
            ArgumentType::Any | ArgumentType::Object => Type::Dynamic,
            ArgumentType::Text | ArgumentType::Duration => Type::String,
            ArgumentType::Truth => Type::Bool,
            ArgumentType::Number => Type::Number,
            ArgumentType::Texts => Type::list(Type::String),
            ArgumentType::Numbers => Type::list(Type::Number),
            ArgumentType::Map => Type::map(Type::String),
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            ArgumentType::Any => "anything",
            ArgumentType::Text => "text",
            ArgumentType::Duration => "a duration",
            ArgumentType::Truth => "true or false",
            ArgumentType::Number => "a number",
            ArgumentType::Texts => "a list of strings",
            ArgumentType::Numbers => "a list of numbers",
            ArgumentType::Map => "a map of strings",
            ArgumentType::Object => "an object",
        }
    }
}

/// Arguments as the attributes of a schema, in all editions together.
pub fn attributes(rows: &[ArgumentRow]) -> Vec<AttributeSchema> {
    let attribute = |row: &ArgumentRow| AttributeSchema {
        name: Str::from(row.name),
        shape: AttributeShape::Type(row.takes.ty()),
        required: row.is_required,
        optional: !row.is_required && !row.is_computed,
        computed: row.is_computed,
        sensitive: row.is_sensitive,
        write_only: row.is_write_only,
        deprecated: false,
    };
    rows.iter().map(attribute).collect()
}

/// Returns what a body holds, sorted by rows of every edition.
pub fn content(
    body: &Body,
    arguments: &[ArgumentRow],
    blocks: &[BlockRow],
    out: &mut Diagnostics,
) -> BodyContent {
    let shape = BodyShape {
        is_argument: &|name| arguments.iter().any(|row| row.name == name),
        labels: &|kind| blocks.iter().find(|row| row.kind == kind).map(|row| row.labels),
    };
    body.content(shape, out)
}

/// `an import`, `a resource`: a kind of block with its article.
pub fn a(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// `An import`, `A resource`: the same where a sentence starts.
pub fn capital_a(kind: &str) -> String {
    let named = a(kind);
    format!("A{}", &named[1..])
}
