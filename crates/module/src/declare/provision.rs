//! Provisioners and connections. They are validated but not run. A connection is ignored if no provisioner uses it.

use std::sync::Arc;

use groma_config::{RawBlock, did_you_mean, keyword, literal_text};
use groma_eval::news;
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;
use groma_value::schema::BlockSchema;

use crate::check_body::fit_own;
use crate::codes;
use crate::declare::content::{ContentReader, SchemaBody};
use crate::provisioner;

/// The declaration of a `provisioner` or `connection` block: type, body and settings.
#[derive(Clone, Debug)]
pub struct ProvisionerBlock {
    /// The type of provisioner; `None` for a connection.
    pub kind: Option<Str>,
    /// The source range of its header.
    pub place: Place,
    /// Its body.
    pub content: SchemaBody,
    /// The schema of the body, if known.
    pub block: Option<Arc<BlockSchema>>,
    /// True if it runs when the resource is destroyed: then it can refer only to the resource itself.
    pub on_destroy: bool,
    /// True if its failure is ignored.
    pub ignores_failure: bool,
    /// The source ranges of `when` and `on_failure`.
    pub setting_places: [Option<Place>; 2],
}

impl ProvisionerBlock {
    /// Returns true if the argument with this name is the path of a file or folder that is read when the provisioner runs.
    pub fn names_file(&self, argument: &str) -> bool {
        let kind = self.kind.as_deref().unwrap_or_default();
        provisioner::arguments_with_files(kind).contains(&argument)
    }
}

/// Reads the provisioners and connections of a resource, including the connections in provisioners; none without a
/// provisioner; reports to `late` what counts only without other errors, to `out` all else; if `is_checked`, reports also
/// what the schemas do not accept. It is false for a removed resource, whose content is read only when it runs.
pub(crate) fn provisions(
    raw: &RawBlock,
    is_checked: bool,
    library: &FunctionLibrary,
    late: &mut Diagnostics,
    out: &mut Diagnostics,
) -> Vec<ProvisionerBlock> {
    let mut found = Vec::new();
    let mut shared_on_destroy = false;
    for block in raw.blocks_of("provisioner") {
        let when = word(block, "when", &["create", "destroy"], library.edition, out);
        let on_failure = word(block, "on_failure", &["continue", "fail"], library.edition, out);
        let ignores_failure = on_failure.as_deref() == Some("continue");
        let on_destroy = when.as_deref() == Some("destroy");
        if let Some(stray) = block.blocks.iter().find(|inner| &*inner.kind == "lifecycle") {
            let detail = "A provisioner has no lifecycle block; the one of the resource applies.";
            out.push(Diagnostic::error(&codes::RESERVED_BLOCK, detail).at(stray.header));
        }
        let kind = block.label(0);
        let schema = match provisioner::find(kind) {
            provisioner::KnownProvisioner::Known(schema) => Some(schema),
            provisioner::KnownProvisioner::Gone => {
                let detail = format!(
                    "The provisioner \"{kind}\" was removed from Terraform and OpenTofu. Use local-exec or remote-exec, or configure the machine in its image."
                );
                out.push(
                    Diagnostic::error(&codes::PROVISIONER_GONE, detail).at(block.labels[0].place),
                );
                None
            }
            provisioner::KnownProvisioner::Unknown if kind.is_empty() || !is_checked => None,
            provisioner::KnownProvisioner::Unknown => {
                let hint = did_you_mean(kind, provisioner::provisioner_names());
                let detail = format!(
                    "There is no provisioner \"{kind}\"; the provisioners are {}.{hint}",
                    provisioner::provisioner_names().join(", ")
                );
                let found = news::refuse(&codes::UNKNOWN_PROVISIONER, detail, library.edition);
                late.push(found.at(block.labels[0].place));
                None
            }
        };
        let mut contents = ContentReader { library, out: late };
        let own = ["connection", "lifecycle"];
        let content = contents.read(block, &["when", "on_failure"], &own, schema.as_deref());
        if let Some(schema) = schema.as_ref().filter(|_| is_checked) {
            let whose = format!("The provisioner {kind}");
            fit_own(&content, schema, &whose, library.edition, late);
            check_exclusive(&content, kind, block, late);
        }
        let kind = Some(kind.into());
        let setting_places =
            ["when", "on_failure"].map(|name| block.argument(name).map(|one| one.place));
        let place = block.header;
        found.push(ProvisionerBlock {
            kind,
            place,
            content,
            block: schema,
            on_destroy,
            ignores_failure,
            setting_places,
        });
        shared_on_destroy |= on_destroy && block.blocks_of("connection").next().is_none();
        for inner in block.blocks_of("connection") {
            let whole = merged(raw.blocks_of("connection").next(), inner);
            found.push(connection(&whole, on_destroy, is_checked, library, late));
        }
    }
    if !found.is_empty() {
        for block in raw.blocks_of("connection") {
            found.push(connection(block, shared_on_destroy, is_checked, library, late));
        }
    }
    found
}

/// Returns a provisioner's own connection, completed with the arguments of the resource's connection.
fn merged(shared: Option<&RawBlock>, own: &RawBlock) -> RawBlock {
    let mut whole = own.clone();
    let arguments = shared.map_or(&[][..], |shared| &shared.arguments);
    let missing = arguments.iter().filter(|argument| own.argument(&argument.name).is_none());
    whole.arguments.extend(missing.cloned());
    whole
}

/// Reads a `connection` block, for provisioners that run on destruction if `on_destroy`; reports unsupported content if
/// `is_checked`.
fn connection(
    raw: &RawBlock,
    on_destroy: bool,
    is_checked: bool,
    library: &FunctionLibrary,
    late: &mut Diagnostics,
) -> ProvisionerBlock {
    let schema = provisioner::connection_schema();
    let content = ContentReader { library, out: late }.read(raw, &[], &[], Some(&schema));
    if is_checked {
        fit_own(&content, &schema, "A connection", library.edition, late);
    }
    ProvisionerBlock {
        kind: None,
        place: raw.header,
        content,
        block: Some(schema),
        on_destroy,
        ignores_failure: false,
        setting_places: [None; 2],
    }
}

/// Returns the keyword that a setting is set to, which must be one of two `words`; reports any other expression.
fn word(
    raw: &RawBlock,
    name: &str,
    words: &[&str; 2],
    edition: Edition,
    out: &mut Diagnostics,
) -> Option<String> {
    let argument = raw.argument(name)?;
    let place = argument.expr.place();
    let found = keyword(&argument.expr).filter(|word| words.contains(&word.as_str()));
    if found.is_none() {
        if let Expr::Native(native) = &argument.expr
            && matches!(native.view().case(), ExprCase::Missing)
        {
            return None;
        }
        let detail =
            format!("\"{name}\" must be one of the keywords {} and {}.", words[0], words[1]);
        let code = &codes::PROVISIONER_KEYWORD;
        out.push(match keyword(&argument.expr) {
            Some(_) => news::refuse(code, detail, edition).at(place),
            None => Diagnostic::error(code, detail).at(place),
        });
    } else if matches!(argument.expr, Expr::Native(_)) && literal_text(&argument.expr).is_some() {
        let detail = format!("\"{name}\" takes a keyword without quotes.");
        out.push(Diagnostic::warning(&codes::QUOTED_KEYWORD, detail).at(place));
    }
    found
}

/// Reports a provisioner that sets none or several of its mutually exclusive arguments, such as `inline` and `script`.
fn check_exclusive(content: &SchemaBody, kind: &str, raw: &RawBlock, out: &mut Diagnostics) {
    let choices: &[&str] = match kind {
        "remote-exec" => &["inline", "script", "scripts"],
        "file" => &["source", "content"],
        _ => return,
    };
    // Null counts as unset, and the output of a dynamic block is not known here.
    let is_set = |name: &&&str| {
        let argument = content.argument(name);
        argument.is_some_and(|input| !input.value.constant().is_some_and(|value| value.is_null()))
    };
    let found = choices.iter().filter(is_set).count();
    if found != 1 {
        let detail = format!(
            "The provisioner {kind} takes exactly one of {}; here {}.",
            choices.join(", "),
            if found == 0 { "there is none" } else { "there are several" }
        );
        out.push(Diagnostic::error(&codes::PROVISIONER_CHOICE, detail).at(raw.header));
    }
}
