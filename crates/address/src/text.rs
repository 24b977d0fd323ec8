//! Operations on the text of addresses, where no typed address is available. Keys may contain dots and brackets, so a plain
//! search for them is wrong.

/// Returns the text of an address without its instance keys.
pub fn without_keys(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    // The start of the text to copy; all delimiters are single bytes.
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

/// Iterates over the steps between the dots of an address: each name with its key in brackets, which is empty if missing.
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

/// Returns the offset of the dot after the first step of an address; `None` if it has a single step.
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

/// Iterates over the addresses of the modules that contain the object with this address, the outermost first.
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

/// Splits an address into that of the containing module (empty for the root) and the rest; a module is contained in its caller.
pub fn module_and_rest(address: &str) -> (&str, &str) {
    match modules_around(address).last() {
        Some(module) => (module, &address[module.len() + 1..]),
        None => ("", address),
    }
}

/// Returns true if the address is that of a module, not of an object in one.
pub fn is_module(address: &str) -> bool {
    module_and_rest(address)
        .1
        .strip_prefix("module.")
        .is_some_and(|name| end_of_step(name).is_none())
}

/// Joins the address of a module and the address `inner` of something inside it with a dot; the root module is the empty text.
pub fn below(module: &str, inner: &str) -> String {
    match module {
        "" => inner.to_owned(),
        module => format!("{module}.{inner}"),
    }
}
