//! Every diagnostic code of the layout.

pub(crate) use groma_syntax::codes::INVALID_UTF8;

groma_syntax::codes! {
    LAYOUT_TOO_LONG, "layout-too-long", "Layout would make the text too long",
        "With its lines aligned the file would become larger than is read, because a very long line stands beside \
         many others. Put an empty line around it.";
}
