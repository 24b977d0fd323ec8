//! The drawing of a graph as the command line asks for it.

/// In which form a graph is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DrawingForm {
    Dot,
    Mermaid,
    Json,
    Svg,
}

/// The graph to draw, and the form to draw it in.
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
}
