//! Decoding of bodies by schema: arguments are converted, blocks counted and grouped, and missing ones null. The result still
//! distinguishes configured from missing parts, so that both the configuration and a planned object can be derived.

mod dynamic;
mod planned;

use std::fmt::Display;
use std::sync::Arc;

use crate::codes;
use groma_config::sentence;
use groma_module::check_body::fit;
use groma_module::declare::{Expression, InnerBlock, InputArgument, SchemaBody};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::schema::{AttributeSchema, BlockSchema, NestedBlock, NestingMode};
use groma_value::sentence::HIDDEN;
use groma_value::{Causes, Mark, Mismatch, Str, Type, Value};

pub use dynamic::{DynamicElements, elements};
pub use planned::{UnknownFilling, unknown_object};

/// The evaluation of a body's expressions, in the scope of the instance that the body belongs to.
pub trait BodyEvaluator {
    /// Evaluates an expression of the body.
    fn value(&self, expression: &Expression, out: &mut Diagnostics) -> Value;
    /// Returns an evaluator in whose scope the iterator of a `dynamic` block has this element's key and value.
    fn inside<'s>(&'s self, iterator: &Str, element: Value) -> Box<dyn BodyEvaluator + 's>;
    /// Charges the budget for creating blocks; returns false if it does not suffice.
    fn charge_blocks(&self, blocks: usize) -> bool;
    /// Returns true if an unknown counts as set: in a validation without inputs, a provider treats a value that may still be
    /// null as set. A value that is unknown only to this evaluation never counts.
    fn counts_as_set(&self, _unknown: &Value) -> bool {
        false
    }
    /// Returns true if unknowns with these causes are unknown to the reference programs, too: they then assume that a block
    /// allowed at most once is made.
    fn is_pending(&self, _causes: &Causes) -> bool {
        false
    }
}

/// The owner of a body, such as a resource: its address, and whether its arguments may be ephemeral, null where required, or
/// computed.
pub struct BodyOwner<'a> {
    /// The address, for messages.
    pub address: &'a dyn Display,
    /// True if the configuration is stored, so that ephemeral values are not allowed.
    pub keeps: bool,
    /// True if null is not accepted for a required argument.
    pub demands: bool,
    /// True if computed attributes inside of blocks may be configured, without effect.
    pub accepts_computed_inside: bool,
}

/// The evaluated arguments and blocks of a body, in the order of its schema.
pub struct DecodedBody {
    block: Arc<BlockSchema>,
    /// The arguments, in schema order; null if not configured.
    arguments: Vec<Value>,
    /// The blocks, in schema order of their types.
    blocks: Vec<BlockGroup>,
}

/// The evaluated blocks of one type in a body: none, an unknown number, or a list.
enum BlockGroup {
    /// No blocks of the type are configured.
    Absent,
    /// The number of blocks is unknown, for these reasons.
    Unknown(Causes),
    /// Blocks with their labels, possibly none from a `dynamic` block.
    Made(Vec<(Str, DecodedBody)>),
}

/// Evaluates the arguments and blocks of a body by its schema. Content without a place in the schema is reported by [`fit`].
pub fn decode(
    content: &SchemaBody,
    block: &Arc<BlockSchema>,
    owner: &BodyOwner<'_>,
    site: &dyn BodyEvaluator,
    out: &mut Diagnostics,
) -> DecodedBody {
    let mut decoder = BodyDecoder { owner, out, depth: 0, held: None };
    decoder.body(content, block, site)
}

/// The state of evaluating a body by its schema: the owner, the nesting depth, and the diagnostics.
struct BodyDecoder<'a> {
    owner: &'a BodyOwner<'a>,
    out: &'a mut Diagnostics,
    /// The number of enclosing blocks.
    depth: usize,
    /// Errors inside of a set of blocks, which are reported only if the whole set is known.
    held: Option<Vec<Diagnostic>>,
}

impl BodyDecoder<'_> {
    /// Evaluates the arguments and blocks of a body, or of a block in it, in the order of the schema `block`.
    fn body(
        &mut self,
        content: &SchemaBody,
        block: &Arc<BlockSchema>,
        site: &dyn BodyEvaluator,
    ) -> DecodedBody {
        let arguments = block.attributes().iter().map(|attribute| {
            if let Some(input) = content.argument(&attribute.name) {
                return self.argument(input, attribute, site);
            }
            match attribute.as_blocks() {
                Some((nesting, object)) if content.blocks_of(&attribute.name).next().is_some() => {
                    let block = Arc::new(BlockSchema::of_object(object));
                    self.as_blocks(content, attribute, nesting, &block, site)
                }
                _ => Value::null(attribute.ty()),
            }
        });
        let arguments = arguments.collect();
        let blocks = block.blocks().iter().map(|nested| self.blocks(content, nested, site));
        let blocks = blocks.collect();
        DecodedBody { block: block.clone(), arguments, blocks }
    }

    /// Evaluates an argument and converts it to the type of its attribute.
    fn argument(
        &mut self,
        input: &InputArgument,
        attribute: &AttributeSchema,
        site: &dyn BodyEvaluator,
    ) -> Value {
        let place = input.value.place();
        let (name, address) = (&*attribute.name, self.owner.address);
        let value = site.value(&input.value, self.out);
        let is_kept = self.owner.keeps && !attribute.write_only;
        if is_kept && value.deep_marks().contains(&Mark::Ephemeral) {
            let detail = format!(
                "\"{name}\" of {address} is stored, and an ephemeral value cannot be. Use ephemeralasnull(…) if it may be null."
            );
            self.out.push(Diagnostic::error(&codes::EPHEMERAL_ARGUMENT, detail).at(place));
            return Value::unknown(attribute.ty());
        }
        let value = match groma_value::convert(&value, &attribute.written_type()) {
            Ok(value) => value,
            Err(why) => {
                let why = hidden_misfit(&value, attribute).unwrap_or(why);
                let detail = format!("\"{name}\" of {address} does not fit: {}.", sentence(&why));
                self.out.push(Diagnostic::error(&codes::ARGUMENT_TYPE, detail).at(place));
                return Value::unknown(attribute.ty());
            }
        };
        if !attribute.is_settable() {
            self.read_only(input, &value, site);
            return match self.accepts_computed() {
                true => value,
                false => Value::null(attribute.ty()),
            };
        }
        if self.owner.demands && attribute.required && value.is_null() {
            let detail = format!(
                "{address} needs the argument \"{name}\", but its value here is null. Give it another value."
            );
            self.out.push(Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(place));
        }
        if attribute.deprecated && !value.is_null() {
            let detail =
                format!("According to the provider, \"{name}\" of {address} is deprecated.");
            self.out.push(Diagnostic::warning(&codes::DEPRECATED_ARGUMENT, detail).at(place));
        }
        value
    }

    /// Returns true if the schema accepts configured values of computed attributes at the current nesting, where they have no
    /// effect.
    fn accepts_computed(&self) -> bool {
        self.owner.accepts_computed_inside && self.depth > 0
    }

    /// Reports a configured value of a computed attribute. Null is accepted; an unknown may turn out to be null, which providers
    /// accept inside of blocks, and not outside.
    fn read_only(&mut self, input: &InputArgument, value: &Value, site: &dyn BodyEvaluator) {
        let is_refused = match value.bare() {
            Value::Null(_) => false,
            Value::Unknown(_) => self.depth == 0 && site.counts_as_set(value),
            _ => true,
        };
        if !is_refused {
            return;
        }
        let (name, address) = (&*input.name, self.owner.address);
        if self.accepts_computed() {
            let detail = format!(
                "\"{name}\" of {address} is computed by the provider, so the value here has no effect, and neither Terraform nor OpenTofu reports it. Remove it."
            );
            let found = Diagnostic::remark(&codes::READ_ONLY_ARGUMENT, detail);
            return self.out.push(found.at(input.value.place()));
        }
        let hint = match value.is_known() {
            true => "",
            false => {
                ", not even to a value that may turn out to be null: only a known null leaves it unset"
            }
        };
        let detail =
            format!("\"{name}\" of {address} is computed by the provider and cannot be set{hint}.");
        let found = Diagnostic::error(&codes::READ_ONLY_ARGUMENT, detail).at(input.value.place());
        match &mut self.held {
            Some(held) => held.push(found),
            None => self.out.push(found),
        }
    }

    /// Evaluates an attribute with nested objects that is written as blocks.
    fn as_blocks(
        &mut self,
        content: &SchemaBody,
        attribute: &AttributeSchema,
        nesting: NestingMode,
        block: &Arc<BlockSchema>,
        site: &dyn BodyEvaluator,
    ) -> Value {
        let mut bodies = Vec::new();
        for nested in content.blocks_of(&attribute.name) {
            let Some(dynamic) = &nested.dynamic else {
                let body = self.body(&nested.content, block, site);
                bodies.push((Str::default(), body.config()));
                continue;
            };
            let made = match elements(dynamic, site, self.out) {
                DynamicElements::Known(made) => made,
                DynamicElements::Unknown(causes) => {
                    // One block represents all: its configured values are unknown.
                    fit(&nested.content, block, self.owner.address, self.out);
                    let body = placeholder(&nested.content, block, &causes);
                    bodies.push((Str::default(), body));
                    continue;
                }
            };
            for (at, element) in made.into_iter().enumerate() {
                if at == 0 {
                    fit(&nested.content, block, self.owner.address, self.out);
                }
                let inner = site.inside(&dynamic.iterator, element);
                let body = self.body(&nested.content, block, &*inner);
                bodies.push((Str::default(), body.config()));
            }
        }
        if bodies.is_empty() {
            return Value::null(attribute.ty());
        }
        nesting.gather(block, bodies)
    }

    /// Evaluates the blocks of one type and reports the errors in them, those in a set of blocks only if all of it is known.
    fn blocks(
        &mut self,
        content: &SchemaBody,
        nested: &NestedBlock,
        site: &dyn BodyEvaluator,
    ) -> BlockGroup {
        let around = self.held.take();
        self.held = match nested.nesting {
            NestingMode::Set => Some(Vec::new()),
            _ => around.is_some().then(Vec::new),
        };
        self.depth += 1;
        let blocks = self.gathered(content, nested, site);
        self.depth -= 1;
        let held = std::mem::replace(&mut self.held, around).unwrap_or_default();
        let is_known = || match &blocks {
            BlockGroup::Made(made) => made.iter().all(|(_, body)| body.config().is_wholly_known()),
            BlockGroup::Absent | BlockGroup::Unknown(_) => false,
        };
        if !held.is_empty() && (nested.nesting != NestingMode::Set || is_known()) {
            match &mut self.held {
                Some(around) => around.extend(held),
                None => self.out.extend(held),
            }
        }
        blocks
    }

    /// Evaluates and collects the blocks of one type in a body, generated ones included; errors in a set of blocks are held back,
    /// to be dropped if a part of the set is unknown.
    fn gathered(
        &mut self,
        content: &SchemaBody,
        nested: &NestedBlock,
        site: &dyn BodyEvaluator,
    ) -> BlockGroup {
        let mut made: Vec<(Str, DecodedBody)> = Vec::new();
        let mut causes: Option<Causes> = None;
        let (mut mentioned, mut counted) = (None, false);
        for written in content.blocks_of(&nested.name) {
            mentioned = Some(written);
            let Some(dynamic) = &written.dynamic else {
                let label = written.labels.first().map(|label| label.text.clone());
                let body = self.body(&written.content, &nested.block, site);
                self.add(&mut made, label.unwrap_or_default(), body, nested, written);
                continue;
            };
            counted = true;
            let elements = match elements(dynamic, site, self.out) {
                DynamicElements::Known(elements) => elements,
                DynamicElements::Unknown(why) if is_single(nested) && site.is_pending(&why) => {
                    let element = Value::unknown_because(Type::Dynamic, why);
                    vec![dynamic::iterator(element.clone(), element)]
                }
                DynamicElements::Unknown(why) => {
                    fit(&written.content, &nested.block, self.owner.address, self.out);
                    causes = Some(causes.unwrap_or_default().union(&why));
                    continue;
                }
            };
            for (at, element) in elements.into_iter().enumerate() {
                if at == 0 {
                    fit(&written.content, &nested.block, self.owner.address, self.out);
                }
                let inner = site.inside(&dynamic.iterator, element);
                let label = match (&dynamic.labels, nested.nesting) {
                    (Some(labels), NestingMode::Map) => match self.label(labels, &*inner) {
                        Ok(label) => label,
                        Err(why) => {
                            causes = Some(causes.unwrap_or_default().union(&why));
                            continue;
                        }
                    },
                    _ => Str::default(),
                };
                let body = self.body(&written.content, &nested.block, &*inner);
                self.add(&mut made, label, body, nested, written);
            }
        }
        if let Some(causes) = causes {
            return BlockGroup::Unknown(causes);
        }
        let Some(last) = mentioned else { return BlockGroup::Absent };
        if nested.block.deprecated && !made.is_empty() {
            let detail = format!(
                "According to the provider, \"{}\" of {} is deprecated.",
                &*nested.name, self.owner.address
            );
            self.out
                .push(Diagnostic::warning(&codes::DEPRECATED_ARGUMENT, detail).at(content.edge));
        }
        if counted
            && let Some(problem) =
                groma_module::check_body::count(nested, made.len() as u64, self.owner.address)
        {
            let is_short = (made.len() as u64) < nested.min;
            let place = if is_short { content.edge } else { last.place };
            self.out.push(Diagnostic::error(&codes::BLOCK_COUNT, problem).at(place));
        }
        BlockGroup::Made(made)
    }

    /// Adds an evaluated block, `written` in code, with its label to `made`, the blocks of its type; if they form a map and have
    /// the label already, it is reported instead.
    fn add(
        &mut self,
        made: &mut Vec<(Str, DecodedBody)>,
        label: Str,
        body: DecodedBody,
        nested: &NestedBlock,
        written: &InnerBlock,
    ) {
        if nested.nesting == NestingMode::Map && made.iter().any(|(known, _)| *known == label) {
            // A computed label may come from a sensitive value.
            let label = match written.dynamic.is_some() {
                true => "the same label".to_owned(),
                false => format!("the label \"{}\"", &*label),
            };
            let detail = format!(
                "{} has two \"{}\" blocks with {}, but labels have to be unique.",
                self.owner.address, &*nested.name, label
            );
            self.out.push(Diagnostic::error(&codes::BLOCK_LABELS, detail).at(written.place));
            return;
        }
        made.push((label, body));
    }

    /// Evaluates the single label of a block generated by a `dynamic` block; the error holds the causes of its unknown parts,
    /// none for an invalid label, which is reported.
    fn label(&mut self, labels: &Expression, site: &dyn BodyEvaluator) -> Result<Str, Causes> {
        let before = self.out.error_count();
        let value = site.value(labels, self.out);
        let (bare, marks) = value.unmark_deep();
        let converted = groma_value::convert(&bare, &Type::list(Type::String));
        let problem = match &converted {
            Ok(Value::List(list)) => match list.items() {
                [Value::String(_)] if marks.hide() => {
                    "a label is shown in every path to its block, so it cannot be sensitive"
                        .to_owned()
                }
                [Value::String(label)] => return Ok(label.clone()),
                [Value::Null(_)] => "a label cannot be null".to_owned(),
                [_] => "a label has to be known while planning".to_owned(),
                items => format!("one label is needed, and there are {}", items.len()),
            },
            Ok(Value::Null(_)) => "a label is needed, and this is null".to_owned(),
            Ok(_) => "labels have to be known while planning".to_owned(),
            Err(_) if marks.hide() => HIDDEN.to_owned(),
            Err(why) => sentence(why),
        };
        // A value that is unknown only here is not an error of the code.
        if self.out.error_count() == before && bare.is_wholly_known() {
            let detail =
                format!("The labels of a dynamic block have to be a list of strings: {problem}.");
            self.out.push(Diagnostic::error(&codes::BLOCK_LABELS, detail).at(labels.place()));
        }
        Err(value.deep_causes())
    }
}

/// Returns true if a body may have at most one block of this type.
fn is_single(nested: &NestedBlock) -> bool {
    matches!(nested.nesting, NestingMode::Single | NestingMode::Group)
}

/// Returns the reason why a value does not fit the type of a sensitive attribute, without showing the value; `None` if it fits or
/// the attribute is not sensitive.
fn hidden_misfit(value: &Value, attribute: &AttributeSchema) -> Option<Mismatch> {
    if !attribute.holds_sensitive() {
        return None;
    }
    groma_value::convert(&value.sensitive(), &attribute.written_type()).err()
}

/// Returns the object that represents an unknown number of blocks of a `dynamic` block: what they configure is unknown in it.
fn placeholder(content: &SchemaBody, block: &BlockSchema, causes: &Causes) -> Value {
    Value::object(block.attributes().iter().map(|attribute| {
        let name = &*attribute.name;
        let is_written =
            content.argument(name).is_some() || content.blocks_of(name).next().is_some();
        let value = match is_written {
            true => Value::unknown_because(attribute.ty(), causes.clone()),
            false => Value::null(attribute.ty()),
        };
        (attribute.name.clone(), value)
    }))
}
