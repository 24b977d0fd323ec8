//! Location of the state file: the one that is named, or that of the local backend and workspace. Other backends keep their
//! states elsewhere and are not contacted.

use groma_config::{RawBlock, literal_text};
use groma_eval::news;
use groma_project::{Evaluation, Project};
use groma_runtime::HostError;
use groma_syntax::{Diagnostic, Diagnostics, Expr};
use groma_value::Value;
use groma_value::print::quoted;

use crate::codes;
use crate::options::StateFile;
use crate::state::{SIZE_LIMIT, State, StateError};

/// Loads the state that `wanted` selects for a plan to start from: a given one or that of the configured backend; `None` if
/// there is none.
pub(crate) fn load(
    evaluation: &Evaluation,
    wanted: &StateFile,
    out: &mut Diagnostics,
) -> Option<State> {
    let project = evaluation.project();
    let edition = project.edition();
    let at = |file: &str| State::load(&**project.host(), file, edition);
    let loaded = match wanted {
        StateFile::Nowhere => return None,
        StateFile::At(file) => at(file),
        StateFile::Text(name, bytes) => State::of(bytes.to_vec(), name, edition),
        StateFile::Usual => at(&default_path(evaluation, out)?),
    };
    match loaded {
        Ok(state) => {
            for told in state.iter().flat_map(|state| &state.skipped) {
                out.push(Diagnostic::remark(&codes::STATE_SKIPPED, told.clone()));
            }
            if let (None, StateFile::At(file)) = (&state, wanted)
                && let Err(HostError::Absent) = project.host().read_within(file, 0)
            {
                let detail = format!(
                    "The state file {} does not exist, so the state is taken to be empty.",
                    quoted(file)
                );
                out.push(Diagnostic::remark(&codes::STATE_MISSING, detail));
            }
            state
        }
        Err(StateError(why)) => {
            let is_later = text_of(evaluation, wanted).is_some_and(|text| State::is_later(&text));
            out.push(match is_later {
                true => news::refuse(&codes::STATE_FILE, why, project.edition()),
                false => Diagnostic::error(&codes::STATE_FILE, why),
            });
            None
        }
    }
}

/// Returns the bytes of the state file that [`load`] would read, if there is one.
pub(crate) fn text(
    evaluation: &Evaluation,
    wanted: &StateFile,
    out: &mut Diagnostics,
) -> Option<Vec<u8>> {
    load(evaluation, wanted, out)?;
    text_of(evaluation, wanted)
}

/// Returns the bytes of the state that `wanted` selects, a given one or that of the configured backend, if it exists and can
/// be read.
fn text_of(evaluation: &Evaluation, wanted: &StateFile) -> Option<Vec<u8>> {
    let host = evaluation.project().host();
    let file = match wanted {
        StateFile::Nowhere => return None,
        StateFile::Text(_, bytes) => return Some(bytes.to_vec()),
        StateFile::At(file) => file.clone(),
        StateFile::Usual => default_path(evaluation, &mut Diagnostics::new())?,
    };
    host.read_within(&file, SIZE_LIMIT).ok()
}

/// Returns the path of the state file that the backend configuration and the workspace determine; `None` if the backend does not
/// keep it in a local file.
fn default_path(evaluation: &Evaluation, out: &mut Diagnostics) -> Option<String> {
    let project = evaluation.project();
    let root = project.root();
    let backend = root.settings().iter().flat_map(|block| block.blocks_of("backend")).last();
    let cloud = root.settings().iter().flat_map(|block| block.blocks_of("cloud")).last();
    let kind = backend.map_or("local", |backend| backend.label(0));
    if let Some(block) = cloud.or(backend.filter(|_| kind != "local")) {
        let kept = if cloud.is_some() { "cloud" } else { kind };
        let detail = format!(
            "The state is stored in {kept} and is not read, so everything is planned for creation. Give a copy of it with --state FILE, or plan without a state with --no-state."
        );
        out.push(Diagnostic::remark(&codes::STATE_ELSEWHERE, detail).at(block.header));
        return None;
    }
    let path = match project.workspace() {
        "default" => {
            let path = backend.and_then(|backend| setting(evaluation, backend, "path"));
            in_dir(project, path.unwrap_or_else(|| "terraform.tfstate".to_owned()))
        }
        workspace => format!("{}/{workspace}/terraform.tfstate", workspace_folder(evaluation)?),
    };
    Some(path)
}

/// Returns the folder in which the local backend keeps the states of workspaces; `None` for another backend.
pub(crate) fn workspace_folder(evaluation: &Evaluation) -> Option<String> {
    let settings = evaluation.project().root().settings();
    let backend = settings.iter().flat_map(|block| block.blocks_of("backend")).last();
    let has_cloud = settings.iter().flat_map(|block| block.blocks_of("cloud")).next().is_some();
    if has_cloud || backend.is_some_and(|backend| backend.label(0) != "local") {
        return None;
    }
    let folder = backend.and_then(|backend| setting(evaluation, backend, "workspace_dir"));
    let folder = folder.unwrap_or_else(|| "terraform.tfstate.d".to_owned());
    Some(in_dir(evaluation.project(), folder))
}

/// Returns a path relative to the project's directory as the path that the host reads; an absolute path is unchanged.
fn in_dir(project: &Project, path: String) -> String {
    match path.starts_with('/') || project.dir() == "." {
        true => path,
        false => format!("{}/{path}", project.dir()),
    }
}

/// Returns the string value of an argument of the backend block, if it has one.
fn setting(evaluation: &Evaluation, backend: &RawBlock, name: &str) -> Option<String> {
    let expr = &backend.argument(name)?.expr;
    let text = match (literal_text(expr), expr) {
        (Some(text), _) => text,
        // If variables are allowed here, they are evaluated before anything else.
        (None, Expr::Native(_)) if evaluation.project().edition().dialect.has_modules() => {
            let place = expr.place();
            let sources = evaluation.sources();
            let text = sources.get(place.file).text().clone();
            let span = place.span.start as usize..place.span.end as usize;
            let written = text.get(span)?;
            let value = evaluation.evaluate_text(written, "<backend>", &mut Diagnostics::new());
            match value.bare() {
                Value::String(text) => text.to_string(),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}
