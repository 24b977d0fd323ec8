//! Features used by a module that not every edition supports: blocks, arguments, functions and some constructs. Only native
//! syntax is searched, and a text is parsed only if it contains one of the words.

use std::fmt;
use std::sync::LazyLock;

use groma_config::BlockRow;
use groma_functions::FunctionLibrary;
use groma_runtime::{Availability, Dialect, Semantics};
use groma_syntax::{Body, BodyItem, FileId, Place, Sources, Span, TokenKind, parse_file};
use rustc_hash::FxHashMap;

use crate::declare::Module;
use crate::dialect::MODULE;
use crate::dialect::construct::{self, Construct};
use crate::visit::{ExpressionRole, RuleKind};
use crate::words::WordIndex;

/// The kind of a feature that not every edition supports, such as block, argument or function, with its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FeatureKind {
    /// A kind of block.
    Block(&'static str),
    /// An argument of a kind of block.
    Argument {
        /// The block.
        block: &'static str,
        /// The argument.
        name: &'static str,
    },
    /// A function call.
    Function(String),
    /// A language construct, described in a few words.
    Construct(&'static str),
}

impl fmt::Display for FeatureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FeatureKind::Block(kind) => write!(f, "the block {kind}"),
            FeatureKind::Argument { block, name } => write!(f, "the argument {name} of {block}"),
            FeatureKind::Function(name) => write!(f, "the function {name}"),
            FeatureKind::Construct(what) => f.write_str(what),
        }
    }
}

/// A use of a feature that not every edition supports.
#[derive(Clone, Debug)]
pub struct FeatureUse {
    /// The kind.
    pub kind: FeatureKind,
    /// The editions that support it.
    pub editions: Availability,
    /// The source range of the use.
    pub place: Place,
}

/// Returns true if some known edition of OpenTofu or Terraform lacks a feature that exists in the given `editions`.
pub fn is_somewhere_absent(editions: Availability) -> bool {
    let is_old = |dialect| editions.since(dialect).is_some_and(|since| since.major == 0);
    !Dialect::OF_MODULES.into_iter().all(is_old)
}

impl Module {
    /// Returns the uses of features in the module that some known edition does not support and whose editions satisfy `counts`,
    /// in file order.
    pub fn feature_uses(
        &self,
        sources: &Sources,
        counts: &dyn Fn(Availability) -> bool,
    ) -> Vec<FeatureUse> {
        let counts = |editions| is_somewhere_absent(editions) && counts(editions);
        let mut found = Vec::new();
        let tells = |editions: &Availability| counts(*editions);
        for file in &self.files {
            let source = sources.get(*file);
            let is_native = !source.name().ends_with(".json");
            if is_native && WORDS.are_in(source.text(), tells) {
                of_text(source.text(), *file, &mut found);
            }
        }
        found.retain(|need| counts(need.editions));
        if FORMS.iter().any(|form| counts(form.editions)) {
            self.forms(&mut |form: &Construct, place| {
                if counts(form.editions) {
                    found.push(construct_use(form, place));
                }
            });
        }
        found.sort_by_key(|need| sources.resolve(need.place));
        found.dedup_by_key(|need| (sources.resolve(need.place), need.kind.clone()));
        found
    }

    /// Calls `see` with each use of the constructs in [`FORMS`] in the module, and the place of the use.
    fn forms(&self, see: &mut dyn FnMut(&Construct, Place)) {
        self.visit(&mut |declaration, seen| {
            let is_computed = || seen.expression.constant().is_none();
            let place = seen.expression.place();
            match seen.role {
                ExpressionRole::Source if is_computed() => see(&construct::COMPUTED_SOURCE, place),
                ExpressionRole::PreventDestroy if is_computed() => {
                    see(&construct::COMPUTED_PREVENT_DESTROY, place)
                }
                ExpressionRole::Condition(RuleKind::Validation) => {
                    let own = match declaration {
                        crate::visit::Declaration::Variable(at) => at,
                        _ => return,
                    };
                    use crate::declare::Referent::{Broken, Itself, Settled, Variable};
                    let is_foreign = seen.expression.uses.iter().any(|used| match used.target {
                        Variable(at) => at != own,
                        Settled | Itself | Broken => false,
                        _ => true,
                    });
                    if is_foreign {
                        see(&construct::VALIDATION_OF_OTHERS, place);
                    }
                }
                _ => {}
            }
        });
    }
}

/// Returns the use of a language construct at a place.
fn construct_use(form: &Construct, place: Place) -> FeatureUse {
    FeatureUse { kind: FeatureKind::Construct(form.what), editions: form.editions, place }
}

/// Constructs whose use is visible only once references are resolved, such as a computed module source.
static FORMS: [&Construct; 3] = [
    &construct::COMPUTED_SOURCE,
    &construct::COMPUTED_PREVENT_DESTROY,
    &construct::VALIDATION_OF_OTHERS,
];

/// Index of the words of features, with the editions that support them: a text without any of them needs no parsing.
static WORDS: LazyLock<WordIndex<Availability>> = LazyLock::new(|| {
    let functions = FunctionLibrary::all_names()
        .filter_map(|name| Some((name, FunctionLibrary::editions_of(name)?)));
    let mut words: Vec<(&'static str, Availability)> = functions.collect();
    words.extend(construct::ALL.iter().map(|form| (form.word, form.editions)));
    for (name, word) in [("core_namespace", "core"), ("provider_functions", "provider")] {
        words.extend(namespace(name).map(|editions| (word, editions)));
    }
    let mut rest: Vec<&BlockRow> = MODULE.iter().collect();
    while let Some(row) = rest.pop() {
        words.push((row.kind, row.editions));
        words.extend(row.arguments.iter().map(|argument| (argument.name, argument.editions)));
        rest.extend(row.blocks);
    }
    WordIndex::of(words.into_iter().filter(|(_, editions)| is_somewhere_absent(*editions)))
});

/// Returns the editions to which the named entry of [`Semantics::DIFFERENCES`] applies, such as `provider_functions`: those
/// with that namespace of functions; `None` if no entry has this name.
fn namespace(name: &str) -> Option<Availability> {
    Semantics::DIFFERENCES.iter().find(|row| row.name == name).map(|row| row.editions)
}

/// Parses a text and adds the uses of features in it to `found`.
fn of_text(text: &std::sync::Arc<str>, file: FileId, found: &mut Vec<FeatureUse>) {
    let parse = parse_file(text, file);
    let body = Body::of(&parse);
    rows_of(&body, MODULE, &mut |need| found.push(need));
    let actions: Vec<Span> = body
        .items()
        .into_iter()
        .filter_map(|item| match item {
            BodyItem::Block(block) if &*block.kind.text == "action" => Some(block.span),
            _ => None,
        })
        .collect();
    let tokens = parse.tree.tokens();
    let word = |at: usize| tokens.get(at).map_or("", |token| token.span().of(text));
    let kind = |at: usize| tokens.get(at).map(|token| token.kind());
    let mut known: FxHashMap<&str, Option<Availability>> = FxHashMap::default();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind() != TokenKind::Identifier {
            continue;
        }
        let place = Place::new(file, token.span());
        if kind(at + 1) == Some(TokenKind::Dot) && word(at + 2) == "applying" {
            let is_root = at == 0 || kind(at - 1) != Some(TokenKind::Dot);
            if is_root && matches!(word(at), "terraform" | "tofu") {
                found.push(construct_use(&construct::APPLYING, place));
            }
        }
        if kind(at + 1) == Some(TokenKind::Dot)
            && word(at) == construct::CALLER.word
            && (at == 0 || kind(at - 1) != Some(TokenKind::Dot))
            && is_inside(&actions, token.span().start)
        {
            found.push(construct_use(&construct::CALLER, place));
        }
        if kind(at + 1) == Some(TokenKind::DoubleColon) {
            let name = match word(at) {
                "core" => "core_namespace",
                "provider" => "provider_functions",
                _ => continue,
            };
            let kind = FeatureKind::Construct(match name {
                "core_namespace" => "functions under core::",
                _ => "functions of providers",
            });
            let editions = namespace(name);
            found.extend(editions.map(|editions| FeatureUse { kind, editions, place }));
            continue;
        }
        if kind(at + 1) != Some(TokenKind::OpenParen) {
            continue;
        }
        let is_provided = at > 0 && kind(at - 1) == Some(TokenKind::DoubleColon);
        if word(at) == "optional" {
            found.push(construct_use(&construct::OPTIONAL, place));
        } else if !is_provided || (at > 1 && word(at - 2) == "core") {
            let name = word(at);
            let editions = *known.entry(name).or_insert_with(|| FunctionLibrary::editions_of(name));
            let function = |editions| FeatureUse {
                kind: FeatureKind::Function(name.to_owned()),
                editions,
                place,
            };
            found.extend(editions.filter(|one| is_somewhere_absent(*one)).map(function));
        }
    }
}

/// Returns true if an offset is inside one of these sorted spans.
fn is_inside(spans: &[Span], at: u32) -> bool {
    let before = spans.partition_point(|span| span.end <= at);
    spans.get(before).is_some_and(|span| span.start <= at)
}

/// Calls `see` with each block and argument of a body that, by its row among `rows`, some known edition does not support, in
/// source order.
pub(crate) fn rows_of(body: &Body, rows: &'static [BlockRow], see: &mut dyn FnMut(FeatureUse)) {
    let Body::Native(_) = body else { return };
    let file = body.file();
    // Blocks nest no deeper than rows do, which bounds the recursion.
    for item in body.items() {
        let BodyItem::Block(block) = item else { continue };
        let Some(row) = rows.iter().find(|row| row.kind == &*block.kind.text) else { continue };
        if is_somewhere_absent(row.editions) {
            let (kind, editions) = (FeatureKind::Block(row.kind), row.editions);
            see(FeatureUse { kind, editions, place: Place::new(file, block.kind.span) });
        }
        if row.kind == "resource"
            && let Some(label) = block.labels.first()
            && &*label.text == construct::TERRAFORM_DATA.word
        {
            see(construct_use(&construct::TERRAFORM_DATA, Place::new(file, label.span)));
            for inner in block.body.items() {
                if let BodyItem::Block(inner) = inner
                    && &*inner.kind.text == construct::STORE.word
                {
                    see(construct_use(&construct::STORE, Place::new(file, inner.kind.span)));
                }
            }
        }
        for inner in block.body.items() {
            let BodyItem::Argument(argument) = inner else { continue };
            let known = row.arguments.iter().find(|known| known.name == &*argument.name.text);
            if let Some(known) = known.filter(|known| is_somewhere_absent(known.editions)) {
                let kind = FeatureKind::Argument { block: row.kind, name: known.name };
                let place = Place::new(file, argument.name.span);
                see(FeatureUse { kind, editions: known.editions, place });
            }
        }
        rows_of(&block.body, row.blocks, see);
    }
}
