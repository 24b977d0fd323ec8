//! What a command line says of a graph that is to be drawn.

/// In which form a graph is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Dot,
    Mermaid,
    Json,
    Svg,
}

/// What is to be drawn, and how.
#[derive(Clone, Default, Debug)]
pub(crate) struct Drawing {
    /// `-dot` of `why`.
    pub dot: bool,
    /// `--format` of `graph`.
    pub form: Option<Form>,
    /// `--type`: whether only resources are shown.
    pub summary: Option<bool>,
    /// `--around`.
    pub around: Option<String>,
    /// `--depth`.
    pub depth: Option<u32>,
}
