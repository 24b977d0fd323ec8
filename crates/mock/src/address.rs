//! Which instances an address means. A step without a key means all of them, so an address of instances is compared with
//! a target step by step.

use groma_config::AddressTarget;

/// The steps of an address, each with its key as it is written; the key is empty where there is none.
fn steps(address: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = address;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (step, after) = rest.split_at(end_of_step(rest));
        rest = after.strip_prefix('.').unwrap_or(after);
        Some(step.find('[').map_or((step, ""), |at| step.split_at(at)))
    })
}

/// Returns where the first step of an address ends. Dots in keys belong to them.
fn end_of_step(address: &str) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, byte) in address.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b'.' if !is_quoted => return at,
            _ => {}
        }
    }
    address.len()
}

/// An address whose keys are to be those of an instance, where it has some.
#[derive(Clone, Debug)]
pub(crate) struct KeyedPattern {
    /// The keys of its steps, empty where any will do.
    keys: Vec<String>,
    /// The number of keys.
    pub(crate) count: usize,
}

impl KeyedPattern {
    pub(crate) fn of(target: &AddressTarget) -> KeyedPattern {
        let written = target.to_string();
        let keys: Vec<String> = steps(&written).map(|(_, key)| key.to_owned()).collect();
        let count = keys.iter().filter(|key| !key.is_empty()).count();
        KeyedPattern { keys, count }
    }

    /// Returns true if an instance is meant whose address has the same names.
    pub(crate) fn is_met_by(&self, address: &str) -> bool {
        let mut given = steps(address).map(|(_, key)| key);
        self.count == 0
            || self.keys.iter().all(|key| {
                let own = given.next().unwrap_or_default();
                key.is_empty() || *key == own
            })
    }
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn keys_may_hold_anything() {
        let address = r#"module.a["x.y"].aws_vpc.b["a\"].c"].d[0]"#;
        let names: Vec<_> = steps(address).collect();
        let keys = ["", "[\"x.y\"]", "", r#"["a\"].c"]"#, "[0]"];
        assert_eq!(names.iter().map(|(_, key)| *key).collect::<Vec<_>>(), keys);
        assert_eq!(groma_config::without_keys(address), "module.a.aws_vpc.b.d");
    }
}
