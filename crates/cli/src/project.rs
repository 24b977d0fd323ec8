//! Opening the module that a command line names, and asking it: the only place of the command line that knows how a
//! project is loaded and evaluated.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_eval::{
    BatchOptions, CauseTable, Context, Located, Stage, Surroundings, evaluate, render_result,
};
use groma_functions::{Edition, Library};
use groma_syntax::{Diagnostics, Expr, Source, Sources, parse_expression};
use groma_value::{Type, Value};

use crate::console::complete::Known;
use crate::flag::Args;
use crate::session::{Session, Stop};
use crate::view::cause::Reasons;

/// A module that was loaded, ready to be asked.
pub(crate) struct Opened {
    context: Context,
    library: Library,
    causes: Arc<CauseTable>,
    texts: Mutex<Sources>,
    /// Whether loading found errors; they are printed already.
    pub failed: bool,
}

/// Opens the module in `directory`, or in the current one.
pub(crate) fn open(
    args: &Args,
    directory: Option<&str>,
    session: &mut Session<'_>,
) -> Result<Opened, Stop> {
    let directory = directory.unwrap_or(".");
    if !session.machine.is_directory(directory) {
        return Err(Stop::Misuse(format!("{directory}: there is no such directory.")));
    }
    let root = session.machine.root(directory, args.root.as_deref()).map_err(Stop::Misuse)?;
    let edition = args.edition.unwrap_or(Edition::DEFAULT);
    let mut context = Context::bare(edition);
    context.host = Arc::new(session.machine.host(root, std::iter::empty()));
    context.base = directory.into();
    context.now = args.now;
    context.seed = args.seed;
    Ok(Opened {
        library: Library::of(edition).with_console(),
        causes: context.causes.clone(),
        texts: Mutex::new(Sources::new()),
        failed: false,
        context,
    })
}

impl Opened {
    fn texts(&self) -> MutexGuard<'_, Sources> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of an expression in the root module's scope.
    pub(crate) fn evaluate(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        let text: Arc<str> = text.into();
        let file = self.texts().add(Source::new(name, text.clone()));
        let parse = parse_expression(&text, file);
        out.extend(parse.diagnostics.iter().cloned());
        if out.has_errors() {
            return Value::unknown(Type::Dynamic);
        }
        evaluate(&Located::of(&Expr::of(&parse), &self.library), &self.context, out)
    }

    /// The texts that places point into.
    pub(crate) fn sources(&self) -> Sources {
        self.texts().clone()
    }

    /// What explains why something is unknown; `sources` are those of now.
    pub(crate) fn reasons<'o>(&'o self, sources: &'o Sources) -> Reasons<'o> {
        Reasons(Surroundings { sources, causes: &self.causes })
    }

    /// The full form of a value.
    pub(crate) fn full(&self, value: &Value, found: &Diagnostics) -> String {
        let sources = self.sources();
        let around = Surroundings { sources: &sources, causes: &self.causes };
        render_result(value, found, Stage::Eval, &around)
    }

    /// Puts a batch on the module's scope.
    pub(crate) fn lend(&self, options: &mut BatchOptions) {
        options.scope = Some(self.context.scope.clone());
        options.causes = self.causes.clone();
        options.sources = self.sources();
    }
}

impl Known for Opened {
    fn roots(&self) -> Vec<String> {
        Vec::new()
    }

    fn members(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn functions(&self) -> Vec<String> {
        self.library.names().into_iter().map(String::from).collect()
    }
}
