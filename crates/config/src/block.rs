//! Raw blocks: checked against their rows only, with names, labels, arguments and nested blocks. Override files are merged in
//! this form, before blocks are declared.

use groma_eval::news;
use groma_runtime::Edition;
use groma_syntax::json::JsonCase;
use groma_syntax::{
    Block, Body, BodyItem, Diagnostic, DiagnosticCode, Diagnostics, Expr, FileId, Place, Span,
};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::row::{self, BlockRow, OpenContent};
use crate::sentence::did_you_mean;

/// An argument as written: its name, its expression and their places.
#[derive(Clone, Debug)]
pub struct RawArgument {
    /// Its name.
    pub name: Str,
    /// The place of the name.
    pub name_place: Place,
    /// The place of the whole argument.
    pub place: Place,
    /// The value.
    pub expr: Expr,
}

impl RawArgument {
    /// Returns the argument with its places said to be in `file`, which numbers a file or a part of one; the spans stay.
    pub fn numbered(mut self, file: FileId) -> RawArgument {
        self.name_place.file = file;
        self.place.file = file;
        self.expr = self.expr.numbered(file);
        self
    }
}

/// A label of a block as written: its text and its place.
#[derive(Clone, Debug)]
pub struct RawLabel {
    /// Its text.
    pub text: Str,
    /// The place of the label.
    pub place: Place,
}

/// A block as written and checked against its row: its labels, arguments and nested blocks.
#[derive(Clone, Debug)]
pub struct RawBlock {
    /// The type of the block.
    pub kind: Str,
    /// Its labels.
    pub labels: Vec<RawLabel>,
    /// The place of the type and the labels.
    pub header: Place,
    /// The place at which missing items of the body are reported: a brace.
    pub edge: Place,
    /// The arguments, in source order, each name once.
    pub arguments: Vec<RawArgument>,
    /// The blocks inside, in source order.
    pub blocks: Vec<RawBlock>,
    /// True if it is in a file that only OpenTofu reads.
    pub in_own_file: bool,
    /// The last override that changed it, if any; for a variable, the last that changed its possible values.
    pub overridden: Option<Place>,
    /// The place of a part that a newer edition may allow, if any.
    pub news: Option<Place>,
}

impl RawBlock {
    /// Returns the block with its places said to be in `file`, which numbers a file or a part of one; the spans stay.
    pub fn numbered(mut self, file: FileId) -> RawBlock {
        self.header.file = file;
        self.edge.file = file;
        self.labels.iter_mut().for_each(|label| label.place.file = file);
        self.news.iter_mut().for_each(|place| place.file = file);
        let arguments = self.arguments.into_iter().map(|argument| argument.numbered(file));
        self.arguments = arguments.collect();
        self.blocks = self.blocks.into_iter().map(|block| block.numbered(file)).collect();
        self
    }

    /// Returns a copy of the block with its arguments replaced.
    pub fn with_arguments(&self, arguments: Vec<RawArgument>) -> RawBlock {
        RawBlock {
            kind: self.kind.clone(),
            labels: self.labels.clone(),
            header: self.header,
            edge: self.edge,
            arguments,
            blocks: self.blocks.clone(),
            in_own_file: self.in_own_file,
            overridden: self.overridden,
            news: self.news,
        }
    }

    /// Returns the argument named `name`, if the block has it.
    pub fn argument(&self, name: &str) -> Option<&RawArgument> {
        self.arguments.iter().find(|argument| &*argument.name == name)
    }

    /// Returns the nested blocks of the type `kind`.
    pub fn blocks_of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a RawBlock> {
        self.blocks.iter().filter(move |block| &*block.kind == kind)
    }

    /// Returns the text of the label at `index`; empty if there is none.
    pub fn label(&self, index: usize) -> &str {
        self.labels.get(index).map_or("", |label| &label.text)
    }
}

/// A reader that converts the blocks of a file to raw blocks and checks them against their rows.
pub struct BlockReader<'a> {
    /// The edition whose rows apply.
    pub edition: Edition,
    /// The file of the blocks.
    pub file: FileId,
    /// True if only OpenTofu reads the file.
    pub in_own_file: bool,
    /// True if its blocks change others, and so may be incomplete.
    pub is_override: bool,
    /// The name of the files in messages.
    pub whose: &'static str,
    /// Returns a sentence, with a leading space, that names the files in which a block type is allowed; empty if there are none.
    pub elsewhere: fn(&str, Edition) -> &'static str,
    /// The sink of diagnostics.
    pub out: &'a mut Diagnostics,
}

impl BlockReader<'_> {
    /// Returns the place of a span in the reader's file.
    fn place(&self, span: Span) -> Place {
        Place::new(self.file, span)
    }

    /// Reads all blocks of a file that `rows` allow; others are reported and left out.
    pub fn file(&mut self, body: &Body, rows: &'static [BlockRow]) -> Vec<RawBlock> {
        let content = row::content(body, &[], rows, self.out);
        let mut blocks = Vec::new();
        for block in content.blocks {
            if let Ok(row) = self.row(&block, rows, self.whose) {
                let raw = self.block(row, &block);
                // Items that an override omits are in the block that it changes.
                if !self.is_override {
                    self.report_missing(row, &block, &raw);
                }
                blocks.push(raw);
            }
        }
        for item in content.rest {
            match item {
                BodyItem::Block(block) => {
                    let _ = self.row(&block, rows, self.whose);
                }
                BodyItem::Argument(argument) => {
                    let name = argument.name.text.as_str();
                    let hint = match rows.iter().any(|row| row.kind == name) {
                        true => format!(" Write it as a block: {name} {{ … }}."),
                        false => did_you_mean(name, rows.iter().map(|row| row.kind)),
                    };
                    let detail = format!(
                        "{} cannot have arguments outside of blocks, but \"{name}\" is one.{hint}",
                        self.whose
                    );
                    let place = self.place(argument.name.span);
                    self.out
                        .push(Diagnostic::error(&codes::UNSUPPORTED_ARGUMENT, detail).at(place));
                }
            }
        }
        blocks
    }

    /// Reads one top-level block of a file; `None`, after a report, if no row describes it.
    pub fn top_level_block(
        &mut self,
        block: &Block,
        rows: &'static [BlockRow],
    ) -> Option<RawBlock> {
        let row = self.row(block, rows, self.whose).ok()?;
        let raw = self.block(row, block);
        self.report_missing(row, block, &raw);
        Some(raw)
    }

    /// Returns the row that describes a block in `whose`, as messages call the body; the error, after a report, is the block's
    /// place if a newer edition may allow it.
    fn row(
        &mut self,
        block: &Block,
        rows: &'static [BlockRow],
        whose: &str,
    ) -> Result<&'static BlockRow, Option<Place>> {
        let kind = block.kind.text.as_str();
        let found = rows.iter().find(|row| row.kind == kind);
        let detail = match found {
            Some(row) if row.editions.includes(self.edition) => return Ok(row),
            Some(row) => format!(
                "Blocks of type \"{kind}\" exist in {}; this is {}.",
                row.editions.editions_text(),
                self.edition.known()
            ),
            None => {
                let known = rows.iter().filter(|row| row.editions.includes(self.edition));
                let hint = did_you_mean(kind, known.map(|row| row.kind));
                let elsewhere = (self.elsewhere)(kind, self.edition);
                format!("Blocks of type \"{kind}\" are not allowed in {whose}.{elsewhere}{hint}")
            }
        };
        Err(self.refuse(&codes::UNSUPPORTED_BLOCK, detail, self.place(block.kind.span)))
    }

    /// Reports an argument or block that is not allowed; returns its place if a newer edition may allow it.
    fn refuse(
        &mut self,
        code: &'static DiagnosticCode,
        detail: String,
        place: Place,
    ) -> Option<Place> {
        self.out.push(news::refuse(code, detail, self.edition).at(place));
        news::is_news(code, self.edition).then_some(place)
    }

    /// Reads a block with its nested blocks as `row` describes it.
    fn block(&mut self, row: &'static BlockRow, block: &Block) -> RawBlock {
        let mut raw = self.empty(block);
        let mut seen = FxHashSet::default();
        let content = row::content(&block.body, row.arguments, row.blocks, self.out);
        // There are many blocks, most are small, and they live as long as the module.
        raw.arguments.reserve_exact(content.arguments.len() + arguments_of(&content.rest));
        raw.blocks.reserve_exact(content.blocks.len());
        for argument in content.arguments {
            if self.admits_argument(row, &argument, &mut raw.news) {
                self.keep(&mut raw, argument, &mut seen);
            }
        }
        for inner in content.blocks {
            let whose = format!("{} block", row::a(row.kind));
            let inner_row = self.row(&inner, row.blocks, &whose);
            if let Err(news) = inner_row {
                raw.news = raw.news.or(news);
            }
            if let Ok(inner_row) = inner_row {
                let read = self.block(inner_row, &inner);
                raw.news = raw.news.or(read.news);
                self.report_missing(inner_row, &inner, &read);
                if inner_row.is_single
                    && let Some(first) = raw.blocks_of(inner_row.kind).next()
                {
                    let detail = format!(
                        "{} block may have only one \"{}\" block. Merge the two.",
                        row::capital_a(row.kind),
                        inner_row.kind
                    );
                    let twice = Diagnostic::error(&codes::DUPLICATE_BLOCK, detail).at(read.header);
                    self.out.push(twice.note_at("The first is here.", first.header));
                    continue;
                }
                raw.blocks.push(read);
            }
        }
        let known = raw.blocks.len();
        for item in content.rest {
            match item {
                BodyItem::Argument(argument) => {
                    if row.open != OpenContent::Closed
                        || self.admits_argument(row, &argument, &mut raw.news)
                    {
                        // In native syntax the parser has reported it already.
                        let is_json = matches!(argument.expr, Expr::Json(_));
                        if (row.open == OpenContent::Arguments || !may_be_blocks(&argument.expr))
                            && is_json
                            && seen.contains(argument.name.text.as_str())
                        {
                            self.report_repeated(&raw, &argument);
                        }
                        self.keep(&mut raw, argument, &mut seen);
                    }
                }
                BodyItem::Block(inner) if row.open == OpenContent::Body => {
                    raw.blocks.push(self.open(&inner))
                }
                BodyItem::Block(inner) => raw.news = raw.news.or(self.stray_block(row, &inner)),
            }
        }
        // Blocks that another layer knows, such as `dynamic`, may come before those of the row.
        if known > 0 && known < raw.blocks.len() {
            raw.blocks.sort_by_key(|inner| inner.header.span.start);
        }
        raw
    }

    /// Reports the required arguments that a block lacks.
    fn report_missing(&mut self, row: &BlockRow, block: &Block, raw: &RawBlock) {
        for argument in row.arguments {
            if argument.is_required && raw.argument(argument.name).is_none() {
                let detail = format!(
                    "{} block needs the argument \"{}\", and it is not set.",
                    row::capital_a(row.kind),
                    argument.name
                );
                let place = self.place(edge(block));
                let header = raw.header.span;
                let missing = Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(place);
                self.out.push(missing.within(header));
            }
        }
    }

    /// Reads a block whose content no row describes; a later stage checks it.
    fn open(&mut self, block: &Block) -> RawBlock {
        let mut raw = self.empty(block);
        let mut seen = FxHashSet::default();
        let items = block.body.items();
        let arguments = arguments_of(&items);
        raw.arguments.reserve_exact(arguments);
        raw.blocks.reserve_exact(items.len() - arguments);
        for item in items {
            match item {
                BodyItem::Argument(argument) => self.keep(&mut raw, argument, &mut seen),
                BodyItem::Block(inner) => raw.blocks.push(self.open(&inner)),
            }
        }
        raw
    }

    /// Returns the raw form of a block without its arguments and nested blocks.
    fn empty(&self, block: &Block) -> RawBlock {
        let label = |label: &groma_syntax::Label| RawLabel {
            text: Str::from(label.text.as_str()),
            place: self.place(label.span),
        };
        RawBlock {
            kind: Str::from(block.kind.text.as_str()),
            labels: block.labels.iter().map(label).collect(),
            header: self.place(block.header),
            edge: self.place(edge(block)),
            arguments: Vec::new(),
            blocks: Vec::new(),
            in_own_file: self.in_own_file,
            overridden: None,
            news: None,
        }
    }

    /// Adds an argument to a raw block unless its name is in `seen`: the first of equal names counts.
    fn keep(
        &self,
        raw: &mut RawBlock,
        argument: groma_syntax::Argument,
        seen: &mut FxHashSet<Str>,
    ) {
        let name = Str::from(argument.name.text.as_str());
        // The first of equal names counts; the parser has reported the second.
        if seen.insert(name.clone()) {
            raw.arguments.push(RawArgument {
                name,
                name_place: self.place(argument.name.span),
                place: self.place(argument.span),
                expr: argument.expr,
            });
        }
    }

    /// Reports an argument that is a duplicate property of a JSON object.
    fn report_repeated(&mut self, raw: &RawBlock, argument: &groma_syntax::Argument) {
        let name = argument.name.text.as_str();
        if let Some(first) = raw.argument(name) {
            let detail = format!("\"{name}\" is set a second time here. Remove one of the two.");
            let found = Diagnostic::error(&codes::ARGUMENT_TWICE, detail)
                .at(self.place(argument.name.span));
            let first = first.name_place;
            self.out.push(found.note_at("It is first set here.", first));
        }
    }

    /// Reports a nested block that its enclosing block does not allow; returns its place if a newer edition may allow it.
    fn stray_block(&mut self, row: &'static BlockRow, inner: &Block) -> Option<Place> {
        let kind = inner.kind.text.as_str();
        let is_argument = row.open == OpenContent::Arguments
            || row.arguments.iter().any(|argument| argument.name == kind);
        if !is_argument {
            return self.row(inner, row.blocks, &format!("{} block", row::a(row.kind))).err()?;
        }
        let detail =
            format!("\"{kind}\" is an argument here, not a block: write {kind} = … instead.");
        let place = self.place(inner.kind.span);
        self.out.push(Diagnostic::error(&codes::UNSUPPORTED_BLOCK, detail).at(place));
        None
    }

    /// Returns true if `row` allows an argument, and reports one that it does not allow; `news` receives the place of one that a
    /// newer edition may allow.
    fn admits_argument(
        &mut self,
        row: &BlockRow,
        argument: &groma_syntax::Argument,
        news: &mut Option<Place>,
    ) -> bool {
        let place = self.place(argument.name.span);
        let name = argument.name.text.as_str();
        let detail = match row.arguments.iter().find(|known| known.name == name) {
            Some(known) if known.editions.includes(self.edition) => return true,
            // An open block may define an argument of that name itself.
            _ if row.open != OpenContent::Closed => return true,
            Some(known) => format!(
                "The argument \"{name}\" of {} block exists in {}; this is {}.",
                row::a(row.kind),
                known.editions.editions_text(),
                self.edition.known()
            ),
            None if row.blocks.iter().any(|block| block.kind == name) => {
                let detail = format!(
                    "\"{name}\" is a block here, not an argument: write {name} {{ … }} instead."
                );
                self.out.push(Diagnostic::error(&codes::UNSUPPORTED_ARGUMENT, detail).at(place));
                return false;
            }
            None => {
                let known = row.arguments.iter().filter(|a| a.editions.includes(self.edition));
                let hint = did_you_mean(name, known.map(|argument| argument.name));
                format!("{} block has no argument \"{name}\".{hint}", row::capital_a(row.kind))
            }
        };
        let new = self.refuse(&codes::UNSUPPORTED_ARGUMENT, detail, place);
        *news = news.or(new);
        false
    }
}

/// Returns the number of arguments among the items of a body.
fn arguments_of(items: &[BodyItem]) -> usize {
    items.iter().filter(|item| matches!(item, BodyItem::Argument(_))).count()
}

/// Returns true if a JSON value may represent blocks, so that properties of equal names are combined and not duplicates.
fn may_be_blocks(expr: &Expr) -> bool {
    let Expr::Json(json) = expr else { return false };
    match json.view().case() {
        JsonCase::Object(_) | JsonCase::Null | JsonCase::Missing => true,
        JsonCase::Array(items) => {
            items.iter().all(|item| matches!(item.case(), JsonCase::Object(_)))
        }
        _ => false,
    }
}

/// Returns the span at which missing arguments of a block are reported: the opening brace, in JSON the closing one.
fn edge(block: &Block) -> Span {
    let span = block.body.span();
    match &block.body {
        Body::Native(_) => Span::new(span.start.saturating_sub(1), span.start),
        Body::Json(_) => span.last(),
    }
}
