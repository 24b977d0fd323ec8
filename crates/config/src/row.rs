//! Rows: the description of the contents of blocks, whether of files, backends, provisioners or components. A row declares the
//! editions in which it applies, so that no code compares dialects. Contents that only a provider knows are schemas; a row is
//! converted to one when a body is decoded.

use groma_runtime::{Availability, Edition};
use groma_syntax::{Body, BodyContent, BodyShape, Diagnostics};
use groma_value::schema::{AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestingMode};
use groma_value::{Str, Type};

/// A row that describes one block type: its labels, arguments, nested blocks and editions.
#[derive(Clone, Copy, Debug)]
pub struct BlockRow {
    /// The type of the block; for a row that a label selects, the label.
    pub kind: &'static str,
    /// The purpose, in one sentence.
    pub doc: &'static str,
    /// The names of the labels.
    pub labels: &'static [&'static str],
    /// The arguments that it may contain.
    pub arguments: &'static [ArgumentRow],
    /// The nested blocks that it may contain.
    pub blocks: &'static [BlockRow],
    /// The content that is allowed in addition to the rows.
    pub open: OpenContent,
    /// True if the enclosing body may contain at most one.
    pub is_single: bool,
    /// True if override files may not change it.
    pub is_fixed: bool,
    /// The editions that support it.
    pub editions: Availability,
}

/// A row that describes one argument of a block: its name, type and editions.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentRow {
    /// Its name.
    pub name: &'static str,
    /// The form of its value.
    pub takes: ArgumentType,
    /// True if the block is incomplete without it.
    pub is_required: bool,
    /// True if it is computed and cannot be set.
    pub is_computed: bool,
    /// True if it is write-only: it reads back as null.
    pub is_write_only: bool,
    /// True if it is sensitive.
    pub is_sensitive: bool,
    /// The editions that support it.
    pub editions: Availability,
}

/// The type that the value of an argument must have, as a row declares it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentType {
    /// Any value, or an expression that the block reads itself.
    Any,
    /// A string.
    Text,
    /// A duration such as `1m30s`.
    Duration,
    /// A boolean.
    Truth,
    /// A number.
    Number,
    /// A list of strings.
    Texts,
    /// A list of numbers.
    Numbers,
    /// A map of strings.
    Map,
    /// An object, which may have attributes that are not known.
    Object,
}

/// The content that a block may have besides the arguments and blocks of its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenContent {
    /// Nothing.
    Closed,
    /// Any argument.
    Arguments,
    /// Any argument and any block, which another layer checks.
    Body,
}

/// Builds the row of a block type that every edition has, without labels and content; `doc` is its purpose.
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

/// Builds the row of an optional argument of any type, in every edition.
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

/// Builds the row of a required argument of any type, in every edition.
pub const fn required(name: &'static str) -> ArgumentRow {
    optional(name).required()
}

/// Builds the row of an optional string argument.
pub const fn text(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Text)
}

/// Builds the row of an optional duration argument.
pub const fn duration(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Duration)
}

/// Builds the row of an optional boolean argument.
pub const fn truth(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Truth)
}

/// Builds the row of an optional number argument.
pub const fn number(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Number)
}

/// Builds the row of an optional argument that is a list of strings.
pub const fn texts(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Texts)
}

/// Builds the row of an optional argument that is a list of numbers.
pub const fn numbers(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Numbers)
}

/// Builds the row of an optional argument that is a map of strings.
pub const fn map(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Map)
}

/// Builds the row of an optional object argument.
pub const fn object(name: &'static str) -> ArgumentRow {
    optional(name).of(ArgumentType::Object)
}

impl BlockRow {
    /// Sets the names of the block's labels.
    pub const fn labels(self, labels: &'static [&'static str]) -> BlockRow {
        BlockRow { labels, ..self }
    }

    /// Sets the rows of the block's arguments.
    pub const fn arguments(self, arguments: &'static [ArgumentRow]) -> BlockRow {
        BlockRow { arguments, ..self }
    }

    /// Sets the rows of the block's nested blocks.
    pub const fn blocks(self, blocks: &'static [BlockRow]) -> BlockRow {
        BlockRow { blocks, ..self }
    }

    /// Sets the content that the block may have beyond its rows.
    pub const fn open(self, open: OpenContent) -> BlockRow {
        BlockRow { open, ..self }
    }

    /// Makes the block one that its enclosing body may contain only once.
    pub const fn single(self) -> BlockRow {
        BlockRow { is_single: true, ..self }
    }

    /// Makes the block one that override files may not change.
    pub const fn fixed(self) -> BlockRow {
        BlockRow { is_fixed: true, ..self }
    }

    /// Restricts the block to the given editions.
    pub const fn only(self, editions: Availability) -> BlockRow {
        BlockRow { editions, ..self }
    }

    /// Returns the row of the argument named `name`, if the edition supports it.
    pub fn argument(&self, name: &str, edition: Edition) -> Option<&'static ArgumentRow> {
        self.arguments.iter().find(|row| row.name == name && row.editions.includes(edition))
    }

    /// Returns the schema of the block's arguments in all editions, without nested blocks.
    pub fn schema(&self) -> BlockSchema {
        BlockSchema::new(attributes(self.arguments), Vec::new())
    }

    /// Returns the schema of the block's arguments in all editions, and of the nested blocks selected by `has`.
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
    /// Sets the type that values of the argument are converted to.
    const fn of(self, takes: ArgumentType) -> ArgumentRow {
        ArgumentRow { takes, ..self }
    }

    /// Makes the argument required.
    pub const fn required(self) -> ArgumentRow {
        ArgumentRow { is_required: true, ..self }
    }

    /// Makes the argument computed, so that it cannot be set.
    pub const fn computed(self) -> ArgumentRow {
        ArgumentRow { is_computed: true, ..self }
    }

    /// Makes the argument write-only, so that its value is not stored.
    pub const fn write_only(self) -> ArgumentRow {
        ArgumentRow { is_write_only: true, ..self }
    }

    /// Makes the values of the argument sensitive.
    pub const fn sensitive(self) -> ArgumentRow {
        ArgumentRow { is_sensitive: true, ..self }
    }

    /// Restricts the argument to the given editions.
    pub const fn only(self, editions: Availability) -> ArgumentRow {
        ArgumentRow { editions, ..self }
    }
}

impl ArgumentType {
    /// Returns the type of the language to which values of the argument are converted.
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

    /// Returns the phrase for the type in messages, such as `a number`.
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

/// Converts the rows of arguments to attributes of a schema, those of all editions.
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

/// Sorts the items of a body into arguments and blocks by the rows of all editions.
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

/// Returns a block type with its indefinite article: `an import`, `a resource`.
pub fn a(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// Returns a block type with its capitalized indefinite article: `An import`, `A resource`.
pub fn capital_a(kind: &str) -> String {
    let named = a(kind);
    format!("A{}", &named[1..])
}
