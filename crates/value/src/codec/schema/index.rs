//! The index of the schemas in a JSON text as `providers schema -json` prints it: their byte ranges, by provider, kind and name.

use std::collections::HashMap;
use std::ops::Range;

use super::object;
use crate::Str;
use crate::codec::json::{JsonError, JsonReader};

/// The byte ranges of all schemas in a JSON text as `providers schema -json` prints it, by provider.
#[derive(Clone, Default, Debug)]
pub struct SchemaIndex {
    providers: Vec<ProviderIndex>,
}

/// The byte ranges of one provider's schemas in a JSON text, by kind and name.
#[derive(Clone, Default, Debug)]
pub struct ProviderIndex {
    /// The provider's source address, such as `registry.terraform.io/hashicorp/aws`.
    pub address: Str,
    config: Option<Range<usize>>,
    resources: Vec<(Str, Range<usize>)>,
    data: Vec<(Str, Range<usize>)>,
    ephemeral: Vec<(Str, Range<usize>)>,
    actions: Vec<(Str, Range<usize>)>,
    lists: Vec<(Str, Range<usize>)>,
    identities: Vec<(Str, Range<usize>)>,
    functions: Vec<(Str, Range<usize>)>,
}

/// The kind of object that a schema describes: a managed resource, a data source, an action and others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SchemaSubject {
    /// A managed resource.
    Resource,
    /// A data source.
    Data,
    /// An ephemeral resource.
    Ephemeral,
    /// The configuration of an action.
    Action,
    /// The configuration of a `list` block of resources.
    List,
    /// The identity of a managed resource.
    Identity,
}

impl SchemaIndex {
    /// Builds the index of the schemas in a JSON text as `providers schema -json` prints it.
    pub fn of(text: &str) -> Result<SchemaIndex, JsonError> {
        let mut index = SchemaIndex::default();
        let mut reader = JsonReader::new(text);
        let mut is_schema = false;
        let mut known: HashMap<Str, usize> = HashMap::new();
        object(&mut reader, &mut |key, reader| {
            match key {
                "format_version" => is_schema = true,
                "provider_schemas" => {
                    return object(reader, &mut |address, reader| {
                        let mut provider =
                            ProviderIndex { address: address.into(), ..ProviderIndex::default() };
                        provider.locate(reader)?;
                        match known.get(&provider.address) {
                            Some(at) => index.providers[*at] = provider,
                            None => {
                                known.insert(provider.address.clone(), index.providers.len());
                                index.providers.push(provider);
                            }
                        }
                        Ok(())
                    });
                }
                _ => {}
            }
            reader.skip().map(drop)
        })?;
        reader.end()?;
        match is_schema {
            true => Ok(index),
            false => Err(JsonError {
                offset: 0,
                message: "there is no format_version, so this is no list of schemas".to_owned(),
            }),
        }
    }

    /// Creates the index of all schemas from those of the providers.
    pub fn of_providers(providers: Vec<ProviderIndex>) -> SchemaIndex {
        SchemaIndex { providers }
    }

    /// Returns the indices of all providers, in the order of the text.
    pub fn providers(&self) -> &[ProviderIndex] {
        &self.providers
    }
}

impl ProviderIndex {
    /// The number of sections of a provider: one for each [`SchemaSubject`], and one of functions.
    pub const SECTIONS: usize = 7;

    /// Creates the index of the provider `address` from the byte ranges of its schemas: that of its configuration, and named ones
    /// by kind in the order of [`ProviderIndex::sections`].
    pub fn of_sections(
        address: Str,
        config: Option<Range<usize>>,
        mut sections: [Vec<(Str, Range<usize>)>; ProviderIndex::SECTIONS],
    ) -> ProviderIndex {
        sections.iter_mut().for_each(sort);
        let [resources, data, ephemeral, actions, lists, identities, functions] = sections;
        ProviderIndex {
            address,
            config,
            resources,
            data,
            ephemeral,
            actions,
            lists,
            identities,
            functions,
        }
    }

    /// Returns the names and byte ranges of the provider's schemas, one slice for each kind, the functions last.
    pub fn sections(&self) -> [&[(Str, Range<usize>)]; ProviderIndex::SECTIONS] {
        [
            &self.resources,
            &self.data,
            &self.ephemeral,
            &self.actions,
            &self.lists,
            &self.identities,
            &self.functions,
        ]
    }

    /// Fills the index with the byte ranges of the schemas in the provider's JSON object, which comes next.
    fn locate(&mut self, reader: &mut JsonReader<'_>) -> Result<(), JsonError> {
        object(reader, &mut |key, reader| {
            let list = match key {
                "provider" => {
                    self.config = Some(reader.skip()?);
                    return Ok(());
                }
                "resource_schemas" => &mut self.resources,
                "data_source_schemas" => &mut self.data,
                "ephemeral_resource_schemas" => &mut self.ephemeral,
                "action_schemas" => &mut self.actions,
                "list_resource_schemas" => &mut self.lists,
                "resource_identity_schemas" => &mut self.identities,
                "functions" => &mut self.functions,
                _ => return reader.skip().map(drop),
            };
            object(reader, &mut |kind, reader| {
                list.push((kind.into(), reader.skip()?));
                Ok(())
            })?;
            sort(list);
            Ok(())
        })
    }

    /// Returns the names and byte ranges of the schemas of one kind of object, such as managed resources, sorted by name.
    fn list(&self, of: SchemaSubject) -> &[(Str, Range<usize>)] {
        match of {
            SchemaSubject::Resource => &self.resources,
            SchemaSubject::Data => &self.data,
            SchemaSubject::Ephemeral => &self.ephemeral,
            SchemaSubject::Action => &self.actions,
            SchemaSubject::List => &self.lists,
            SchemaSubject::Identity => &self.identities,
        }
    }

    /// Returns the byte range, in the JSON text that was indexed, of the schema of the type `kind`, such as `aws_vpc`;
    /// `None` if the provider does not have it.
    pub fn find(&self, of: SchemaSubject, kind: &str) -> Option<Range<usize>> {
        let list = self.list(of);
        let at = list.binary_search_by(|(known, _)| (**known).cmp(kind)).ok()?;
        Some(list[at].1.clone())
    }

    /// Returns the byte range, in the JSON text that was indexed, of the schema of the provider's own configuration; `None`
    /// if it has none.
    pub fn config(&self) -> Option<Range<usize>> {
        self.config.clone()
    }

    /// Returns the byte range, in the JSON text that was indexed, of the signature of the function `name`; `None` if the
    /// provider does not have it.
    pub fn function(&self, name: &str) -> Option<Range<usize>> {
        let at = self.functions.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        Some(self.functions[at].1.clone())
    }

    /// Returns the names of the provider's functions, sorted.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|(name, _)| &**name)
    }

    /// Returns the names of the provider's types of one kind, such as resource types, sorted.
    pub fn kinds(&self, of: SchemaSubject) -> impl Iterator<Item = &str> {
        self.list(of).iter().map(|(kind, _)| &**kind)
    }
}

/// Sorts pairs of a name and a byte range by name; of equal names the last is kept.
fn sort(list: &mut Vec<(Str, Range<usize>)>) {
    list.reverse();
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list.dedup_by(|later, earlier| later.0 == earlier.0);
}

#[cfg(test)]
mod tests {
    use super::{SchemaIndex, SchemaSubject};
    use crate::codec::schema::read;

    /// Tests that the last of repeated providers, sections and schemas counts.
    #[test]
    fn last_of_repeated_names_counts() {
        let text = r#"{"format_version": "1.0", "provider_schemas": {
            "x/a": {"resource_schemas": {"a": {"version": 1}, "b": {"version": 2}}},
            "x/b": {},
            "x/a": {"resource_schemas": {"a": {"version": 3}, "c": {}, "a": {"version": 4}},
                    "resource_schemas": {"d": {}}}}}"#;
        let index = SchemaIndex::of(text).unwrap();
        let addresses: Vec<&str> = index.providers().iter().map(|one| &*one.address).collect();
        assert_eq!(addresses, ["x/a", "x/b"]);
        let first = &index.providers()[0];
        assert_eq!(first.kinds(SchemaSubject::Resource).collect::<Vec<_>>(), ["a", "c", "d"]);
        let range = first.find(SchemaSubject::Resource, "a").unwrap();
        assert_eq!(read(&text[range]).unwrap().version, 4);
    }
}
