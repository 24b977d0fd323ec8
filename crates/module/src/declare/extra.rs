//! Attributes of an object that are dropped because the type does not have them. Only literal objects are checked: a computed
//! object may intentionally have more attributes than its type.

use groma_config::did_you_mean;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Type;

use crate::codes;
use crate::dialect::Conventions;

impl Conventions {
    /// Warns of attributes in `expr`, a value of the variable `name`, that its type does not have.
    pub fn warn_of_extra(&self, expr: &Expr, ty: &Type, name: &str, out: &mut Diagnostics) {
        if !self.warns_of_extra_attributes {
            return;
        }
        let Expr::Native(native) = expr else { return };
        let mut rest: Vec<(ExprView<'_>, &Type)> = vec![(native.view(), ty)];
        while let Some((view, ty)) = rest.pop() {
            match (view.case(), ty) {
                (ExprCase::Parenthesised(inner), ty) => rest.push((inner, ty)),
                (ExprCase::Tuple(items), Type::List(element) | Type::Set(element)) => {
                    rest.extend(items.into_iter().map(|item| (item, &**element)));
                }
                (ExprCase::Tuple(items), Type::Tuple(types)) => {
                    rest.extend(items.into_iter().zip(types.elements()));
                }
                (ExprCase::Object(items), Type::Map(element)) => {
                    rest.extend(items.into_iter().map(|item| (item.value, &**element)));
                }
                (ExprCase::Object(items), Type::Object(object)) => {
                    for item in items {
                        let key = match item.key.case() {
                            ExprCase::Root(word) => Some(word.to_owned()),
                            ExprCase::Template(template) => {
                                template.plain().map(|key| key.into_owned())
                            }
                            _ => None,
                        };
                        let Some(key) = key else { continue };
                        if let Some(attribute) = object.get(&key) {
                            rest.push((item.value, &attribute.ty));
                            continue;
                        }
                        let known = object.attributes().iter().map(|attribute| &*attribute.name);
                        let hint = did_you_mean(&key, known);
                        let detail = format!(
                            "The type of the variable \"{name}\" has no attribute \"{key}\", so this value is dropped.{hint}"
                        );
                        let place = Place::new(native.file(), item.key.span());
                        out.push(Diagnostic::warning(&codes::EXTRA_ATTRIBUTE, detail).at(place));
                    }
                }
                _ => {}
            }
        }
    }
}
