//! Values at a place: those of the innermost sub-expression there, one for each instance of its declaration. They are evaluated
//! on request from the declaration's own code. A query caches no text or code, only the values of declarations, which all
//! queries share.

use groma_config::InstanceKey;
use groma_module::Module;
use groma_module::declare::Repetition;
use groma_module::visit::{Declaration, EvaluationTime, VisitedExpression};
use groma_project::{Evaluation, InstanceSet, RequestToken, ScopeRef};
use groma_syntax::{Diagnostics, Place, Span};
use groma_value::Value;

use crate::Snapshot;
use crate::place::declaration::DeclarationId;

/// A value of a declaration or sub-expression, and the instance of its module or resource in which it has that value.
#[derive(Clone, Debug)]
pub struct InstanceValue {
    /// The address of the instance, as in `module.net["a"].aws_vpc.main[0]`; empty in the root module outside of repeated blocks.
    pub instance: String,
    /// The value with its marks.
    pub value: Value,
}

/// The values of the innermost sub-expression at a place, in all instances up to a limit.
#[derive(Clone, Debug)]
pub struct PlaceValues {
    /// The place of the sub-expression.
    pub place: Place,
    /// One value for each instance, and in a loop for each iteration.
    pub values: Vec<InstanceValue>,
    /// True if there are more instances or iterations than requested.
    pub has_more: bool,
    /// True if the request ended before everything was evaluated; the same query may return more values later.
    pub is_pending: bool,
}

impl Snapshot {
    /// Returns the values of the innermost sub-expression at a place, at most `limit`; `None` if there is no expression. A
    /// literal counts as part of the expression around it. `request` bounds this query alone: cancelling it does not affect the
    /// snapshot.
    pub fn values_at(
        &self,
        place: Place,
        limit: usize,
        request: &RequestToken,
    ) -> Option<PlaceValues> {
        let project = self.project();
        let place = project.sources().resolve(place);
        let offset = place.span.start;
        let sites = self.places().sites(project, place.file);
        let site = sites.expression_at(offset)?;
        let declaration = site.declaration;
        site.visit(project, |seen| {
            let mut found = PlaceValues {
                place: Place::new(place.file, site.span),
                values: Vec::new(),
                has_more: false,
                is_pending: false,
            };
            if !seen.is_evaluated() || is_of_iterator(&seen) {
                return Some(found);
            }
            let whole = seen.expression.place().span;
            let own = (offset - site.span.start) + whole.start;
            let mut smallest: Option<Span> = None;
            let (scopes, is_all) = self.scopes_of(declaration, seen.when(), limit, request);
            found.has_more = !is_all && scopes.len() >= limit;
            found.is_pending = !is_all && !found.has_more;
            for (instance, scope) in scopes {
                if found.values.len() >= limit {
                    found.has_more = true;
                    break;
                }
                let evaluation = self.evaluation();
                let mut out = Diagnostics::new();
                let trace = evaluation.trace_expression(seen.expression, &scope, request, &mut out);
                found.is_pending |= trace.is_pending;
                let touching = trace.parts.iter().filter(|part| part.span.touches(own));
                let span = touching.map(|part| part.span).min_by_key(|span| span.len());
                // A sub-expression that is not evaluated in one instance may be evaluated in another.
                if smallest.is_none_or(|known| span.is_some_and(|own| own.len() < known.len())) {
                    smallest = span;
                    found.values.clear();
                }
                let parts = trace.parts.into_iter().filter(|part| Some(part.span) == smallest);
                for part in parts {
                    if found.values.len() >= limit {
                        found.has_more = true;
                        break;
                    }
                    let instance = instance.clone();
                    found.values.push(InstanceValue { instance, value: part.value });
                }
            }
            if let Some(span) = smallest {
                let span = span.moved(site.span.start as i32 - whole.start as i32);
                found.place = Place::new(place.file, span);
            }
            Some(found)
        })?
    }

    /// Returns the addresses of a declaration's instances in every instance of its module, at most `limit`, and true if these
    /// are all. A declaration without a repetition has the address of its module's instance.
    pub fn instances_of(
        &self,
        id: DeclarationId,
        limit: usize,
        request: &RequestToken,
    ) -> (Vec<String>, bool) {
        let (scopes, is_all) = self.scopes_of(id, EvaluationTime::Evaluating, limit, request);
        (scopes.into_iter().map(|(address, _)| address).collect(), is_all)
    }

    /// Returns the scopes of those expressions of a declaration that are evaluated at the time `when`, at most `limit`, each
    /// with the address of its instance, and true if these are all; before instances exist, one scope for each instance of
    /// the module.
    pub(super) fn scopes_of(
        &self,
        id: DeclarationId,
        when: EvaluationTime,
        limit: usize,
        request: &RequestToken,
    ) -> (Vec<(String, ScopeRef)>, bool) {
        let (evaluation, mut found, mut is_all) = (self.evaluation(), Vec::new(), true);
        let Some(module) = super::index::module(self.project(), id.module) else {
            return (found, true);
        };
        // The repetition is evaluated before the instances exist.
        let is_early = matches!(when, EvaluationTime::Loading | EvaluationTime::Expanding);
        for number in self.places().same_as(id.module) {
            let room = limit.saturating_sub(found.len());
            let (instances, all) = evaluation.instances_of_module(number, room, request);
            is_all &= all;
            for at in instances {
                if is_early {
                    found.push((at.module_address().to_owned(), at));
                    continue;
                }
                let room = limit.saturating_sub(found.len());
                is_all &= instance_scopes(
                    id.declaration,
                    module,
                    evaluation,
                    &at,
                    room,
                    request,
                    &mut found,
                );
            }
        }
        (found, is_all)
    }
}

/// Returns true if an expression uses the iterator of a `dynamic` block around it, without which it cannot be evaluated.
pub(crate) fn is_of_iterator(seen: &VisitedExpression<'_, '_>) -> bool {
    let names: Vec<&str> = seen.iterators().map(|name| &**name).collect();
    let mut references = seen.expression.located.code.references().iter();
    references.any(|reference| names.contains(&&*reference.root))
}

/// Adds to `found` the scopes in which the expressions of a declaration are evaluated in the instance `at` of its module, at
/// most `most`, each preceded by the address of the declaration's instance; returns true if these are all.
pub(crate) fn instance_scopes(
    declaration: Declaration,
    module: &Module,
    evaluation: &Evaluation,
    at: &ScopeRef,
    most: usize,
    request: &RequestToken,
    found: &mut Vec<(String, ScopeRef)>,
) -> bool {
    let above = at.module_address();
    let dot = if above.is_empty() { "" } else { "." };
    let address = |suffix: &str| format!("{above}{dot}{}{suffix}", declaration.address(module));
    let named = |instances: &InstanceSet, position: usize| match instances {
        InstanceSet::One => address(""),
        InstanceSet::Keyed(keys) => {
            address(&keys.get(position).map(InstanceKey::suffix).unwrap_or_default())
        }
        InstanceSet::Unknown(_) => address("[*]"),
    };
    match declaration {
        Declaration::Resource(number) => {
            let number = number as usize;
            let instances =
                evaluation.within(request, || evaluation.instances_of_resource(at, number));
            let Some(instances) = instances else { return false };
            let count = match instances {
                InstanceSet::Keyed(_) => instances.len(),
                _ => 1,
            };
            for position in 0..count.min(most) {
                let scope =
                    evaluation.within(request, || evaluation.at_resource(at, number, position));
                found.extend(scope.map(|scope| (named(&instances, position), scope)));
            }
            count <= most
        }
        Declaration::Call(number) => {
            let number = number as usize;
            let called = evaluation.within(request, || evaluation.instances_of_call(at, number));
            let Some(instances) = called else {
                // A module that is not installed still has arguments, but its instances are unknown.
                let call = module.calls.get(number);
                let is_single =
                    call.is_some_and(|call| matches!(call.repetition, Repetition::Single));
                found.extend(is_single.then(|| (address(""), at.clone())));
                return !request.is_ready_only();
            };
            let count = instances.len();
            for position in 0..count.min(most) {
                let child = evaluation.within(request, || evaluation.at_call(at, number, position));
                if let Some((caller, _)) = child.and_then(|child| evaluation.caller(&child)) {
                    found.push((named(&instances, position), caller));
                }
            }
            count <= most
        }
        _ if most == 0 => false,
        _ => {
            found.push((above.to_owned(), at.clone()));
            true
        }
    }
}
