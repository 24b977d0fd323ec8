//! The text of addresses at the edges, where only the text is at hand. Dots and brackets in the keys of instances belong
//! to the keys, so nothing here is found by a plain search.

/// An address without the keys of instances.
pub fn without_keys(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    // Where what is taken begins; all that decides is one byte long.
    let mut from = 0;
    for (at, byte) in address.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' if depth > 0 => is_quoted = !is_quoted,
            b'[' if !is_quoted => {
                if depth == 0 {
                    out.push_str(&address[from..at]);
                }
                depth += 1;
            }
            b']' if !is_quoted => {
                if depth == 0 {
                    out.push_str(&address[from..at]);
                }
                depth = depth.saturating_sub(1);
                from = at + 1;
            }
            _ => {}
        }
    }
    if depth == 0 {
        out.push_str(&address[from..]);
    }
    out
}

/// Returns the steps between the dots of an address, each with its key as it is written; the key is empty where there is
/// none.
pub fn steps(address: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = address;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (step, after) = rest.split_at(end_of_step(rest).unwrap_or(rest.len()));
        rest = after.strip_prefix('.').unwrap_or(after);
        Some(step.find('[').map_or((step, ""), |at| step.split_at(at)))
    })
}

/// Returns where the dot behind the first step of an address stands, if there is one.
fn end_of_step(address: &str) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, byte) in address.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b'.' if !is_quoted => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns the modules that something is in, the outermost first: the beginnings of its address that lead to them.
pub fn modules_around(address: &str) -> impl Iterator<Item = &str> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + "module.".len();
        let inner = address.get(end..)?.strip_prefix("module.")?;
        let module = start + end_of_step(inner)?;
        end = module + 1;
        Some(&address[..module])
    })
}

/// Returns the address of the module that something is in, and its address within that. The module itself is in its
/// caller.
pub fn module_and_rest(address: &str) -> (&str, &str) {
    match modules_around(address).last() {
        Some(module) => (module, &address[module.len() + 1..]),
        None => ("", address),
    }
}

/// Returns true if an address is that of a module.
pub fn is_module(address: &str) -> bool {
    module_and_rest(address)
        .1
        .strip_prefix("module.")
        .is_some_and(|name| end_of_step(name).is_none())
}

/// Returns the address of something in a module as it is seen from the root.
pub fn below(module: &str, inner: &str) -> String {
    match module {
        "" => inner.to_owned(),
        module => format!("{module}.{inner}"),
    }
}
