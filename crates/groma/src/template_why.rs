//! Provenance of the values of a Packer template: its declarations in the form that `groma-why` uses.

use std::sync::Arc;

use groma_eval::{Context, Scope, Step};
use groma_functions::FunctionLibrary;
use groma_packer::{
    DeclarationOrigin, OriginKind, OriginPart, TemplateEvaluation, WrittenArgument, WrittenSite,
};
use groma_syntax::{Expr, Sources, is_identifier};
use groma_value::{Str, Value, json};
use groma_why::{
    AddressError, DeclaredArgument, DeclaredName, DeclaredNames, DeclaredPart, DeclaredRepetition,
    DeclaredSite, WhyKind, WhyTree, why_address, why_block, why_declared,
};

/// Returns the provenance of the value of an expression in a Packer template; `value` is that value, if it is known.
pub fn why_in_template(
    expr: &Expr,
    value: Option<Value>,
    evaluation: &TemplateEvaluation,
) -> WhyTree {
    why_declared(expr, value, &TemplateLookup(evaluation))
}

/// Returns the provenance of the arguments of the source or build that an expression names; `None` if it names none.
pub fn why_template_block(expr: &Expr, evaluation: &TemplateEvaluation) -> Option<WhyTree> {
    why_block(expr, &TemplateLookup(evaluation))
}

/// Returns the provenance at an address of a template: of the value of a variable, local or data, or of the arguments of a
/// source or build. The error is that nothing has the address.
pub fn why_at_address(
    address: &str,
    evaluation: &TemplateEvaluation,
) -> Result<WhyTree, AddressError> {
    why_address(address, &TemplateLookup(evaluation))
}

/// An adapter through which the search for provenance looks up names in the evaluation of a Packer template.
struct TemplateLookup<'t>(&'t TemplateEvaluation);

impl DeclaredNames for TemplateLookup<'_> {
    fn context(&self, scope: Arc<dyn Scope>) -> Context {
        self.0.context(scope)
    }

    fn library(&self) -> FunctionLibrary {
        self.0.library()
    }

    fn scope(&self) -> Arc<dyn Scope> {
        self.0.scope()
    }

    fn sources(&self) -> Sources {
        self.0.sources()
    }

    fn declared(&self, root: &str, names: &[Str]) -> Option<DeclaredName> {
        Some(self.name(self.0.declaration(root, names)?))
    }

    fn block(&self, root: &str, names: &[Str]) -> Option<DeclaredName> {
        Some(self.name(self.0.block(root, names)?))
    }

    fn addresses(&self) -> Vec<String> {
        self.0.addresses()
    }
}

impl TemplateLookup<'_> {
    /// Converts a declaration of a Packer template to the form that the search for provenance takes.
    fn name(&self, origin: DeclarationOrigin) -> DeclaredName {
        let kind = match origin.kind {
            OriginKind::Variable => WhyKind::Variable,
            OriginKind::Local => WhyKind::Local,
            OriginKind::Data => WhyKind::Data,
            OriginKind::Source | OriginKind::Build => WhyKind::Resource,
        };
        let (address, names, place) = (origin.address.clone(), origin.names, origin.place);
        let (value, evaluation) = (origin.value.clone(), self.0.clone());
        let parts = Box::new(move || {
            let parts = evaluation.parts(&origin).into_iter();
            parts.map(|part| declared_part(part, &origin.address)).collect()
        });
        DeclaredName { kind, address, names, place, value, parts }
    }
}

/// Converts a part of a template's declaration to the form that the search for provenance takes; `address` is that of the
/// declaration.
fn declared_part(part: OriginPart, address: &str) -> DeclaredPart {
    match part {
        OriginPart::Value(expr) => DeclaredPart::Whole(expr),
        OriginPart::Argument(WrittenArgument { path, expr, value, site }) => {
            let site = declared_site(&site, address);
            DeclaredPart::Argument(DeclaredArgument { path, expr, value, site })
        }
        OriginPart::Default(value, place) => DeclaredPart::Given(WhyKind::Default, value, place),
        OriginPart::Given(value, source, place) => DeclaredPart::Given(source.into(), value, place),
    }
}

/// Converts the scope and the enclosing `dynamic` blocks of an argument in the declaration with the address `address` to the
/// form that the search for provenance takes.
fn declared_site(site: &WrittenSite, address: &str) -> Arc<DeclaredSite> {
    let repetition = site.repetition.as_ref().map(|one| DeclaredRepetition {
        iterator: one.iterator.clone(),
        element: one.element.clone(),
        over: one.over.clone(),
        key: one.key.clone(),
        address: format!("{address}{}", one.path.iter().map(step_text).collect::<String>()),
        outside: declared_site(&one.outside, address),
    });
    Arc::new(DeclaredSite { scope: site.scope.clone(), repetition })
}

/// Returns the text of a step of a path as in an address, such as `.name` or `["key"]`.
fn step_text(step: &Step) -> String {
    match step {
        Step::Attribute(name) if is_identifier(name) => format!(".{}", &**name),
        Step::Attribute(name) => format!("[{}]", json::string(name)),
        Step::Index(key) => format!("[{}]", json::plain(key)),
        _ => String::new(),
    }
}
