//! What a run may use, as the command line says it, and what is said when a run comes to its end. That is one diagnostic
//! and nothing else: what was worked out by then is a part, and a part must not look like an answer.

use std::time::Duration;

use groma_eval::{diagnostic_json, ended};
use groma_runtime::{Bound, Budget, Quota};
use groma_syntax::{Diagnostic, Diagnostics, Sources};

use crate::flag::{Args, Flag, Takes, set};
use crate::session::{Exit, Session, Stop};
use crate::view::diagnostic;
use crate::view::json::{self, Object};

/// Flags of every command that evaluates.
pub(crate) const TIMEOUT: Flag = Flag {
    name: "timeout",
    takes: Takes::Value("DURATION"),
    about: "End the run when it takes longer, as in 5s, 500ms or 1m30s (default: no end)",
    read: |args, text| {
        let Some(duration) = duration(text).filter(|duration| !duration.is_zero()) else {
            return Err(format!(
                "--timeout takes a duration such as 5s, 500ms or 1m30s: \"{text}\" is none."
            ));
        };
        set(&mut args.timeout, duration)
    },
};

/// See [`TIMEOUT`].
pub(crate) const MEMORY: Flag = Flag {
    name: "memory",
    takes: Takes::Value("SIZE"),
    about: "End the run when it holds more, as in 512MB or 1GB (default: 16GiB, or four fifths of what the machine has)",
    read: |args, text| {
        let Some(size) = size(text).filter(|size| *size > 0) else {
            return Err(format!(
                "--memory takes a size such as 512MB or 2GiB: \"{text}\" is none."
            ));
        };
        set(&mut args.memory, size)
    },
};

/// See [`TIMEOUT`].
pub(crate) const LIMIT: Flag = Flag {
    name: "limit",
    takes: Takes::Value("NAME=NUMBER"),
    about: "Allow the run so many steps, instances or bytes of sources (may repeat; default: steps=1000000000, instances=2000000, sources=1GiB)",
    read: |args, text| {
        let wrong = || {
            format!(
                "--limit takes steps=NUMBER, instances=NUMBER or sources=SIZE: \"{text}\" is none of them."
            )
        };
        let (name, number) = text.split_once('=').ok_or_else(wrong)?;
        let number = size(number).ok_or_else(wrong)?;
        let quota = args.quota.get_or_insert_default();
        match name {
            "steps" => quota.steps = number,
            "instances" => quota.instances = number,
            "sources" => quota.source_bytes = number,
            _ => return Err(wrong()),
        }
        Ok(())
    },
};

/// When a run ends whatever it has counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// So long after it began.
    pub timeout: Option<Duration>,
    /// When the process holds so many bytes.
    pub memory: Option<u64>,
}

impl Bounds {
    /// As the command line says.
    pub(crate) fn of(args: &Args) -> Bounds {
        Bounds { timeout: args.timeout, memory: args.memory }
    }
}

/// Bounds a run over a stranger's code where the command line does not: it may be made to take for ever.
pub(crate) fn restrain(args: &mut Args) {
    args.timeout.get_or_insert(Duration::from_secs(60));
    args.memory.get_or_insert(2_000_000_000);
}

/// What a run may use.
pub(crate) fn budget(args: &Args) -> Budget {
    let quota = args.quota.unwrap_or_default();
    Budget::new(match Bounds::of(args).memory {
        None => quota,
        Some(bytes) => Quota { bytes, ..quota },
    })
}

/// The form in which a run says that it has come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Sentences on standard error.
    Text,
    /// A document like that of the checks.
    Check,
    /// A document of its own.
    Document,
    /// A line among answers.
    Line,
}

impl Form {
    fn of(args: &Args) -> Form {
        match args.command {
            _ if args.lines => Form::Line,
            "check" if args.json => Form::Check,
            _ if args.json || args.full => Form::Document,
            _ => Form::Text,
        }
    }

    /// What goes to standard output.
    pub(crate) fn document(self, found: &Diagnostic, sources: &Sources) -> Option<String> {
        let found = diagnostic_json(found, sources);
        let list = json::array([found]);
        let object = Object::default();
        let object = match self {
            Form::Text => return None,
            Form::Line => {
                let line = object.with("id", "null").with("bad", "\"The run has ended.\"");
                return Some(line.with("diagnostics", &list).finish());
            }
            Form::Check => object
                .with("format_version", "\"1.0\"")
                .with("valid", "false")
                .with("error_count", "1")
                .with("warning_count", "0"),
            Form::Document => object.with("format_version", "\"1.0\"").with("errored", "true"),
        };
        Some(json::pretty(&object.with("diagnostics", &list).finish()))
    }

    /// Whether the diagnostic goes to standard error too.
    pub(crate) fn is_told_aside(self) -> bool {
        self != Form::Check
    }
}

impl Args {
    /// The form in which the run says that it has come to its end.
    pub(crate) fn end_form(&self) -> Form {
        Form::of(self)
    }
}

/// Stops a command whose run has come to its end, and says so. `end` is where that was, if it is known; else it is
/// among what was found.
pub(crate) fn go_on(
    args: &Args,
    end: Option<Diagnostic>,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let Some(bound) = args.budget.ended() else { return Ok(()) };
    let is_end = |one: &&Diagnostic| one.code == plain(bound, args, "").code;
    let place = found.iter().find(is_end).and_then(|one| one.place);
    let end = match (args.budget.last_work(), end) {
        // Who said it in words was there before any value was worked out.
        (Some(work), _) => Diagnostic { place, ..plain(bound, args, &work) },
        (None, Some(end)) => end,
        (None, None) => Diagnostic { place, ..plain(bound, args, "") },
    };
    tell(args, &end, sources, session)?;
    Err(Stop::Told(Exit::ERRORS))
}

/// Says what nobody has said yet of a run that has come to its end.
pub(crate) fn tell_end(args: &Args, session: &mut Session<'_>) -> Result<(), Stop> {
    match session.watch.is_told() {
        true => Ok(()),
        false => go_on(args, None, &Diagnostics::new(), &Sources::new(), session),
    }
}

fn plain(bound: Bound, args: &Args, work: &str) -> Diagnostic {
    ended(bound, args.budget.quota(), work)
}

fn tell(
    args: &Args,
    end: &Diagnostic,
    sources: &Sources,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    session.watch.tell();
    let form = args.end_form();
    if let Some(document) = form.document(end, sources) {
        writeln!(session.out, "{document}")?;
        session.out.flush()?;
    }
    if form.is_told_aside() {
        diagnostic::print([end], sources, session.colour(!args.no_color), session.err)?;
    }
    Ok(())
}

/// A duration as in `1m30s`, `500ms` or `1.5s`.
fn duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut whole = 0.0;
    while !rest.is_empty() {
        let (number, after) = number(rest)?;
        let letters = after.len() - after.trim_start_matches(char::is_alphabetic).len();
        let (unit, after) = after.split_at(letters);
        let seconds = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            _ => return None,
        };
        whole += number * seconds;
        rest = after;
    }
    Duration::try_from_secs_f64(whole).ok().filter(|_| !text.is_empty())
}

/// A size as in `512MB`, `2GiB` or `1000`.
fn size(text: &str) -> Option<u64> {
    let (number, unit) = number(text)?;
    let bytes: f64 = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let whole = number * bytes;
    (whole < 9e18).then_some(whole as u64)
}

/// The decimal number at the start of a text, and the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let digits =
        text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{duration, size};

    #[test]
    fn durations() {
        let of = |text| duration(text).map(|duration| duration.as_millis());
        assert_eq!(of("5s"), Some(5_000));
        assert_eq!(of("500ms"), Some(500));
        assert_eq!(of("1m30s"), Some(90_000));
        assert_eq!(of("1.5s"), Some(1_500));
        assert_eq!(duration("0s"), Some(Duration::ZERO));
        for wrong in ["", "5", "s", "5 s", "-5s", "5sec", "1..5s", "1e9s"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("512MB"), Some(512_000_000));
        assert_eq!(size("2GiB"), Some(2 << 30));
        assert_eq!(size("1.5 gb"), Some(1_500_000_000));
        assert_eq!(size("1000"), Some(1_000));
        for wrong in ["", "MB", "5XB", "-1", "1e3", "99999999999TB"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
