//! Of which other parts an expression makes a part, as far as the code alone shows: through constructors, references and
//! loops over instances that hand on what they take. What chooses or works something out is left to be asked: no answer
//! here says only that this does not tell.

use groma_folder::{Key, Mode};
use groma_module::declare::{Expression, Module, Referent, Repetition};
use groma_module::visit::Declaration;
use groma_project::{ModuleNode, Project};
use groma_syntax::Expr;
use groma_syntax::ast::{Case, ExprView as View, For, TemplatePart};
use groma_value::Str;
use groma_why::WhyStep;

/// An object or a tuple with more items is not looked through for one of them.
const MANY: usize = 64;
/// So many parts of one expression are looked at.
const MOST: usize = 256;

/// A part of something: its address, and the way into it.
pub(crate) type Part = (String, Vec<WhyStep>);

/// What a part is made of.
pub(crate) enum Handed {
    /// It is this one, and known where this one is.
    On(Part),
    /// These, and what is written alike on both sides.
    Made(Vec<Part>),
}

/// Two projects, of which the newer was loaded with what the older one kept.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'p> {
    pub(crate) was: &'p Project,
    pub(crate) is: &'p Project,
}

/// What is declared with one expression.
struct Declared<'w> {
    expression: &'w Expression,
    module: &'w Module,
    /// Where the module stands.
    node: ModuleNode<'w>,
}

impl<'p> Ways<'p> {
    /// What a part is made of that is written alike on both sides; `own` is its address without keys.
    pub(crate) fn of(self, address: &str, own: &str, steps: &[WhyStep]) -> Option<Handed> {
        let (node, declaration) = self.is.declared(own)?;
        let (before, there) = self.was.declared(own)?;
        let module = node.module();
        if !module.is_same(declaration, before.module(), there) {
            return None;
        }
        let (expression, steps) = expression(module, declaration, steps)?;
        let declared = Declared { expression, module, node };
        let Expr::Native(native) = &expression.expr else { return None };
        let (whole, key) = address.split_at(key_start(address));
        let mut walk = Walk {
            ways: self,
            declared: &declared,
            prefix: whole.strip_suffix(&*declaration.address(module))?,
            key,
            element: None,
            parts: Vec::new(),
            is_on: true,
        };
        walk.all(native.view(), steps.to_vec())?;
        let Walk { mut parts, is_on, .. } = walk;
        match (is_on, parts.len()) {
            (true, 1) => parts.pop().map(Handed::On),
            _ => Some(Handed::Made(parts)),
        }
    }
}

/// The one expression that a part of a declaration comes from, and the way into what that gives.
fn expression<'w>(
    module: &'w Module,
    declaration: Declaration,
    steps: &'w [WhyStep],
) -> Option<(&'w Expression, &'w [WhyStep])> {
    let (expression, steps) = match declaration {
        Declaration::Output(at) => {
            let output = &module.outputs[at as usize];
            // A type may make something else of it.
            (output.value.as_ref().filter(|_| output.ty.is_none())?, steps)
        }
        Declaration::Local(at) => (&module.locals[at as usize].value, steps),
        Declaration::Resource(at) if module.resources[at as usize].mode == Mode::Managed => {
            let (WhyStep::Name(asked), rest) = steps.split_first()? else { return None };
            let content = &module.resources[at as usize].content;
            let mut arguments = content.arguments.iter().filter(|one| one.name == *asked);
            let argument = arguments.next()?;
            let is_alone = arguments.next().is_none()
                && !content.blocks.iter().any(|block| block.kind == *asked);
            (is_alone.then_some(&argument.value)?, rest)
        }
        _ => return None,
    };
    (!expression.deferred).then_some((expression, steps))
}

/// Where the key of an instance begins in its address; the end where it has none.
pub(crate) fn key_start(address: &str) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut start = address.len();
    for (at, byte) in address.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b'[' if !is_quoted => start = at,
            // What follows has none yet.
            b'.' if !is_quoted => start = address.len(),
            _ => {}
        }
    }
    start
}

/// What has instances, by its position in the module's list.
#[derive(Clone, Copy)]
enum Whole {
    Call(usize),
    Resource(usize),
}

/// One step of a reference.
#[derive(Clone)]
enum Hop {
    Step(WhyStep),
    /// By the key of the instance that refers.
    Own,
}

/// The element that a loop stands at.
#[derive(Clone)]
struct Element<'t> {
    key_name: Option<&'t str>,
    /// Empty for that of a splat.
    name: &'t str,
    of: Whole,
    /// The key of the instance.
    key: WhyStep,
}

struct Walk<'w, 't> {
    ways: Ways<'w>,
    declared: &'w Declared<'w>,
    /// What stands before addresses in the module's instance.
    prefix: &'w str,
    /// The key of the instance that the expression stands in.
    key: &'w str,
    element: Option<Element<'t>>,
    parts: Vec<Part>,
    /// Whether nothing has been made of the part.
    is_on: bool,
}

impl<'t> Walk<'_, 't> {
    /// Takes what makes up the part of an expression that the steps lead to.
    fn all(&mut self, view: View<'t>, steps: Vec<WhyStep>) -> Option<()> {
        let mut left = MOST;
        let mut rest = vec![(view, steps)];
        while let Some((view, steps)) = rest.pop() {
            left = left.checked_sub(1)?;
            match view.case() {
                Case::Parenthesised(inner) => rest.push((inner, steps)),
                Case::Tuple(items) if items.len() <= MANY => match steps.split_first() {
                    Some((step, behind)) => {
                        rest.push((*items.get(number(step)?)?, behind.to_vec()))
                    }
                    None => {
                        self.is_on = false;
                        rest.extend(items.into_iter().map(|item| (item, Vec::new())));
                    }
                },
                Case::Object(items) if items.len() <= MANY => {
                    let mut chosen = Vec::new();
                    for item in items {
                        let name = plain_key(item.key)?;
                        let is_meant = steps.first().is_none_or(|step| is_named(step, &name));
                        chosen.extend(is_meant.then_some(item.value));
                    }
                    match (steps.split_first(), chosen.as_slice()) {
                        (Some((_, behind)), [only]) => rest.push((*only, behind.to_vec())),
                        (Some(_), _) => return None,
                        (None, _) => {
                            self.is_on = false;
                            rest.extend(chosen.into_iter().map(|item| (item, Vec::new())));
                        }
                    }
                }
                Case::Template(template) => match template.lone_interpolation() {
                    Some(inner) => rest.push((inner, steps)),
                    None if steps.is_empty() => {
                        self.is_on = false;
                        for part in template.parts() {
                            match part {
                                TemplatePart::Literal { .. } => {}
                                TemplatePart::Interpolation { expr, .. } => {
                                    rest.push((expr, Vec::new()));
                                }
                                _ => return None,
                            }
                        }
                    }
                    None => return None,
                },
                Case::Number(_) if steps.is_empty() => self.is_on = false,
                Case::Unary { operand, .. } if steps.is_empty() => {
                    self.is_on = false;
                    rest.push((operand, steps));
                }
                Case::For(each) => rest.push(self.each(&each, &steps)?),
                Case::Splat { source, each, .. } => {
                    let (step, behind) = steps.split_first()?;
                    self.stand("", None, source, WhyStep::At(number(step)?))?;
                    rest.push((each, behind.to_vec()));
                }
                Case::Root(_)
                | Case::SplatItem
                | Case::Attribute { .. }
                | Case::LegacyIndex { .. }
                | Case::Index { .. } => self.reference(view, steps)?,
                _ => return None,
            }
        }
        Some(())
    }

    /// What a loop makes of the element that the first step chooses.
    fn each(&mut self, each: &For<'t>, steps: &[WhyStep]) -> Option<(View<'t>, Vec<WhyStep>)> {
        let (step, behind) = steps.split_first()?;
        let key_name = each.key_name.map(|(name, _)| name);
        let (name, _) = each.value_name;
        if each.condition.is_some() || each.group || !takes(each.value, name) {
            return None;
        }
        let key = match each.key.map(View::case) {
            Some(Case::Root(own)) if Some(own) == key_name && own != name => {
                WhyStep::Name(text(step))
            }
            Some(_) => return None,
            None => WhyStep::At(number(step)?),
        };
        self.stand(name, key_name, each.collection, key)?;
        Some((each.value, behind.to_vec()))
    }

    /// Lets a name stand for the instance with a key.
    fn stand(
        &mut self,
        name: &'t str,
        key_name: Option<&'t str>,
        collection: View<'t>,
        key: WhyStep,
    ) -> Option<()> {
        let (root, hops) = chain(collection)?;
        let (of, names) = self.whole(self.target(collection)?, root)?;
        let module = self.declared.module;
        let repetition = match of {
            Whole::Call(at) => &module.calls[at].repetition,
            Whole::Resource(at) => &module.resources[at].repetition,
        };
        let is_named = matches!(key, WhyStep::Name(_));
        let has_such_keys = match repetition {
            Repetition::Each(_) => is_named,
            Repetition::Count(_) => !is_named,
            _ => false,
        };
        if !has_such_keys || hops.len() != names || self.element.is_some() {
            return None;
        }
        self.element = Some(Element { key_name, name, of, key });
        Some(())
    }

    /// What has instances that a reference leads to, and how many steps behind its root name that.
    fn whole(&self, target: &Referent, root: &str) -> Option<(Whole, usize)> {
        match target {
            Referent::Call(call) | Referent::Output { call, .. } => {
                Some((Whole::Call(*call as usize), 1))
            }
            Referent::Resource(at) => {
                let at = *at as usize;
                let is_bare = self.declared.module.resources.get(at)?.mode == Mode::Managed;
                let names = if is_bare && root != "resource" { 1 } else { 2 };
                Some((Whole::Resource(at), names))
            }
            _ => None,
        }
    }

    /// What the reference leads to that a part of the expression is.
    fn target(&self, view: View<'t>) -> Option<&Referent> {
        let Expression { uses, located, .. } = self.declared.expression;
        let (references, start) = (located.code.references(), view.span().start);
        let is_meant = |at: u32| {
            let reference = references.get(at as usize);
            reference.is_some_and(|one| one.span.shift(located.base).start == start)
        };
        let mut found = uses.iter().filter(|used| is_meant(used.reference));
        let only = found.next()?;
        found.next().is_none().then_some(&only.target)
    }

    fn reference(&mut self, view: View<'t>, steps: Vec<WhyStep>) -> Option<()> {
        let (root, mut hops) = chain(view)?;
        hops.extend(steps.into_iter().map(Hop::Step));
        if let Some(element) = &self.element {
            if root == element.name {
                let (of, key) = (element.of, Hop::Step(element.key.clone()));
                hops.insert(0, key);
                return self.part(of, &hops);
            }
            if Some(root) == element.key_name {
                self.is_on = false;
                return hops.is_empty().then_some(());
            }
        }
        let first = match hops.first() {
            Some(Hop::Step(WhyStep::Name(name))) => Some(&**name),
            _ => None,
        };
        match (root, first) {
            ("true" | "false" | "null", None) if hops.is_empty() => {
                self.is_on = false;
                return Some(());
            }
            ("each", Some("key")) | ("count", Some("index")) if hops.len() == 1 => {
                self.is_on = false;
                return Some(());
            }
            _ => {}
        }
        let module = self.declared.module;
        let own = match self.target(view)? {
            Referent::Variable(at) => format!("var.{}", &*module.variables.get(*at as usize)?.name),
            Referent::Local(at) => format!("local.{}", &*module.locals.get(*at as usize)?.name),
            target => {
                let (of, names) = self.whole(target, root)?;
                return self.part(of, hops.get(names..)?);
            }
        };
        let behind = literal(hops.get(1..)?)?;
        self.parts.push((format!("{}{own}", self.prefix), behind));
        Some(())
    }

    /// Takes a part of what has instances.
    fn part(&mut self, of: Whole, hops: &[Hop]) -> Option<()> {
        let module = self.declared.module;
        let (repetition, mut address) = match of {
            Whole::Call(at) => {
                let call = module.calls.get(at)?;
                (&call.repetition, [self.prefix, "module.", &*call.name].concat())
            }
            Whole::Resource(at) => {
                let resource = module.resources.get(at)?;
                let (prefix, kind, name) =
                    (resource.mode.prefix(), &*resource.kind, &*resource.name);
                (&resource.repetition, [self.prefix, prefix, kind, ".", name].concat())
            }
        };
        let behind = match repetition {
            Repetition::Single => hops,
            Repetition::Count(_) | Repetition::Each(_) => {
                let (key, behind) = hops.split_first()?;
                match key {
                    Hop::Own => address.push_str(self.key),
                    Hop::Step(WhyStep::Name(name)) => {
                        address.push_str(&Key::Text(name.clone()).suffix());
                    }
                    Hop::Step(WhyStep::At(at)) => address.push_str(&Key::Number(*at).suffix()),
                }
                behind
            }
            _ => return None,
        };
        let mut steps = literal(behind)?;
        let Some(WhyStep::Name(name)) = steps.first().cloned() else { return None };
        if let Whole::Call(at) = of {
            let inside = self.declared.node.child(at)?;
            inside.module().names.output(&name)?;
            self.ways.was.declared(&format!("{}.output.{}", inside.address(), &*name))?;
            address.push_str(".output.");
            address.push_str(&name);
            steps.remove(0);
        }
        self.parts.push((address, steps));
        Some(())
    }
}

/// The root of a reference and its steps; nothing where one of these is worked out otherwise than from the instance's key.
fn chain(mut view: View<'_>) -> Option<(&str, Vec<Hop>)> {
    let mut hops = Vec::new();
    loop {
        view = match view.case() {
            Case::Root(name) => {
                hops.reverse();
                return Some((name, hops));
            }
            Case::SplatItem => {
                hops.reverse();
                return Some(("", hops));
            }
            Case::Attribute { object, name, .. } => {
                hops.push(Hop::Step(WhyStep::Name(name.into())));
                object
            }
            Case::LegacyIndex { object, digits, .. } => {
                hops.push(Hop::Step(WhyStep::At(digits.parse().ok()?)));
                object
            }
            Case::Index { object, key, .. } => {
                hops.push(match key.case() {
                    Case::Number(digits) => Hop::Step(WhyStep::At(digits.parse().ok()?)),
                    Case::Template(template) => {
                        Hop::Step(WhyStep::Name(Str::from(&*template.plain()?)))
                    }
                    Case::Attribute { object, name, .. } => match (object.case(), name) {
                        (Case::Root("each"), "key") | (Case::Root("count"), "index") => Hop::Own,
                        _ => return None,
                    },
                    _ => return None,
                });
                object
            }
            _ => return None,
        };
    }
}

/// Steps that are all written out.
fn literal(hops: &[Hop]) -> Option<Vec<WhyStep>> {
    let step = |hop: &Hop| match hop {
        Hop::Step(step) => Some(step.clone()),
        Hop::Own => None,
    };
    hops.iter().map(step).collect()
}

/// Whether an expression takes something of a name.
fn takes(view: View<'_>, name: &str) -> bool {
    let mut rest = vec![view];
    while let Some(view) = rest.pop() {
        let case = view.case();
        if matches!(case, Case::Root(root) if root == name) {
            return true;
        }
        case.inner(|one| rest.push(one));
    }
    false
}

/// The name of an item that is written out.
fn plain_key(key: View<'_>) -> Option<std::borrow::Cow<'_, str>> {
    match key.case() {
        Case::Root(name) => Some(name.into()),
        Case::Template(template) => template.plain(),
        _ => None,
    }
}

fn is_named(step: &WhyStep, name: &str) -> bool {
    match step {
        WhyStep::Name(own) => **own == *name,
        WhyStep::At(at) => *name == *at.to_string(),
    }
}

fn number(step: &WhyStep) -> Option<usize> {
    match step {
        WhyStep::At(at) => Some(*at),
        WhyStep::Name(_) => None,
    }
}

fn text(step: &WhyStep) -> Str {
    match step {
        WhyStep::Name(name) => name.clone(),
        WhyStep::At(at) => Str::from(at.to_string().as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::key_start;

    #[test]
    fn addresses_are_taken_apart() {
        assert_eq!(key_start("module.a[\"x\"].b.c[0]"), 17);
        assert_eq!(key_start("module.a[\"x\"].b.c"), 17);
        assert_eq!(key_start("a.b[\"[.]\"]"), 3);
    }
}
