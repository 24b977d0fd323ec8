//! Diagnostic codes that only the command line reports.

groma_syntax::codes! {
    ANSWER_UNKNOWN, "answer-unknown", "The result is unknown",
        "The value depends on something that is not in the code, so it cannot be printed. Give a value for what it \
         depends on, or leave out `--raw`.";
    FILE_LEFT_OUT, "file-left-out", "File cannot be formatted",
        "A file could not be formatted and was left unchanged. Fix what is reported for it.";
    NO_RAW_FORM, "no-raw-form", "The value has no raw form",
        "`--raw` prints strings, numbers and bools only. Use `--json` for other values.";
    NO_SUCH_OUTPUT, "no-such-output", "There is no such output",
        "The root module declares no output of this name. The message lists the outputs that exist.";
    OBJECT_MISSING, "object-missing", "Git object cannot be read",
        "A git object of a revision is missing from this clone, because the clone is partial or damaged. Nothing is \
         compared, since a file that cannot be read would look like a change. The message says how to fetch it.";
    WRONG_USE, "wrong-use", "Wrong use of the command line",
        "A flag or an argument is not valid, or what it names cannot be used, so nothing was done. The message says \
         which.";
}
