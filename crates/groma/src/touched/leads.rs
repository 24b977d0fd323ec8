//! What an argument takes of other instances, one for each of its own: then it differs where these do, and nothing else has
//! to be asked.

use groma_eval::Step;
use groma_folder::Key;
use groma_module::declare::{Expression, Referent, Repetition, Resource, Use};
use groma_value::Value;

use super::parts::{ALWAYS, Drawing, Place, Rests, names};
use super::takes;

/// A part of another instance that a part of an instance is made of.
#[derive(Clone)]
pub(crate) struct Lead {
    /// The other resource, within the same module.
    pub(crate) resource: String,
    pub(crate) key: LeadKey,
    /// The way into the other instance.
    pub(crate) steps: Vec<Step>,
}

/// Which instance of another resource is meant.
#[derive(Clone)]
pub(crate) enum LeadKey {
    /// The only one.
    None,
    /// The one with the same key.
    Own,
    /// The one with this key, as it stands in addresses.
    Literal(String),
}

/// What an expression takes of `each`, where that is an instance of something else.
#[derive(Default)]
struct Chained {
    on: Vec<usize>,
    /// By way of parts of other instances.
    on_led: Vec<usize>,
    leads: Vec<Lead>,
}

impl Drawing<'_> {
    /// What one expression of a resource rests on.
    pub(super) fn argument(
        &mut self,
        at: &Place,
        resource: &Resource,
        expression: &Expression,
        is_argument: bool,
        rests: &mut Rests,
    ) {
        let is_led = is_argument
            && self.known.has_same_objects
            && takes::is_straight(&expression.expr, true);
        let Rests { on, on_element, on_led, leads, .. } = rests;
        if expression.deferred || !expression.located.code.asks_nobody() {
            on.push(ALWAYS);
        }
        for used in &expression.uses {
            match self.lead(at, expression, used).filter(|_| is_led) {
                Some(lead) => {
                    self.source(at, expression, used, on_led);
                    leads.push(lead);
                }
                None => self.source(at, expression, used, on),
            }
        }
        match self.chained(at, &resource.repetition, expression) {
            Some(found) => {
                on.extend(found.on);
                match is_led {
                    true => {
                        on_led.extend(found.on_led);
                        leads.extend(found.leads);
                    }
                    false => on.extend(found.on_led),
                }
            }
            None => self.elements(at, &resource.repetition, expression, on_element),
        }
    }

    /// The part of another instance that a reference leads to.
    fn lead(&self, at: &Place, expression: &Expression, used: &Use) -> Option<Lead> {
        let Referent::Resource(one) = used.target else { return None };
        let reference = expression.located.code.references().get(used.reference as usize)?;
        let resource = at.module.resources.get(one as usize)?;
        let rest = reference.steps.get(names(resource, &reference.root)..)?;
        let is_keyed = matches!(resource.repetition, Repetition::Count(_) | Repetition::Each(_));
        let (key, rest) = match rest {
            [Step::Attribute(_), ..] if !is_keyed => (LeadKey::None, rest),
            [Step::Unknown, rest @ ..] if is_keyed => (LeadKey::Own, rest),
            [Step::Index(key), rest @ ..] if is_keyed => {
                let key = match key {
                    Value::String(text) => Key::Text(text.clone()),
                    key => Key::Number(key.as_position()?),
                };
                (LeadKey::Literal(key.suffix()), rest)
            }
            _ => return None,
        };
        let is_attribute = matches!(rest.first(), Some(Step::Attribute(_)));
        let lead = Lead { resource: resource.address(), key, steps: rest.to_vec() };
        is_attribute.then_some(lead)
    }

    /// What an expression takes of `each`, where that is an instance of another resource or of a call: then it takes the
    /// parts that it names.
    fn chained(
        &mut self,
        at: &Place,
        repetition: &Repetition,
        expression: &Expression,
    ) -> Option<Chained> {
        let Repetition::Each(over) = repetition else { return None };
        let [reference] = over.located.code.references() else { return None };
        let [used] = &*over.uses else { return None };
        if reference.span != over.located.code.span() {
            return None;
        }
        let mut found = Chained::default();
        for taken in takes::elements(&expression.located.code) {
            let [Step::Attribute(value), rest @ ..] = &*taken.steps else { return None };
            if &**value != "value" {
                return None;
            }
            match &used.target {
                Referent::Resource(one) => {
                    let other = at.module.resources.get(*one as usize)?.clone();
                    let is_whole = reference.steps.len() == names(&other, &reference.root);
                    if !matches!(other.repetition, Repetition::Count(_) | Repetition::Each(_))
                        || !is_whole
                    {
                        return None;
                    }
                    match rest.first() {
                        Some(Step::Attribute(name)) => {
                            self.attribute(at, &other, name, &mut found.on_led);
                            let (resource, key) = (other.address(), LeadKey::Own);
                            found.leads.push(Lead { resource, key, steps: rest.to_vec() });
                        }
                        _ => found.on.push(self.needed(&at.address(&other.address()))),
                    }
                }
                Referent::Call(call) => {
                    let call = at.module.calls.get(*call as usize)?.clone();
                    let is_repeated =
                        matches!(call.repetition, Repetition::Count(_) | Repetition::Each(_));
                    let [Step::Attribute(name), ..] = rest else { return None };
                    if !is_repeated || reference.steps.len() != 1 {
                        return None;
                    }
                    let inside = at.address(&format!("module.{}", &*call.name));
                    found.on.push(self.needed(&format!("{inside}.output.{}", &**name)));
                }
                _ => return None,
            }
        }
        Some(found)
    }
}
