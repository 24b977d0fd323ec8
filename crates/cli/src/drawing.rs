//! The flags that select how a graph is drawn.

/// The output format of a graph: DOT, Mermaid, JSON or SVG.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DrawingForm {
    Dot,
    Mermaid,
    Json,
    Svg,
}

/// The flags of `groma graph` and `groma why` that select a part of the graph and its output format.
#[derive(Clone, Default, Debug)]
pub(crate) struct GraphDrawing {
    /// `-dot` of `why`.
    pub dot: bool,
    /// `--format` of `graph`.
    pub form: Option<DrawingForm>,
    /// `--type`: whether only resources are shown.
    pub summary: Option<bool>,
    /// `--around`.
    pub around: Option<String>,
    /// `--depth`.
    pub depth: Option<u32>,
    /// `--references`.
    pub references: Option<String>,
}
