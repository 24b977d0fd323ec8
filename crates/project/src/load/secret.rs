//! Secrets in mock files: values of attributes that their schema declares sensitive.

use groma_config::{AddressPattern, RawBlock, ResourceMode, address_grammar, mock_parts};
use groma_runtime::Edition;
use groma_syntax::{FileId, Place, Sources, Span};

use crate::tree::TreeModule;

/// Withholds mocked values of sensitive attributes from displayed source text: those in `mock_blocks`, and the whole text of mock
/// files that are `broken`.
pub(super) fn withhold(
    mock_blocks: &[RawBlock],
    broken: &[FileId],
    nodes: &[TreeModule],
    edition: Edition,
    sources: &mut Sources,
) {
    let hides = |node: &TreeModule| {
        let mut shapes = node.module.resources.iter().filter_map(|resource| resource.block());
        shapes.any(|block| block.holds_sensitive())
    };
    if !broken.is_empty() && nodes.iter().any(hides) {
        for file in broken {
            let length = sources.get(*file).text().len() as u32;
            sources.withhold(Place::new(*file, Span::new(0, length)));
        }
    }
    for raw in mock_blocks.iter().flat_map(|raw| std::iter::once(raw).chain(&raw.blocks)) {
        let values = ["defaults", "values"].iter().find_map(|name| raw.argument(name));
        let (Some((mode, kind)), Some(values)) = (mocked_type(raw, edition), values) else {
            continue;
        };
        let all = nodes.iter().flat_map(|node| &node.module.resources);
        let mut all = all.filter(|one| one.mode == mode && *one.kind == *kind);
        let Some(block) = all.find_map(|resource| resource.block()) else { continue };
        let hides = |name: &str| match (block.attribute(name), block.block(name)) {
            (Some(attribute), _) => attribute.holds_sensitive(),
            (None, Some(nested)) => nested.block.holds_sensitive(),
            (None, None) => false,
        };
        match mock_parts(&values.expr) {
            Some(parts) => {
                for (_, name, value) in parts.iter().filter(|(name, ..)| hides(name)) {
                    let end = value.place().span.end;
                    sources.withhold(Place::new(name.file, Span::new(name.span.start, end)));
                }
            }
            None if block.holds_sensitive() => sources.withhold(values.expr.place()),
            None => {}
        }
    }
}

/// Returns the mode and type of the resources that a mock block gives values for, if any.
fn mocked_type(raw: &RawBlock, edition: Edition) -> Option<(ResourceMode, String)> {
    match &*raw.kind {
        "mock_resource" => Some((ResourceMode::Managed, raw.label(0).to_owned())),
        "mock_data" => Some((ResourceMode::Data, raw.label(0).to_owned())),
        _ => {
            let target = AddressPattern::read(
                &raw.argument("target")?.expr,
                address_grammar(edition, "override"),
            );
            let resource = target.ok()?.resource?;
            Some((resource.mode, resource.kind.to_string()))
        }
    }
}
