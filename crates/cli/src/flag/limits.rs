//! Flags that limit a run: its time, memory and work, and what untrusted code may access.

use groma_settings::quantity;

use super::{FlagRow, FlagValue, set, switch};

/// The flags `--untrusted`, `--timeout` and `--memory`, for commands that only read or write texts.
pub(crate) const LIMITS: &[FlagRow] = &[UNTRUSTED, TIMEOUT, MEMORY];

/// `--untrusted`: the code is treated as hostile.
pub(crate) const UNTRUSTED: FlagRow = FlagRow {
    name: "untrusted",
    takes: FlagValue::Nothing,
    about: "Treat the code as untrusted: read nothing outside its folder, ignore environment variables and settings files, and stop after 60 seconds, 2 GB of memory or 100 MB of output (also GROMA_UNTRUSTED=1)",
    read: |args, _| switch(&mut args.untrusted),
};

/// `--timeout`: the maximum time of a run.
pub(crate) const TIMEOUT: FlagRow = FlagRow {
    name: "timeout",
    takes: FlagValue::Value("DURATION"),
    about: "Stop after this time, as in 5s, 500ms or 1m30s (default: no limit)",
    read: |args, text| {
        let Some(duration) = quantity::duration(text).filter(|duration| !duration.is_zero()) else {
            return Err(format!(
                "--timeout takes a duration such as 5s, 500ms or 1m30s, not \"{text}\"."
            ));
        };
        set(&mut args.timeout, duration)
    },
};

/// `--memory`: the maximum memory of a run.
pub(crate) const MEMORY: FlagRow = FlagRow {
    name: "memory",
    takes: FlagValue::Value("SIZE"),
    about: "Stop when the run uses more memory, as in 512MB or 1GB (default: 16GiB, or four fifths of the machine's memory if that is less)",
    read: |args, text| {
        let Some(size) = quantity::size(text).filter(|size| *size > 0) else {
            return Err(format!("--memory takes a size such as 512MB or 2GiB, not \"{text}\"."));
        };
        set(&mut args.memory, size)
    },
};

/// `--limit`: the maximum of evaluation steps, instances, source bytes or output bytes.
pub(crate) const LIMIT: FlagRow = FlagRow {
    name: "limit",
    takes: FlagValue::Value("NAME=NUMBER"),
    about: "Set the maximum number of evaluation steps, instances, bytes of source code or bytes of output (may repeat; default: steps=1000000000, instances=2000000, sources=1GiB, output=1GiB)",
    read: |args, text| {
        let wrong = || {
            format!(
                "--limit takes steps=NUMBER, instances=NUMBER, sources=SIZE or output=SIZE, not \"{text}\"."
            )
        };
        let (name, number) = text.split_once('=').ok_or_else(wrong)?;
        let number = quantity::size(number).ok_or_else(wrong)?;
        let quota = args.quota.get_or_insert_default();
        match name {
            "steps" => quota.steps = number,
            "instances" => quota.instances = number,
            "sources" => quota.source_bytes = number,
            "output" => quota.output_bytes = number,
            _ => return Err(wrong()),
        }
        Ok(())
    },
};
