//! Requirements of a template: a Packer version, and plugins. A plugin `amazon` provides components `amazon-…`, and possibly
//! one named `amazon`; their arguments are unknown here.

use groma_config::{RawBlock, ReadSetting, ReleaseVersion, VersionConstraints, literal_text};
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr, json};
use groma_value::Str;

use super::literal::DeclaredLiterals;
use crate::codes;

/// The plugins that a template requires, and the diagnostic if its requirement of Packer's version is not met.
#[derive(Default, Debug)]
pub(crate) struct PluginRequirements {
    pub(crate) plugins: Vec<Plugin>,
    unmet: Option<Diagnostic>,
}

/// A plugin that a template requires, with its local name, source and version constraint.
#[derive(Clone, Debug)]
pub struct Plugin {
    /// The local name, which prefixes its components.
    pub name: Str,
    /// The source address.
    pub source: Option<String>,
    /// The version constraint.
    pub version: Option<String>,
}

impl PluginRequirements {
    /// Returns the diagnostic for a requirement of Packer's version that is not met, if any.
    pub(super) fn unmet(&self) -> Option<&Diagnostic> {
        self.unmet.as_ref()
    }

    /// Returns the required plugin that provides a component type, as `amazon` provides `amazon` and `amazon-ebs`; `None` if none
    /// does.
    pub(crate) fn plugin_of(&self, kind: &str) -> Option<&Plugin> {
        self.plugins.iter().find(|plugin| {
            kind.strip_prefix(&*plugin.name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    }

    /// Reads the required plugins and version in a `packer` block; `literals` evaluates their constants.
    pub(super) fn read(
        &mut self,
        raw: &RawBlock,
        literals: &DeclaredLiterals,
        out: &mut Diagnostics,
    ) {
        if let Some(text) = literals.text(raw, "required_version", out)
            && let Some(argument) = raw.argument("required_version")
        {
            let edition = literals.edition();
            let running = ReleaseVersion::new(
                u64::from(edition.version.major),
                u64::from(edition.version.minor),
                u64::from(edition.version.patch),
            );
            match VersionConstraints::parse(&text) {
                Ok(constraints) if constraints.allow(&running) => {}
                Ok(_) => {
                    let detail = format!(
                        "The template requires version {}, but is read as {edition}. If that is wrong, select another version with --dialect.",
                        &*text
                    );
                    let found = Diagnostic::error(&codes::VERSION_UNMET, detail).at(argument.place);
                    self.unmet.get_or_insert(found);
                }
                Err(part) => {
                    let detail = format!(
                        "\"{part}\" is not a version constraint. Write it as in \">= 1.10\" or \"~> 1.11.0\"."
                    );
                    out.push(
                        Diagnostic::error(&codes::VERSION_CONSTRAINT, detail)
                            .at(argument.expr.place()),
                    );
                }
            }
        }
        for argument in raw.blocks_of("required_plugins").flat_map(|block| &block.arguments) {
            let plugin = Plugin {
                name: argument.name.clone(),
                source: part(&argument.expr, "source"),
                version: part(&argument.expr, "version"),
            };
            let place = argument.expr.place();
            let mut wrong = |detail: String| {
                out.push(Diagnostic::error(&codes::REQUIRED_PLUGIN, detail).at(place));
            };
            match (&plugin.source, &plugin.version) {
                (None, _) => wrong(format!(
                    "The plugin \"{0}\" needs a source and a version: {0} = {{ source = \"github.com/…/{0}\", version = \">= 1.0.0\" }}.",
                    &*plugin.name
                )),
                (_, Some(version)) if VersionConstraints::parse(version).is_err() => {
                    wrong(format!(
                        "\"{version}\" is not a version constraint. Write it as in \">= 1.10\" or \"~> 1.11.0\"."
                    ))
                }
                (Some(source), _) => {
                    if let Some(detail) = invalid_source(source, &plugin.name) {
                        wrong(detail);
                    }
                }
            }
            if !self.plugins.iter().any(|known| known.name == plugin.name) {
                self.plugins.push(plugin);
            }
        }
    }
}

/// Returns a message if a plugin source is invalid, because it lacks a host or names the plugin's repository, as in
/// `packer-plugin-amazon`; `None` if it is valid.
fn invalid_source(source: &str, plugin: &str) -> Option<String> {
    /// The prefix of a plugin's repository, which is not part of the plugin's name.
    const PREFIX: &str = "packer-plugin-";
    let (last, parts) = (source.rsplit('/').next()?, source.split('/').count());
    let bare = last.strip_prefix(PREFIX).unwrap_or(last);
    let right = match source.split('/').collect::<Vec<_>>().as_slice() {
        [space, _] if !space.contains('.') && !space.is_empty() => {
            format!("github.com/{space}/{bare}")
        }
        [first @ .., _] if parts > 2 => format!("{}/{bare}", first.join("/")),
        _ => format!("github.com/hashicorp/{plugin}"),
    };
    if parts < 3 {
        return Some(format!(
            "\"{source}\" is not a valid source of the plugin \"{plugin}\": a source has three parts, the host, the owner and the name, as in \"{right}\"."
        ));
    }
    last.starts_with(PREFIX).then(|| {
        format!(
            "\"{source}\" names the repository of the plugin \"{plugin}\". A source leaves \"{PREFIX}\" out: \"{right}\"."
        )
    })
}

/// Returns the property `name` of an object expression if it is a literal string.
fn part(expr: &Expr, name: &str) -> Option<String> {
    match expr {
        Expr::Native(native) => {
            let ExprCase::Object(items) = native.view().case() else { return None };
            let item = items.into_iter().find(|item| match item.key.case() {
                ExprCase::Root(word) => word == name,
                ExprCase::Template(template) => template.plain().is_some_and(|text| text == name),
                _ => false,
            })?;
            match item.value.case() {
                ExprCase::Template(template) => template.plain().map(|text| text.into_owned()),
                _ => None,
            }
        }
        Expr::Json(document) => {
            let json::JsonCase::Object(properties) = document.view().case() else { return None };
            let property = properties.into_iter().find(|property| property.name == name)?;
            literal_text(&Expr::Json(document.inner(property.value)))
        }
    }
}
