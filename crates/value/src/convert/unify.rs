//! Unification: the one type to which values of several types convert, for the elements of a collection or the arms of a
//! conditional. Types of one structure are merged part by part; tuples of different lengths become lists, objects of different
//! attributes become maps; otherwise one of the given types must fit, the most general first.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use super::fill::{all_to, possible};
use crate::{ObjectType, TupleType, Type};

/// Returns the common type to which values of all `types` convert, though conversions may fail for some values; `None` if there
/// is none.
pub fn unify(types: &[&Type]) -> Option<Type> {
    unify_by(types, true)
}

/// Returns the common type like [`unify`], but without `risky` only if values of all types always convert to it.
pub(super) fn unify_by(types: &[&Type], risky: bool) -> Option<Type> {
    let types = distinct(types);
    let (first, rest) = types.split_first()?;
    if rest.is_empty() {
        return Some((*first).clone());
    }
    let census = TypeCensus::of(&types);
    if let Some(answer) = census.answer(&types, risky) {
        return answer;
    }
    by_preference(&types, risky)
}

/// Returns each distinct type once, in the order of first occurrence.
fn distinct<'t>(types: &[&'t Type]) -> Vec<&'t Type> {
    if let [first, rest @ ..] = types
        && rest.iter().all(|ty| ty == first)
    {
        return vec![first];
    }
    let mut seen: HashSet<&Type, BuildHasherDefault<FxHasher>> = HashSet::default();
    types.iter().copied().filter(|ty| seen.insert(ty)).collect()
}

/// Counts of several types by kind (primitives, lists, objects and others), from which their common type is determined.
#[derive(Default)]
struct TypeCensus {
    dynamic: usize,
    primitives: usize,
    lists: usize,
    sets: usize,
    maps: usize,
    tuples: usize,
    objects: usize,
}

impl TypeCensus {
    /// Counts the types of each kind among `types`.
    fn of(types: &[&Type]) -> TypeCensus {
        let mut census = TypeCensus::default();
        for ty in types {
            let count = match ty {
                Type::Dynamic => &mut census.dynamic,
                Type::Bool | Type::Number | Type::String => &mut census.primitives,
                Type::List(_) => &mut census.lists,
                Type::Set(_) => &mut census.sets,
                Type::Map(_) => &mut census.maps,
                Type::Tuple(_) => &mut census.tuples,
                Type::Object(_) => &mut census.objects,
            };
            *count += 1;
        }
        census
    }

    /// Returns the common type of the counted `types` if their kinds determine it; the outer `None` means that one of the
    /// given types must be chosen, the inner that there is no common type; `risky` allows conversions that may fail.
    #[expect(clippy::option_option, reason = "no answer yet, or the answer that there is none")]
    fn answer(&self, types: &[&Type], risky: bool) -> Option<Option<Type>> {
        let TypeCensus { dynamic, primitives, lists, sets, maps, tuples, objects } = *self;
        let sequences = lists + sets + tuples;
        let keyed = maps + objects;
        let families =
            usize::from(primitives > 0) + usize::from(sequences > 0) + usize::from(keyed > 0);
        if families > 1 {
            // Types of different families do not convert to each other, but a dynamic type leaves the result open.
            let objects_and_tuples = objects > 0 && tuples > 0;
            return Some((dynamic > 0 && !objects_and_tuples).then_some(Type::Dynamic));
        }
        let one_kind = [lists, sets, maps, tuples, objects].iter().filter(|n| **n > 0).count() == 1;
        if primitives == 0 && one_kind {
            if dynamic > 0 {
                // The types that are unknown yet may change the shape of the result.
                return Some(Some(Type::Dynamic));
            }
            return Some(match types[0] {
                Type::List(_) => elements(types, risky).map(Type::list),
                Type::Set(_) => elements(types, risky).map(Type::set),
                Type::Map(_) => elements(types, risky).map(Type::map),
                Type::Tuple(first) => tuples_type(first, types, risky),
                Type::Object(first) => objects_type(first, types, risky),
                _ => None,
            });
        }
        let merged = if maps > 0 && objects > 0 {
            with_objects_as_maps(types, risky).filter(|ty| matches!(ty, Type::Map(_)))
        } else if lists > 0 && tuples > 0 && sets == 0 {
            with_tuples_as_lists(types, risky).filter(|ty| matches!(ty, Type::List(_)))
        } else {
            None
        };
        merged.map(Some)
    }
}

/// Returns the common element type of the lists, sets or maps in `types`; `None` if there is none; `risky` allows
/// conversions that may fail.
fn elements(types: &[&Type], risky: bool) -> Option<Type> {
    let elements: Vec<&Type> = types.iter().filter_map(|ty| ty.element()).collect();
    unify_by(&elements, risky)
}

/// Returns the common type of the tuple types in `types`, of which `first` is one: a tuple, position by position, or a list
/// if their lengths differ; `None` if there is none; `risky` allows conversions that may fail.
fn tuples_type(first: &TupleType, types: &[&Type], risky: bool) -> Option<Type> {
    let tuples: Vec<&TupleType> = types
        .iter()
        .filter_map(|ty| if let Type::Tuple(t) = ty { Some(&**t) } else { None })
        .collect();
    if tuples.iter().any(|t| t.elements().len() != first.elements().len()) {
        return tuples_as_list(&tuples, risky);
    }
    let positions = (0..first.elements().len()).map(|at| {
        let across: Vec<&Type> = tuples.iter().map(|t| &t.elements()[at]).collect();
        unify_by(&across, risky)
    });
    Some(Type::tuple(positions.collect::<Option<Vec<Type>>>()?))
}

/// Returns the list type to which all the tuples convert; `None` if there is none; `risky` allows conversions that may fail.
fn tuples_as_list(tuples: &[&TupleType], risky: bool) -> Option<Type> {
    let all: Vec<&Type> = tuples.iter().flat_map(|t| t.elements()).collect();
    let element = unify_by(&all, risky)?;
    // Each tuple must convert to the list on its own.
    let fits = |t: &&TupleType| {
        let types: Vec<&Type> = t.elements().iter().collect();
        all_to(&types, &element, risky, false)
    };
    tuples.iter().all(fits).then(|| Type::list(element))
}

/// Returns the common type of the object types in `types`, of which `first` is one: an object, attribute by attribute, or a
/// map if their names differ; `None` if there is none; `risky` allows conversions that may fail.
fn objects_type(first: &ObjectType, types: &[&Type], risky: bool) -> Option<Type> {
    let objects: Vec<&ObjectType> = types
        .iter()
        .filter_map(|ty| if let Type::Object(o) = ty { Some(&**o) } else { None })
        .collect();
    let names = |o: &&ObjectType| {
        o.attributes().len() == first.attributes().len()
            && o.attributes().iter().zip(first.attributes()).all(|(a, b)| a.name == b.name)
    };
    if !objects.iter().all(names) {
        return objects_as_map(&objects, risky);
    }
    let mut attributes = Vec::with_capacity(first.attributes().len());
    for (at, attribute) in first.attributes().iter().enumerate() {
        let across: Vec<&Type> = objects.iter().map(|o| &o.attributes()[at].ty).collect();
        attributes.push((attribute.name.clone(), unify_by(&across, risky)?));
    }
    Some(Type::object(attributes))
}

/// Returns the map type to which all the objects convert; `None` if there is none; `risky` allows conversions that may fail.
fn objects_as_map(objects: &[&ObjectType], risky: bool) -> Option<Type> {
    let all: Vec<&Type> = objects.iter().flat_map(|o| o.attributes()).map(|a| &a.ty).collect();
    let element = unify_by(&all, risky)?;
    let fits = |o: &&ObjectType| {
        let types: Vec<&Type> = o.attributes().iter().map(|a| &a.ty).collect();
        all_to(&types, &element, risky, true)
    };
    objects.iter().all(fits).then(|| Type::map(element))
}

/// Returns the common type of the lists and tuples in `types`, treating each tuple as a list; `None` if there is none;
/// `risky` allows conversions that may fail.
fn with_tuples_as_lists(types: &[&Type], risky: bool) -> Option<Type> {
    let tuples: Vec<&TupleType> = types
        .iter()
        .filter_map(|ty| if let Type::Tuple(t) = ty { Some(&**t) } else { None })
        .collect();
    let list = tuples_as_list(&tuples, risky)?;
    let listed: Vec<&Type> =
        types.iter().map(|ty| if matches!(ty, Type::Tuple(_)) { &list } else { *ty }).collect();
    unify_by(&listed, risky)
}

/// Returns the common type of the maps and objects in `types`, treating each object as a map; `None` if there is none;
/// `risky` allows conversions that may fail.
fn with_objects_as_maps(types: &[&Type], risky: bool) -> Option<Type> {
    let objects: Vec<&ObjectType> = types
        .iter()
        .filter_map(|ty| if let Type::Object(o) = ty { Some(&**o) } else { None })
        .collect();
    let map = objects_as_map(&objects, risky)?;
    let mapped: Vec<&Type> =
        types.iter().map(|ty| if matches!(ty, Type::Object(_)) { &map } else { *ty }).collect();
    unify_by(&mapped, risky)
}

/// Returns the most general of the types to which all the others convert; `None` if there is none; `risky` allows conversions
/// that may fail.
fn by_preference(types: &[&Type], risky: bool) -> Option<Type> {
    preference(types)
        .into_iter()
        .map(|at| types[at])
        .find(|wanted| types.iter().all(|ty| ty == wanted || possible(ty, wanted, risky)))
        .cloned()
}

/// Returns the indices of the types ordered from more to less general, keeping the given order otherwise.
fn preference(types: &[&Type]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut above = vec![0_usize; types.len()];
    for (i, left) in types.iter().enumerate() {
        for (j, right) in types.iter().enumerate().skip(i + 1) {
            match generality(left, right) {
                Ordering::Less => {
                    below[i].push(j);
                    above[j] += 1;
                }
                Ordering::Greater => {
                    below[j].push(i);
                    above[i] += 1;
                }
                Ordering::Equal => {}
            }
        }
    }
    let mut order: Vec<usize> = (0..types.len()).filter(|at| above[*at] == 0).collect();
    let mut next = 0;
    while let Some(at) = order.get(next).copied() {
        next += 1;
        for other in &below[at] {
            above[*other] -= 1;
            if above[*other] == 0 {
                order.push(*other);
            }
        }
    }
    order
}

/// Compares two types by generality: `Less` if `a` is more general and therefore the preferred common type.
fn generality(a: &Type, b: &Type) -> Ordering {
    match (a, b) {
        // A dynamic type will become like the other types, so it is never preferred.
        (Type::Dynamic, Type::Dynamic) => Ordering::Equal,
        (Type::Dynamic, _) => Ordering::Greater,
        (_, Type::Dynamic) => Ordering::Less,
        (Type::String, Type::Bool | Type::Number) => Ordering::Less,
        (Type::Bool | Type::Number, Type::String) => Ordering::Greater,
        (Type::List(a), Type::List(b))
        | (Type::Set(a), Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => generality(a, b),
        (Type::List(_), Type::Tuple(_))
        | (Type::Map(_), Type::Object(_))
        | (Type::List(_) | Type::Tuple(_), Type::Set(_)) => Ordering::Less,
        (Type::Tuple(_), Type::List(_))
        | (Type::Object(_), Type::Map(_))
        | (Type::Set(_), Type::List(_) | Type::Tuple(_)) => Ordering::Greater,
        (Type::Tuple(a), Type::Tuple(b)) if a.elements().len() == b.elements().len() => {
            agreed(a.elements().iter().zip(b.elements()).map(|(a, b)| generality(a, b)))
        }
        (Type::Object(a), Type::Object(b))
            if a.attributes().len() == b.attributes().len()
                && a.attributes().iter().zip(b.attributes()).all(|(a, b)| a.name == b.name) =>
        {
            let pairs = a.attributes().iter().zip(b.attributes());
            agreed(pairs.map(|(a, b)| generality(&a.ty, &b.ty)))
        }
        _ => Ordering::Equal,
    }
}

/// Combines the orderings by generality of the parts of two types: `Equal` if they contradict each other; equal parts are
/// ignored.
fn agreed(parts: impl Iterator<Item = Ordering>) -> Ordering {
    let mut all = Ordering::Equal;
    for part in parts {
        match (all, part) {
            (_, Ordering::Equal) => {}
            (Ordering::Equal, part) => all = part,
            (all, part) if all == part => {}
            _ => return Ordering::Equal,
        }
    }
    all
}
