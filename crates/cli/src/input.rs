//! Reading lines of standard input with a maximum length, so that a stream without line ends cannot fill the memory. A line that
//! is too long is reported before its rest is skipped, since it may never end.

use std::io::{self, BufRead, Read as _};

use crate::flag::CommandArgs;
use crate::session::{EarlyStop, RunSession};

/// Maximum number of bytes in a line, or in an input of several lines; a longer one is an error.
pub(crate) const LINE_LIMIT: usize = 16 << 20;

/// The name of standard input in messages.
pub(crate) const NAME: &str = "standard input";

/// Maximum number of bytes in a state on standard input; a longer one is an error.
const TEXT_LIMIT: u64 = 1 << 30;

/// Reads the state from standard input into the arguments if these say `-state=-`.
pub(crate) fn take_state(
    args: &mut CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    if args.state.as_deref() != Some("-") || args.no_state {
        return Ok(());
    }
    if args.lines || args.command == "console" {
        return Err(EarlyStop::Misuse(
            "standard input contains the expressions, so the state cannot be read from there: give its file with --state FILE."
                .into(),
        ));
    }
    let mut bytes = Vec::new();
    session.input.take(TEXT_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > TEXT_LIMIT {
        let why =
            format!("the state on standard input is longer than {TEXT_LIMIT} bytes, the maximum.");
        return Err(EarlyStop::Misuse(why));
    }
    if bytes.is_empty() {
        let why = "--state=- reads the state from standard input, which is empty. To plan without a state, use --no-state.";
        return Err(EarlyStop::Misuse(why.into()));
    }
    args.state_text = Some(bytes.into());
    Ok(())
}

/// The result of reading a line: a line, one that is too long, or the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputLine {
    /// A line; its bytes exclude the line end.
    Whole,
    /// A line longer than the maximum. Its bytes are dropped, and its rest is not skipped yet.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads the next line, of at most `most` bytes, into `bytes`.
pub(crate) fn read_line(
    input: &mut dyn BufRead,
    most: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<InputLine> {
    bytes.clear();
    input.take(most as u64 + 1).read_until(b'\n', bytes)?;
    if bytes.is_empty() {
        return Ok(InputLine::End);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        return Ok(InputLine::Whole);
    }
    if bytes.len() <= most {
        return Ok(InputLine::Whole);
    }
    *bytes = Vec::new();
    Ok(InputLine::TooLong)
}

/// Skips the rest of a line that was too long, up to the next line.
pub(crate) fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let some = match input.fill_buf() {
            Ok(some) => some,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = some.iter().position(|byte| *byte == b'\n');
        let (passed, done) = match end {
            Some(at) => (at + 1, true),
            None => (some.len(), some.is_empty()),
        };
        input.consume(passed);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads all lines of a text, of at most five bytes each.
    fn lines(text: &str) -> Vec<(InputLine, String)> {
        let mut input = io::BufReader::with_capacity(3, text.as_bytes());
        let mut found = Vec::new();
        let mut bytes = Vec::new();
        loop {
            let line = read_line(&mut input, 5, &mut bytes).expect("a text can be read");
            if line == InputLine::TooLong {
                skip_line(&mut input).expect("a text can be read");
            }
            if line == InputLine::End {
                return found;
            }
            found.push((line, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }

    /// Checks that a line which is too long is reported and skipped.
    #[test]
    fn long_lines_are_passed_over() {
        let whole = |text: &str| (InputLine::Whole, text.to_owned());
        let too_long = || (InputLine::TooLong, String::new());
        assert_eq!(lines("12345\n\n1"), [whole("12345"), whole(""), whole("1")]);
        assert_eq!(lines("123456\n12\n"), [too_long(), whole("12")]);
        assert_eq!(lines("1\n1234567890123456"), [whole("1"), too_long()]);
        assert_eq!(lines(""), []);
    }
}
