//! Batch mode: one line of JSON in, one line of JSON out. A line contains an expression or a template and the values of root
//! names; no other names are defined, unless the batch has the scope of a module.

use std::sync::Arc;

use groma_eval::{
    Cause, CauseAddress, CauseClass, CauseTable, Context, EvaluationBasis, FunctionMocks,
    LayeredScope, LocatedCode, NamedValues, Scope, evaluate,
};
use groma_functions::{FunctionLibrary, ReadingCache};
use groma_runtime::{Budget, Edition, Host, Limits, MemoryHost, Moment, Semantics};
use groma_syntax::ast::ExprCase;
use groma_syntax::{
    Diagnostics, Expr, FileId, Severity, Source, Sources, parse_expression, parse_template,
};
use groma_value::codec::json::{JsonLayout, JsonObject, JsonText};
use groma_value::{Causes, Type, Unknown, Value};

use crate::result_json::{ErrorStage, ResultContext, write_result};

/// The options that apply to every line of JSON input that one [`EvaluationBatch`] evaluates, such as the edition and the
/// budget.
#[derive(Clone)]
pub struct BatchOptions {
    /// The edition, unless a line names another.
    pub edition: Edition,
    /// Files and the environment.
    pub host: Arc<dyn Host>,
    /// The place where relative file names start.
    pub base: Arc<str>,
    /// The time of evaluation; `None` for that of the clock.
    pub now: Option<Moment>,
    /// The seed of random functions; `None` for real chance.
    pub seed: Option<u64>,
    /// The bounds of each evaluation.
    pub limits: Limits,
    /// The budget of all lines together.
    pub budget: Budget,
    /// The cache of the files that functions have read, for all lines.
    pub readings: ReadingCache,
    /// The scope of names that a line does not define itself, such as a module's.
    pub scope: Option<Arc<dyn Scope>>,
    /// The table of causes by id; shared with `scope`.
    pub causes: Arc<CauseTable>,
    /// Mocked results of functions that cannot be called, such as those of providers.
    pub mocks: Arc<FunctionMocks>,
    /// The source texts that places in `scope` refer to.
    pub sources: Sources,
}

impl Default for BatchOptions {
    fn default() -> BatchOptions {
        BatchOptions {
            edition: Edition::DEFAULT,
            host: Arc::new(MemoryHost::new()),
            base: "/".into(),
            now: None,
            seed: None,
            limits: Limits::DEFAULT,
            budget: Budget::default(),
            readings: ReadingCache::default(),
            scope: None,
            causes: Arc::new(CauseTable::new()),
            mocks: Arc::default(),
            sources: Sources::new(),
        }
    }
}

/// The value of an expression, with its diagnostics and the source texts that they refer to.
#[derive(Clone, Debug)]
pub struct EvaluatedExpression {
    /// The value; unknown where there are errors.
    pub value: Value,
    /// The diagnostics.
    pub findings: Diagnostics,
    /// The source texts that the diagnostics refer to.
    pub sources: Sources,
    stage: ErrorStage,
}

/// An evaluator for batch mode: reads an expression from a line of JSON and answers with a line of JSON, independently of other
/// lines.
pub struct EvaluationBatch {
    options: BatchOptions,
}

/// A line of input, parsed: the expression or template to evaluate, the values of names in it, and the edition.
struct BatchQuestion {
    id: Option<LineId>,
    text: Arc<str>,
    is_template: bool,
    given: Vec<(String, String)>,
    edition: Edition,
}

/// The `id` that a line of input carries, repeated in its answer: a string or a whole number.
#[derive(Clone)]
enum LineId {
    Text(String),
    Number(serde_json::Number),
}

impl LineId {
    /// Returns the id that a JSON value denotes; `None` unless it is a string or a whole number.
    fn of(value: &serde_json::Value) -> Option<LineId> {
        match value {
            serde_json::Value::String(text) => Some(LineId::Text(text.clone())),
            serde_json::Value::Number(number) if !number.is_f64() => {
                Some(LineId::Number(number.clone()))
            }
            _ => None,
        }
    }
}

impl EvaluationBatch {
    /// Creates an evaluator of lines of JSON input, each with an expression, with options that apply to all lines.
    pub fn new(options: BatchOptions) -> EvaluationBatch {
        EvaluationBatch { options }
    }

    /// Evaluates the expression or template in a line of JSON input and returns the answer as a line of JSON, without its line
    /// end.
    pub fn answer(&self, line: &str) -> String {
        let before = self.options.budget.remainder();
        let answer = self.answer_once(line);
        // Each line may use all the steps, whatever the lines before have used.
        self.options.budget.begin_question(before);
        answer
    }

    /// Evaluates the expression or template in a line of JSON input and returns the answer as a line of JSON; the steps that it
    /// takes remain charged to the budget.
    fn answer_once(&self, line: &str) -> String {
        let (id, answer) = match self.read(line) {
            Ok(question) => {
                let answer = self.evaluate(&question);
                (question.id, answer)
            }
            Err((id, why)) => (id, Err(why)),
        };
        line_of(id.as_ref(), answer)
    }

    /// Returns the answer to a line that is not parsed, for example because it is too long; `why` is its error message.
    pub fn refuse(&self, why: &str) -> String {
        line_of(None, Err(why.to_owned()))
    }

    /// Parses a line of input, a JSON object; an error comes with the line's id, if it has one.
    fn read(&self, line: &str) -> Result<BatchQuestion, (Option<LineId>, String)> {
        let object = serde_json::from_str::<serde_json::Value>(line)
            .map_err(|why| (None, format!("The line is not JSON: {why}.")))?;
        let Some(object) = object.as_object() else {
            return Err((None, "The line is not a JSON object.".to_owned()));
        };
        let id = object.get("id").and_then(LineId::of);
        let bad = |why: String| (id.clone(), why);
        if id.is_none() && object.get("id").is_some_and(|id| !id.is_null()) {
            return Err((None, "\"id\" is neither a string nor a whole number.".to_owned()));
        }
        let text = |key: &str| match object.get(key) {
            None | Some(serde_json::Value::Null) => Ok(None),
            Some(serde_json::Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(bad(format!("\"{key}\" is not a string."))),
        };
        let (expr, template, dialect) = (text("expr")?, text("template")?, text("dialect")?);
        let (text, is_template) = match (expr, template) {
            (Some(expr), None) => (expr, false),
            (None, Some(template)) => (template, true),
            (Some(_), Some(_)) => {
                return Err(bad("Only one of \"expr\" and \"template\" can be given.".to_owned()));
            }
            (None, None) => {
                return Err(bad("There is no \"expr\" and no \"template\".".to_owned()));
            }
        };
        let edition = match dialect {
            None => self.options.edition,
            Some(name) => Edition::parse(name)
                .ok_or_else(|| bad(format!("There is no dialect \"{name}\".")))?,
        };
        let mut given = Vec::new();
        match object.get("given") {
            None | Some(serde_json::Value::Null) => {}
            Some(serde_json::Value::Object(roots)) => {
                for (root, text) in roots {
                    let Some(text) = text.as_str() else {
                        return Err(bad(format!("The given \"{root}\" is not a string.")));
                    };
                    given.push((root.clone(), text.to_owned()));
                }
            }
            Some(_) => return Err(bad("\"given\" is not an object.".to_owned())),
        }
        Ok(BatchQuestion { id: id.clone(), text: text.into(), is_template, given, edition })
    }

    /// Returns the context in which an expression is evaluated, with the names of `scope` and the semantics of `edition`.
    fn context(&self, edition: Edition, scope: Arc<dyn Scope>) -> Context {
        let options = &self.options;
        let basis = EvaluationBasis {
            host: options.host.clone(),
            limits: options.limits,
            budget: options.budget.clone(),
            readings: options.readings.clone(),
            semantics: Semantics::of(edition),
            now: options.now,
            seed: options.seed,
            causes: options.causes.clone(),
            mocks: options.mocks.clone(),
            base: options.base.clone(),
            samples: false,
            trace: None,
        };
        basis.with_scope(scope)
    }

    /// Evaluates an expression in which `given` defines names, and returns its value with the diagnostics; nothing is read or
    /// written as JSON.
    pub fn value(&self, expression: &str, given: NamedValues) -> EvaluatedExpression {
        let before = self.options.budget.remainder();
        let evaluated = self.evaluated(&Arc::from(expression), false, given, self.options.edition);
        self.options.budget.begin_question(before);
        evaluated
    }

    /// Evaluates the expression or template of a parsed line and returns the result as a JSON object; the error is a message.
    fn evaluate(&self, question: &BatchQuestion) -> Result<String, String> {
        let mut names = NamedValues::new();
        for (root, text) in &question.given {
            names.insert(root.as_str(), self.given(root, text, question.edition)?);
        }
        let evaluated =
            self.evaluated(&question.text, question.is_template, names, question.edition);
        let EvaluatedExpression { value, findings, sources, stage } = evaluated;
        let around = ResultContext { sources: &sources, causes: &self.options.causes };
        let mut got = JsonText::new(JsonLayout::Compact);
        write_result(&value, &findings, stage, &around, &mut got);
        Ok(got.into_string())
    }

    /// Parses and evaluates an expression, or a template if `is_template`; `names` are the names that it may refer to.
    fn evaluated(
        &self,
        text: &Arc<str>,
        is_template: bool,
        names: NamedValues,
        edition: Edition,
    ) -> EvaluatedExpression {
        let scope: Arc<dyn Scope> = match &self.options.scope {
            Some(below) => Arc::new(LayeredScope { names, below: below.clone() }),
            None => Arc::new(names),
        };
        let context = self.context(edition, scope);
        let mut sources = self.options.sources.clone();
        let name = if is_template { "<template>" } else { "<expression>" };
        let file = sources.add(Source::new(name, text.clone()));
        let library = FunctionLibrary::of(edition).with_console();
        let parse = match is_template {
            true => parse_template(text, file),
            false => parse_expression(text, file),
        };
        let mut found: Diagnostics = parse.diagnostics.iter().cloned().collect();
        let (value, stage) = if found.has_errors() {
            (Value::unknown(Type::Dynamic), ErrorStage::Parse)
        } else {
            let located = lowered(&Expr::of(&parse), file, &library);
            (evaluate(&located, &context, &mut found), ErrorStage::Eval)
        };
        EvaluatedExpression { value, findings: found, sources, stage }
    }

    /// Evaluates the expression that a line of input gives as the value of the name `root`; it may call functions, but not refer
    /// to other names.
    fn given(&self, root: &str, text: &str, edition: Edition) -> Result<Value, String> {
        let text: Arc<str> = text.into();
        let file = FileId(u32::MAX);
        let parse = parse_expression(&text, file);
        let mut found: Diagnostics = parse.diagnostics.iter().cloned().collect();
        let mut value = Value::NULL;
        if !found.has_errors() {
            // A given value follows the rules of a variable's default.
            let library = FunctionLibrary::of(edition).with_given().with_variable_default();
            let context = self.context(edition, Arc::new(NamedValues::new()));
            value = evaluate(&lowered(&Expr::of(&parse), file, &library), &context, &mut found);
        }
        match found.iter().find(|one| one.severity == Severity::Error) {
            None => Ok(self.explained(root, &value)),
            Some(error) => Err(format!("The given \"{root}\" fails: {}", error.detail)),
        }
    }

    /// Returns the value of the name `root` with a cause at each unknown part that has none; the cause refers to that name.
    fn explained(&self, root: &str, value: &Value) -> Value {
        if value.is_wholly_known() {
            return value.clone();
        }
        let address = CauseAddress::other(root);
        let cause = Cause { class: CauseClass::Pending, kind: "given", address, place: None };
        let causes = Causes::one(self.options.causes.intern(cause));
        value.transform(&mut |part| match part {
            Value::Unknown(unknown) if unknown.causes.is_empty() => {
                let unknown = Unknown { causes: causes.clone(), ..(**unknown).clone() };
                Value::Unknown(Arc::new(unknown))
            }
            other => other.clone(),
        })
    }
}

/// Returns the JSON line that answers a line of input: its id, and the result or the error message.
fn line_of(id: Option<&LineId>, answer: Result<String, String>) -> String {
    let mut out = JsonText::new(JsonLayout::Compact);
    let mut line = JsonObject::open(&mut out);
    match id {
        Some(LineId::Text(id)) => line.text("id", id),
        Some(LineId::Number(id)) => line.number("id", id),
        None => line.raw("id", "null"),
    }
    match answer {
        Ok(got) => line.raw("got", &got),
        Err(why) => line.text("bad", &why),
    }
    line.close();
    out.into_string()
}

/// Lowers a parsed expression or template to code, and returns it with its file and its offset there.
fn lowered(expr: &Expr, file: FileId, library: &FunctionLibrary) -> LocatedCode {
    if let Expr::Native(native) = expr
        && let ExprCase::Template(template) = native.view().case()
    {
        let base = template.span().start;
        return LocatedCode { code: groma_eval::lower_template(template, library), file, base };
    }
    LocatedCode::of(expr, library)
}
