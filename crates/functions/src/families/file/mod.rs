//! Functions of files and file paths. Relative names are resolved to the folder of the call; a path that the host does not allow
//! is an error that says so, never "no such file".

mod glob;
mod older;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use groma_runtime::file_path::{self, clean, join};
use groma_runtime::{Availability, EntryKind, HostError};
use groma_value::{Sentence, Str, Type, Value};

use crate::{
    CallArgs, CallContext, Failure, Function, FunctionBody, FunctionReads, ParameterRow,
    ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `path`, a string.
const PATH: ParameterRow = ParameterRow::new("path", RowType::String);
/// The row of the parameter `path` of functions that read the file.
const OF_FILE: ParameterRow = PATH.drops_pending_marks(Availability::OPENTOFU);

/// The rows of the functions of files and file paths, such as `fileset`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "abspath",
        params: &[PATH],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        reads: FunctionReads::Files,
        doc: "Returns a path as an absolute one; relative ones start at the root module's folder.",
        body: FunctionBody::Plain(absolute),
        ..Function::ROW
    },
    Function {
        name: "basename",
        params: &[PATH],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns the last name of a path.",
        body: FunctionBody::Plain(|args| Ok(Value::from(file_path::last(args.text(0))))),
        ..Function::ROW
    },
    Function {
        name: "dirname",
        params: &[PATH],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns a path without its last name.",
        body: FunctionBody::Plain(|args| Ok(Value::from(file_path::parent(args.text(0))))),
        ..Function::ROW
    },
    Function {
        name: "file",
        params: &[OF_FILE],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        reads: FunctionReads::Files,
        doc: "Returns the text of a file, which must be UTF-8.",
        body: FunctionBody::Plain(text),
        ..Function::ROW
    },
    Function {
        name: "filebase64",
        params: &[OF_FILE],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        reads: FunctionReads::Files,
        doc: "Returns the bytes of a file in base64.",
        body: FunctionBody::Plain(|args| {
            // Four characters of base64 encode three bytes.
            let most = args.context.limits.value_bytes / 4 * 3;
            let bytes = read_argument(args, 0, most, |message| args.fail(0, message))?;
            args.charge_bytes(bytes.len() / 3 * 8)?;
            Ok(Value::from(STANDARD.encode(bytes)))
        }),
        ..Function::ROW
    },
    Function {
        name: "fileexists",
        params: &[OF_FILE],
        returns: ReturnType::Shape(RowType::Bool),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        reads: FunctionReads::Files,
        doc: "Returns whether there is a file; a folder in its place is an error.",
        body: FunctionBody::Plain(exists),
        ..Function::ROW
    },
    Function {
        name: "fileset",
        params: &[
            OF_FILE,
            ParameterRow::new("pattern", RowType::String)
                .drops_pending_marks(Availability::OPENTOFU),
        ],
        returns: ReturnType::Shape(RowType::Set(&RowType::String)),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        reads: FunctionReads::Files,
        doc: "Returns the files below a folder that match a pattern (`*`, `**`, `?`, `[…]`, `{…,…}`), as \
              paths relative to it.",
        body: FunctionBody::Plain(set),
        ..Function::ROW
    },
    Function {
        name: "pathexpand",
        params: &[PATH],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        reads: FunctionReads::Environment,
        doc: "Returns a path with a leading `~` replaced by the home directory.",
        body: FunctionBody::Plain(|args| {
            let expanded =
                home(args.context, args.text(0), &args.show(0)).map_err(Failure::whole)?;
            Ok(Value::from(expanded))
        }),
        ..Function::ROW
    },
];

/// Returns a path with a leading `~` replaced by the home directory; `shown` represents the path in error messages.
fn home(context: &CallContext<'_>, path: &str, shown: &str) -> Result<String, String> {
    let Some(below) = path.strip_prefix('~') else { return Ok(path.to_owned()) };
    if !below.is_empty() && !below.starts_with('/') {
        return Err(format!("{shown} is another user's home directory, which is not looked up."));
    }
    let home = context.host.home().ok_or("The home directory is not known here.")?;
    Ok(if below.is_empty() { home } else { clean(&format!("{home}{below}")) })
}

/// Returns the absolute path for a file function's path argument; `shown` represents the path in error messages.
fn locate(context: &CallContext<'_>, path: &str, shown: &str) -> Result<String, String> {
    if path.contains('\0') {
        return Err("A file path cannot hold a NUL character.".to_owned());
    }
    let expanded = home(context, path, shown)?;
    Ok(join(&join(&context.host.current_dir(), context.base), &expanded))
}

/// Reads the file at a path that is resolved like those of file functions; the error is a sentence that quotes the path.
pub fn read(context: &CallContext<'_>, path: &str) -> Result<Vec<u8>, String> {
    let located = locate(context, path, &format!("{path:?}"))?;
    let most = context.limits.value_bytes as u64;
    let admitted = context.host.check_code_access(&located);
    let bytes = admitted.and_then(|()| context.host.read_within(&located, most));
    bytes.map_err(|error| refusal(&format!("{path:?}"), &error))
}

/// Reads the file whose path is the argument at `index`, at most `most` bytes, which are charged first; `fail` creates the
/// failure from an error message.
pub(crate) fn read_argument(
    args: &CallArgs<'_>,
    index: usize,
    most: usize,
    fail: impl Fn(String) -> Failure,
) -> Result<Vec<u8>, Failure> {
    let shown = args.show(index);
    let located = locate(args.context, args.text(index), &shown).map_err(&fail)?;
    let refused = |error: &HostError| fail(refusal(&shown, error));
    args.context.host.check_code_access(&located).map_err(|error| refused(&error))?;
    let length = args.context.host.length(&located).map_err(|error| refused(&error))?;
    if length > most as u64 {
        return Err(refused(&HostError::TooLong { most: most as u64 }));
    }
    args.charge_bytes(usize::try_from(length).unwrap_or(usize::MAX))?;
    args.context.host.read_within(&located, most as u64).map_err(|error| refused(&error))
}

/// The number of bytes of a file that are read and passed on together.
const PIECE: usize = 1 << 16;

/// Reads the file whose path is the argument at `index` and passes its bytes to `see` in pieces; `fail` creates the failure from
/// an error message.
pub(crate) fn stream_argument(
    args: &CallArgs<'_>,
    index: usize,
    fail: impl Fn(String) -> Failure,
    mut see: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let shown = args.show(index);
    let located = locate(args.context, args.text(index), &shown).map_err(&fail)?;
    let refused = |error: &HostError| fail(refusal(&shown, error));
    args.context.host.check_code_access(&located).map_err(|error| refused(&error))?;
    let mut file = args.context.host.open(&located).map_err(|error| refused(&error))?;
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(count) => see(piece.get(..count).unwrap_or_default())?,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(refused(&HostError::Failed(error.to_string()))),
        }
    }
}

/// Returns the error message for a file that cannot be read; `shown` is its path for display.
fn refusal(shown: &str, error: &HostError) -> String {
    match error {
        HostError::Absent => format!("There is no file with the path {shown}."),
        HostError::WrongKind => format!("The path {shown} is a folder, not a file."),
        HostError::Outside => format!(
            "The path {shown} is outside of the root directory and is not read; choose a wider root with --root, or \
             allow its folder with --allow-read."
        ),
        HostError::Private => format!(
            "The path {shown} belongs to the repository or its tools, so it is not read; to read it, allow its \
             folder with --allow-read."
        ),
        HostError::TooLong { most } => {
            format!("The file with the path {shown} is longer than {most} bytes; no more are read.")
        }
        HostError::Failed(why) => {
            format!("The file with the path {shown} cannot be read: {why}.")
        }
    }
}

/// Implements `abspath`: returns a path as an absolute one.
fn absolute(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let context = args.context;
    let here = context.host.current_dir();
    let start = match context.semantics.abspath_from_base {
        true => join(&here, context.base),
        false => here,
    };
    Ok(Value::from(join(&start, args.text(0))))
}

/// Implements `file`: returns the text of a file, which must be UTF-8.
fn text(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let most = args.context.limits.value_bytes;
    let bytes = read_argument(args, 0, most, |message| args.fail(0, message))?;
    match String::from_utf8(bytes) {
        Ok(text) => {
            args.charge_bytes(text.len())?;
            Ok(Value::from(text))
        }
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let message = format!(
                "The file {} is not UTF-8 from byte {at} on; `filebase64` reads any bytes.",
                args.show(0)
            );
            Err(Failure::whole(message))
        }
    }
}

/// Implements `fileexists`: returns true if there is a file at a path; a folder is an error.
fn exists(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let shown = args.show(0);
    let located = locate(args.context, args.text(0), &shown).map_err(Failure::whole)?;
    let admitted = args.context.host.check_code_access(&located);
    match admitted.and_then(|()| args.context.host.kind(&located)) {
        Ok(EntryKind::File) => Ok(Value::TRUE),
        Ok(_) => Err(Failure::whole(Sentence::trusted(format!("The path {shown} is not a file.")))),
        Err(HostError::Absent) => Ok(Value::FALSE),
        Err(error) => Err(Failure::whole(refusal(&shown, &error))),
    }
}

/// Implements `fileset`: returns the relative paths of the files below a folder that match a pattern.
fn set(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (folder, pattern) = (args.text(0), args.text(1));
    if folder.contains('\0') || pattern.contains('\0') {
        return Err(Failure::whole("A file path cannot hold a NUL character."));
    }
    let base = join(&args.context.host.current_dir(), args.context.base);
    let start = join(&base, folder);
    let whole = clean(&format!("{start}/{pattern}"));
    let files = if args.context.semantics.older_globs { older::files } else { glob::files };
    let found = files(&whole, args.context).map_err(|error| {
        let hidden = args.is_hidden(0) || args.is_hidden(1);
        let shown = |path: &str| match hidden {
            true => "of a sensitive value".to_owned(),
            false => format!("{path:?}"),
        };
        Failure::whole(match error {
            glob::GlobError::Pattern(why) => {
                format!("{} is not a file pattern: {why}.", args.show(1))
            }
            glob::GlobError::Host(path, error) => refusal(&shown(&path), &error),
            glob::GlobError::Limit(excess) => return Failure::limit(excess),
        })
    })?;
    let items = found
        .iter()
        .map(|path| Value::String(Str::from(file_path::relative(&start, path))))
        .collect();
    Ok(Value::set(Type::String, items))
}
