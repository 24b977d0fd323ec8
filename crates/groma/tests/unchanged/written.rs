//! What an unknown value hangs on, worked out a second time and in a simple way: the expression is written out in full, each
//! name replaced by what it leads to, each part that is known by its value. Two revisions in which it reads the same
//! compute the same. It shares no code with fingerprints, and may take more things for the same than they do, never fewer.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use groma::Value;
use groma_config::InstanceKey;
use groma_eval::{LayeredScope, LocatedCode, NamedValues, lower_view};
use groma_functions::FunctionLibrary;
use groma_module::declare::{Expression, Repetition, SchemaBody};
use groma_project::{Evaluation, ScopeRef};
use groma_syntax::ast::{ExprCase, ExprView, ForView, ObjectItem, TemplatePart};
use groma_syntax::{Diagnostics, Expr, FileId};

use crate::calls;
use crate::form::{Form, known_text, text_value};

/// Longer texts are given up, and so are deeper ones.
const LONGEST: usize = 50_000;
const MAX_DEPTH: usize = 60;

/// The names that loops bind, and what `each` stands for.
pub(crate) type Bound = Vec<(String, Form)>;

/// Writes out what is declared in a root.
pub(crate) struct Writer<'s> {
    pub(crate) evaluation: &'s Evaluation,
    library: FunctionLibrary,
    pub(crate) locals: RefCell<BTreeMap<(String, String), Option<Form>>>,
    depth: Cell<usize>,
}

impl<'s> Writer<'s> {
    pub(crate) fn of(evaluation: &'s Evaluation) -> Writer<'s> {
        let library = FunctionLibrary::of(evaluation.project().edition());
        Writer { evaluation, library, locals: RefCell::default(), depth: Cell::new(0) }
    }

    /// Every output of the root and every argument and kind of blocks of each instance of those that are wanted that can be written out: by the
    /// address and, of an instance, the name of the part.
    pub(crate) fn all(&self, is_wanted: &dyn Fn(&str) -> bool) -> BTreeMap<(String, String), Form> {
        let mut found = BTreeMap::new();
        let root = self.evaluation.at_root();
        for (at, output) in self.evaluation.declared_at(&root).outputs.iter().enumerate() {
            let address = format!("output.{}", &*output.name);
            if is_wanted(&address)
                && let Some(form) = self.output(&root, at)
            {
                found.insert((address, String::new()), form);
            }
        }
        let mut waiting = vec![root];
        while let Some(at) = waiting.pop() {
            let module = self.evaluation.declared_at(&at).clone();
            for number in 0..module.resources.len() {
                let count = match self.evaluation.instances_of_resource(&at, number) {
                    Some(instances) => instances.len(),
                    None => 0,
                };
                for position in 0..count {
                    let address = self.address(&at, number, position);
                    if !is_wanted(&address) {
                        continue;
                    }
                    let parts = self.written(&at, number, position);
                    for (name, form) in parts.unwrap_or_default() {
                        found.insert((address.clone(), name), form);
                    }
                }
            }
            for call in 0..module.calls.len() {
                let instances = self.evaluation.instances_of_call(&at, call);
                let count = instances.map_or(0, |instances| instances.len());
                waiting
                    .extend((0..count).filter_map(|one| self.evaluation.at_call(&at, call, one)));
            }
        }
        found
    }

    /// An output of a module, converted as its declaration says.
    pub(crate) fn output(&self, at: &ScopeRef, number: usize) -> Option<Form> {
        let output = &self.evaluation.declared_at(at).outputs[number];
        let form = self.declared(output.value.as_ref()?, at, &Vec::new())?;
        Some(form.settled(&self.evaluation.output_of(at, number)?))
    }

    pub(crate) fn address(&self, at: &ScopeRef, resource: usize, position: usize) -> String {
        let own = self.evaluation.declared_at(at).resources[resource].address();
        let key = self.evaluation.at_resource(at, resource, position).map(|one| one.key());
        let key = key.unwrap_or(InstanceKey::None).suffix();
        match at.module_address() {
            "" => format!("{own}{key}"),
            module => format!("{module}.{own}{key}"),
        }
    }

    /// The arguments and blocks of an instance.
    pub(crate) fn written(
        &self,
        at: &ScopeRef,
        number: usize,
        position: usize,
    ) -> Option<BTreeMap<String, Form>> {
        let resource = &self.evaluation.declared_at(at).resources[number];
        let own = self.evaluation.at_resource(at, number, position)?;
        let bound = self.each(&resource.repetition, &own.key(), at)?;
        let mut parts = self.content(&resource.content, &own, &bound)?;
        if &*resource.kind == "terraform_remote_state" {
            // What is read takes the place of what is written.
            parts.remove("outputs");
        }
        Some(parts)
    }

    fn content(
        &self,
        content: &SchemaBody,
        at: &ScopeRef,
        bound: &Bound,
    ) -> Option<BTreeMap<String, Form>> {
        let mut found = BTreeMap::new();
        for input in &content.arguments {
            found.insert(input.name.to_string(), self.declared(&input.value, at, bound)?);
        }
        for block in &content.blocks {
            if block.dynamic.is_some() {
                return None;
            }
            let inner = Form::Object(self.content(&block.content, at, bound)?, None);
            let before = found.get(&*block.kind).map(Form::text).unwrap_or_default();
            found.insert(block.kind.to_string(), Form::open(format!("{before}{}", inner.text())));
        }
        Some(found)
    }

    /// What `each` stands for in an instance.
    pub(crate) fn each(
        &self,
        repetition: &Repetition,
        key: &InstanceKey,
        at: &ScopeRef,
    ) -> Option<Bound> {
        let (Repetition::Each(each), InstanceKey::Text(key)) = (repetition, key) else {
            return Some(Vec::new());
        };
        let whole = self.declared(each, at, &Vec::new())?;
        Some(vec![("each.value".to_owned(), whole.get(key))])
    }

    /// An expression of a declaration.
    pub(crate) fn declared(
        &self,
        expression: &Expression,
        at: &ScopeRef,
        bound: &Bound,
    ) -> Option<Form> {
        match &expression.expr {
            Expr::Native(native) => self.expression(native.view(), at, bound),
            Expr::Json(_) => {
                let context = self.evaluation.context();
                let context = context.with_scope(self.evaluation.scope_at(at));
                let silent = &mut Diagnostics::new();
                let value = groma_eval::evaluate(&expression.located, &context, silent);
                value.is_wholly_known().then(|| Form::Known(value.unmark_deep().0))
            }
        }
    }

    /// What an expression is worth there.
    pub(crate) fn value(&self, view: ExprView<'_>, at: &ScopeRef, bound: &Bound) -> Value {
        let code = lower_view(view, view.span().start, &self.library);
        let located = LocatedCode { code, file: FileId(0), base: 0 };
        let mut names = NamedValues::new();
        for (name, form) in bound.iter().filter(|(name, _)| !name.contains('.')) {
            names.insert(name.as_str(), form.value());
        }
        let below = self.evaluation.scope_at(at);
        let context = self.evaluation.context().with_scope(Arc::new(LayeredScope { names, below }));
        groma_eval::evaluate(&located, &context, &mut Diagnostics::new())
    }

    /// Writes out an expression; nothing where that is given up.
    pub(crate) fn expression(
        &self,
        view: ExprView<'_>,
        at: &ScopeRef,
        bound: &Bound,
    ) -> Option<Form> {
        if self.depth.get() >= MAX_DEPTH {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let found = self.settled(view, at, bound);
        self.depth.set(self.depth.get() - 1);
        found.filter(|form| !matches!(form, Form::Open(text) if text.len() > LONGEST))
    }

    fn settled(&self, view: ExprView<'_>, at: &ScopeRef, bound: &Bound) -> Option<Form> {
        // The element of a splat has no name, so nothing that holds it can be evaluated.
        if bound.last().is_some_and(|(name, _)| name == ELEMENT) {
            return self.composed(view, at, bound);
        }
        let value = self.value(view, at, bound);
        if value.is_wholly_known() {
            return Some(Form::Known(value.unmark_deep().0));
        }
        Some(self.composed(view, at, bound)?.settled(&value))
    }

    /// Writes out an expression by its parts.
    fn composed(&self, view: ExprView<'_>, at: &ScopeRef, bound: &Bound) -> Option<Form> {
        let inner = |view: ExprView<'_>| self.expression(view, at, bound);
        let text = |view: ExprView<'_>| Some(inner(view)?.text());
        match view.case() {
            ExprCase::Parenthesised(one) => inner(one),
            ExprCase::Unary { op, operand, .. } => {
                Some(Form::open(format!("({op:?} {})", text(operand)?)))
            }
            ExprCase::Binary { op, left, right, .. } => {
                Some(Form::open(format!("({} {op:?} {})", text(left)?, text(right)?)))
            }
            ExprCase::Conditional { condition, then, otherwise } => match inner(condition)? {
                Form::Known(Value::Bool(true)) => inner(then),
                Form::Known(Value::Bool(false)) => inner(otherwise),
                open => {
                    let (then, otherwise) = (text(then)?, text(otherwise)?);
                    Some(Form::open(format!("({} ? {then} : {otherwise})", open.text())))
                }
            },
            ExprCase::Template(template) => match template.lone_interpolation() {
                Some(one) => inner(one),
                None => {
                    let parts = self.template(&template.parts(), at, bound)?;
                    Some(Form::open(format!("\"{parts}\"")))
                }
            },
            ExprCase::Tuple(items) => {
                Some(Form::Tuple(items.into_iter().map(inner).collect::<Option<_>>()?))
            }
            ExprCase::Object(items) => self.object(&items, at, bound),
            ExprCase::For(each) => self.each_of(&each, at, bound),
            ExprCase::Splat { source, full: _, each, .. } => {
                let source = inner(source)?;
                let go_on = |element: Form| {
                    let mut bound = bound.clone();
                    bound.push((ELEMENT.to_owned(), element));
                    self.expression(each, at, &bound)
                };
                match (&source, source.items()) {
                    (_, Some(items)) => {
                        Some(Form::Tuple(items.into_iter().map(go_on).collect::<Option<_>>()?))
                    }
                    (Form::Object(..) | Form::Known(_), None) => {
                        Some(Form::Tuple(vec![go_on(source.clone())?]))
                    }
                    _ => {
                        let each = go_on(Form::open(format!("#{}", bound.len())))?;
                        Some(Form::open(format!("({})[*]{}", source.text(), each.text())))
                    }
                }
            }
            ExprCase::SplatItem => bound.last().map(|(_, element)| element.clone()),
            ExprCase::Call(call) => {
                let args: Vec<Form> =
                    call.args.iter().map(|one| inner(*one)).collect::<Option<_>>()?;
                Some(calls::form(&call.name, args, call.expand))
            }
            ExprCase::Attribute { .. } | ExprCase::Index { .. } | ExprCase::LegacyIndex { .. } => {
                self.traversal(view, at, bound)
            }
            ExprCase::Root(name) => Some(match bound.iter().rev().find(|(own, _)| own == name) {
                Some((_, form)) => form.clone(),
                None => Form::open(name),
            }),
            _ => Some(Form::open(view.text())),
        }
    }

    fn object(&self, items: &[ObjectItem<'_>], at: &ScopeRef, bound: &Bound) -> Option<Form> {
        let mut parts = BTreeMap::new();
        let mut written = String::new();
        let mut is_open = false;
        for item in items {
            let key = match item.key.case() {
                ExprCase::Root(name) => text_value(name),
                _ => self.expression(item.key, at, bound)?,
            };
            let value = self.expression(item.value, at, bound)?;
            written.push_str(&format!("{} = {}, ", key.text(), value.text()));
            match key {
                Form::Known(Value::String(name)) => drop(parts.insert(name.to_string(), value)),
                Form::Known(key) => drop(parts.insert(known_text(&key), value)),
                _ => is_open = true,
            }
        }
        Some(match is_open {
            true => Form::open(format!("{{{written}}}")),
            false => Form::Object(parts, None),
        })
    }

    fn each_of(&self, each: &ForView<'_>, at: &ScopeRef, bound: &Bound) -> Option<Form> {
        let collection = self.expression(each.collection, at, bound)?;
        let with = |key: Form, value: Form| {
            let mut bound = bound.clone();
            if let Some((name, _)) = each.key_name {
                bound.push((name.to_owned(), key));
            }
            bound.push((each.value_name.0.to_owned(), value));
            bound
        };
        let written = |bound: &Bound| {
            let text = |view: Option<ExprView<'_>>| match view {
                Some(view) => Some(self.expression(view, at, bound)?.text()),
                None => Some(String::new()),
            };
            let (key, value) = (text(each.key)?, text(Some(each.value))?);
            let group = if each.group { "..." } else { "" };
            Some(format!("{key} => {value}{group} if {}", text(each.condition)?))
        };
        let Some(walked) = collection.walked() else {
            let name = |part: &str| Form::open(format!("#{part}{}", bound.len()));
            let body = written(&with(name("key"), name("value")))?;
            return Some(Form::open(format!("[for {} : {body}]", collection.text())));
        };
        let (mut items, mut parts, mut all) = (Vec::new(), BTreeMap::new(), String::new());
        let mut is_open = each.group;
        for (key, value) in walked {
            let bound = with(key, value);
            all.push_str(&format!("{}; ", written(&bound)?));
            if let Some(condition) = each.condition {
                match self.expression(condition, at, &bound)? {
                    Form::Known(Value::Bool(true)) => {}
                    Form::Known(Value::Bool(false)) => continue,
                    _ => is_open = true,
                }
            }
            let value = self.expression(each.value, at, &bound)?;
            match each.key {
                None => items.push(value),
                Some(key) => match self.expression(key, at, &bound)? {
                    Form::Known(Value::String(name)) => {
                        parts.insert(name.to_string(), value);
                    }
                    Form::Known(key) => drop(parts.insert(known_text(&key), value)),
                    _ => is_open = true,
                },
            }
        }
        Some(match (is_open, each.is_object) {
            (true, _) => Form::open(format!("[for each {all}]")),
            (false, true) => Form::Object(parts, None),
            (false, false) => Form::Tuple(items),
        })
    }

    fn template(&self, parts: &[TemplatePart<'_>], at: &ScopeRef, bound: &Bound) -> Option<String> {
        let mut all = String::new();
        for part in parts {
            match part {
                TemplatePart::Literal { text, .. } => all.push_str(text),
                TemplatePart::Interpolation { expr, .. } => {
                    match self.expression(*expr, at, bound)? {
                        Form::Known(Value::String(text)) => all.push_str(&text),
                        form => all.push_str(&format!("${{{}}}", form.text())),
                    }
                }
                TemplatePart::If { condition, then, otherwise, .. } => {
                    let otherwise = otherwise.as_deref().unwrap_or_default();
                    match self.expression(*condition, at, bound)? {
                        Form::Known(Value::Bool(true)) => {
                            all.push_str(&self.template(then, at, bound)?);
                        }
                        Form::Known(Value::Bool(false)) => {
                            all.push_str(&self.template(otherwise, at, bound)?);
                        }
                        open => {
                            let then = self.template(then, at, bound)?;
                            let otherwise = self.template(otherwise, at, bound)?;
                            let open = open.text();
                            all.push_str(&format!("%{{{open}}}{then}%{{else}}{otherwise}%{{}}"));
                        }
                    }
                }
                TemplatePart::For { key_name, value_name, collection, body, .. } => {
                    let collection = self.expression(*collection, at, bound)?;
                    let open = || {
                        let name = |part: &str| Form::open(format!("#{part}{}", bound.len()));
                        vec![(name("key"), name("value"))]
                    };
                    let walked = collection.walked();
                    if walked.is_none() {
                        all.push_str(&format!("%{{for {}}}", collection.text()));
                    }
                    for (key, value) in walked.unwrap_or_else(open) {
                        let mut bound = bound.clone();
                        if let Some((name, _)) = key_name {
                            bound.push(((*name).to_owned(), key));
                        }
                        bound.push((value_name.0.to_owned(), value));
                        all.push_str(&self.template(body, at, &bound)?);
                    }
                }
            }
        }
        Some(all)
    }
}

/// What the element of a splat is called among bound names.
pub(crate) const ELEMENT: &str = "*";
