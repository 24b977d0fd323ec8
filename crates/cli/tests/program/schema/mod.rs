//! A validator of JSON Schema, as far as the documents of the command need it.

use std::fs;

use serde_json::Value;

/// A JSON Schema, checked as far as the documents of the command need; an unsupported keyword fails the test.
pub(crate) struct Schema {
    pub(crate) whole: Value,
}

impl Schema {
    /// Reads a schema of `docs/reference` by its name.
    pub(crate) fn read(name: &str) -> Schema {
        let path = testkit::workspace().join(format!("docs/reference/{name}.schema.json"));
        Schema { whole: serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() }
    }

    /// Checks that a value conforms to a part of the schema; the error is the reason.
    pub(crate) fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = schema.as_object().unwrap();
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.check(self.whole.pointer(name.strip_prefix('#').unwrap()).unwrap(), value);
        }
        // Constants are checked first, because they tell the alternatives of `oneOf` apart.
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            for (name, one) in properties {
                let Some(wanted) = one.get("const") else { continue };
                let got = value.get(name);
                if got != Some(wanted) {
                    return Err(format!("{name} is {got:?} and not {wanted}"));
                }
            }
        }
        for (word, says) in schema {
            self.judge(schema, word, says, value)?;
        }
        Ok(())
    }

    /// Checks a value against one keyword of a schema; the error is the reason.
    fn judge(
        &self,
        schema: &serde_json::Map<String, Value>,
        word: &str,
        says: &Value,
        value: &Value,
    ) -> Result<(), String> {
        let fails = |why: String| Err(format!("{why}: {value}"));
        let count = |value: &Value| value.as_array().map_or(0, Vec::len) as u64;
        match word {
            "$schema" | "$defs" | "title" | "description" => Ok(()),
            "type" => {
                let fits = match says.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64(),
                    other => panic!("the type {other}"),
                };
                if fits { Ok(()) } else { fails(format!("no {says}")) }
            }
            "const" if value != says => fails(format!("not {says}")),
            "enum" if !says.as_array().unwrap().contains(value) => fails(format!("none of {says}")),
            "minItems" if count(value) < says.as_u64().unwrap() => fails("too few".to_owned()),
            "maxItems" if count(value) > says.as_u64().unwrap() => fails("too many".to_owned()),
            "const" | "enum" | "minItems" | "maxItems" | "minimum" => Ok(()),
            "required" => {
                let names = says.as_array().unwrap().iter().filter_map(Value::as_str);
                match names.filter(|name| value.get(name).is_none()).collect::<Vec<_>>() {
                    missing if missing.is_empty() => Ok(()),
                    missing => fails(format!("without {missing:?}")),
                }
            }
            "properties" => {
                let all = says.as_object().unwrap().iter();
                let mut given = all.filter_map(|(name, one)| Some((one, value.get(name)?)));
                given.try_for_each(|(one, value)| self.check(one, value))
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                let mut names = value.as_object().unwrap().keys();
                match names.find(|name| !known.contains_key(*name)) {
                    Some(name) => fails(format!("{name} is not known")),
                    None => Ok(()),
                }
            }
            "items" => value.as_array().unwrap().iter().try_for_each(|one| self.check(says, one)),
            "oneOf" => {
                let tried = says.as_array().unwrap().iter().map(|one| self.check(one, value));
                let (fitting, failed): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
                match fitting.len() {
                    1 => Ok(()),
                    // An alternative that failed after its constants has the longest message.
                    0 => Err(failed
                        .into_iter()
                        .filter_map(Result::err)
                        .max_by_key(String::len)
                        .unwrap()),
                    _ => fails("several of them".to_owned()),
                }
            }
            other => panic!("the word {other}"),
        }
    }
}
