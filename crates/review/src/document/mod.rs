//! Plan documents as `show -json` of any program prints them. Values are read with marks for their unknown and sensitive parts;
//! properties that are not known are ignored.

mod compare;
mod item;
mod value;

pub use compare::ComparedDocuments;

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_plan::Action;
use groma_runtime::Dialect;
use groma_value::json::{JsonCursor, JsonError};
use groma_value::schema::BlockSchema;
use groma_value::{Str, Value};

use crate::model::{ActionItem, OutputItem, ResourceItem, Review, ReviewRemark};
use item::{ChangeReader, property, text_of};

/// A callback that returns the schema of a resource type, given the provider's address, the mode and the type; `None` if it is
/// unknown.
pub type SchemaLookup<'s> = &'s dyn Fn(&str, ResourceMode, &str) -> Option<Arc<BlockSchema>>;

/// A plan as read from the JSON document that `show -json` of any program prints.
#[derive(Clone, Default, Debug)]
pub struct PlanDocument {
    /// The version of the program that made the plan, if present.
    pub version: Option<Str>,
    /// The program, if the document identifies it.
    pub dialect: Option<Dialect>,
    /// The changes of instances in document order, including unchanged ones.
    pub items: Vec<ResourceItem>,
    /// Changes that occurred outside of the plan since the objects were recorded.
    pub drift: Vec<ResourceItem>,
    /// Deferred changes, each with its reason.
    pub deferred: Vec<(Str, ResourceItem)>,
    /// The changes of outputs.
    pub outputs: Vec<OutputItem>,
    /// The actions that would run.
    pub invoked: Vec<ActionItem>,
    /// True if the plan covers everything. Old programs do not write this property and always cover everything.
    pub is_complete: bool,
    /// True if the plan is partial because of errors.
    pub is_errored: bool,
}

impl PlanDocument {
    /// Reads a plan document, in which values get the types of the resource schemas that `shape` returns, or without a schema
    /// those of JSON.
    ///
    /// # Errors
    /// A sentence on the part that does not have the form of a plan, without any value.
    pub fn read(text: &str, shape: SchemaLookup<'_>) -> Result<PlanDocument, String> {
        let mut document = PlanDocument { is_complete: true, ..PlanDocument::default() };
        let mut reader = ChangeReader::new(shape);
        let mut cursor = JsonCursor::new(text);
        let read = cursor.object(&mut |name, cursor| document.take(name, cursor, &mut reader));
        read.and_then(|()| cursor.end()).map_err(|why| {
            let line = text.get(..why.offset).unwrap_or(text).matches('\n').count() + 1;
            format!("It is not a valid plan: line {line}: {}.", why.message)
        })?;
        if let Some(source) = reader.sources.iter().find_map(|one| of_registry(one)) {
            document.dialect = Some(source);
        }
        document.outputs.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(document)
    }

    /// Reads one top-level property of a plan document.
    fn take(
        &mut self,
        name: &str,
        cursor: &mut JsonCursor<'_>,
        reader: &mut ChangeReader<'_>,
    ) -> Result<(), JsonError> {
        match name {
            "terraform_version" => self.version = Some(Str::from(cursor.text()?.as_str())),
            "resource_changes" => visit_items(cursor, &mut |one| {
                self.items.push(reader.item(one)?);
                Ok(())
            })?,
            "resource_drift" => visit_items(cursor, &mut |one| {
                self.drift.push(reader.item(one)?);
                Ok(())
            })?,
            "deferred_changes" => visit_items(cursor, &mut |one| {
                let change =
                    property(one, "resource_change").ok_or("a resource_change is missing")?;
                let reason = text_of(one, "reason").unwrap_or_default();
                self.deferred.push((reason, reader.item(change)?));
                Ok(())
            })?,
            "action_invocations" => visit_items(cursor, &mut |one| {
                self.invoked.push(reader.invoked(one)?);
                Ok(())
            })?,
            "output_changes" if !cursor.null() => cursor.object(&mut |name, cursor| {
                let change = cursor.value()?;
                match item::output(name, &change) {
                    Ok(output) => self.outputs.push(output),
                    Err(why) => return cursor.fail(why),
                }
                Ok(())
            })?,
            "output_changes" => {}
            "complete" => self.is_complete = !matches!(cursor.value()?, Value::Bool(false)),
            "errored" => self.is_errored = matches!(cursor.value()?, Value::Bool(true)),
            // Only one of the programs writes it.
            "applyable" => {
                cursor.skip()?;
                self.dialect = Some(Dialect::Terraform);
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    }

    /// Converts the document to a review; `otherwise` is the dialect if the document does not identify one.
    pub fn into_review(self, otherwise: Dialect) -> Review {
        let told = |(reason, item): &(Str, ResourceItem)| ReviewRemark {
            address: item.address.clone(),
            text: format!("is deferred: {}", item::deferral(reason)),
        };
        let remarks = self.deferred.iter().map(told).collect();
        let has_moved = |one: &ResourceItem| one.action == Action::NoOp && one.previous.is_some();
        // If nothing is planned except changes outside of the plan, only the drift shows them.
        let mut items = self.items;
        let (moved, drift): (Vec<_>, Vec<_>) = self.drift.into_iter().partition(has_moved);
        let is_shown = |one: &ResourceItem| items.iter().any(|item| item.address == one.address);
        let more: Vec<ResourceItem> = moved.into_iter().filter(|one| !is_shown(one)).collect();
        items.extend(more);
        Review {
            program: Some(self.dialect.unwrap_or(otherwise)),
            items,
            drift,
            outputs: self.outputs,
            invoked: self.invoked,
            is_incomplete: !self.is_complete && self.deferred.is_empty(),
            is_partial: self.is_errored,
            remarks,
            ..Review::default()
        }
    }
}

/// Returns the dialect whose default registry a provider's address names; `None` for another registry.
fn of_registry(source: &str) -> Option<Dialect> {
    let host = source.split('/').next()?;
    Dialect::OF_MODULES.into_iter().find(|dialect| dialect.registry() == host)
}

/// Calls `visit` with every item of a JSON array; null counts as an empty one.
fn visit_items(
    cursor: &mut JsonCursor<'_>,
    visit: &mut dyn FnMut(&Value) -> Result<(), String>,
) -> Result<(), JsonError> {
    if cursor.null() {
        return Ok(());
    }
    cursor.array(&mut |cursor| {
        let one = cursor.value()?;
        visit(&one).or_else(|why| cursor.fail(why))
    })
}
