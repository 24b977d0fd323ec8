//! Every diagnostic code of the command itself.

groma_syntax::codes! {
    ANSWER_UNKNOWN, "answer-unknown", "The answer is unknown",
        "The value depends on something that the code does not say, so it cannot be printed. Give what it depends \
         on, or ask without `--raw`.";
    FILE_LEFT_OUT, "file-left-out", "File cannot be formatted",
        "A file could not be laid out and stays as it is. Mend what is reported for it.";
    NO_RAW_FORM, "no-raw-form", "The value has no raw form",
        "`--raw` prints text, numbers and bools, and this is something else. Use `--json`.";
    NO_SUCH_OUTPUT, "no-such-output", "There is no such output",
        "The root module declares no output of this name. The message lists those there are.";
    OBJECT_MISSING, "object-missing", "Object of the repository cannot be read",
        "What a revision holds is not in this clone, because the clone was made without a part of its objects or is \
         damaged. Nothing is compared: what cannot be read would look like a change. The message says what brings it.";
    WRONG_USE, "wrong-use", "Wrong use of the command line",
        "A flag or an argument cannot be taken, or what it names cannot be used, so nothing was looked at. The message \
         says which.";
}
