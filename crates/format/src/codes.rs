//! Diagnostic codes of the formatter.

pub(crate) use groma_syntax::codes::INVALID_UTF8;

groma_syntax::codes! {
    LAYOUT_TOO_LONG, "layout-too-long", "Formatting would make the text too long",
        "With its lines aligned, the file would exceed the maximum size, because a very long line is next to many \
         others. Put empty lines around it.";
}
