//! What of a configuration is planned, where only a part of it is: what is named, with all that it needs. Where all is
//! to go it is the other way round: with all that needs it.

use std::collections::BTreeSet;

use groma_folder::{Key, Target};
use groma_value::Str;

use crate::options::{Goal, PlanOptions};
use crate::order::Needs;
use crate::prior::{Prior, resource_of};

/// What is planned.
#[derive(Debug)]
pub(crate) struct Targeting {
    /// The declarations that are looked at, by address without keys.
    declared: BTreeSet<String>,
    /// Those that are named, and not only needed.
    named: BTreeSet<String>,
    targets: Vec<String>,
    excludes: Vec<String>,
}

impl Targeting {
    /// What is planned; nothing where that is everything.
    pub(crate) fn of(needs: &Needs, prior: &Prior, options: &PlanOptions) -> Option<Targeting> {
        if options.targets.is_empty() && options.excludes.is_empty() {
            return None;
        }
        let is_destroyed = options.goal == Goal::Destroy;
        let recorded = Recorded::of(needs, prior);
        let named = |targets: &[Target]| -> BTreeSet<String> {
            let patterns: Vec<Target> = targets.iter().map(fixed).collect();
            let declared = needs.all().filter(|(_, _, kind)| is_resource(kind));
            let declared = declared.map(|(_, address, _)| address.to_owned());
            let all = declared.chain(recorded.names.iter().cloned());
            all.filter(|one| patterns.iter().any(|p| is_below(one, &p.to_string()))).collect()
        };
        let (targets, excludes) = (named(&options.targets), named(&options.excludes));
        let spread = |from: &BTreeSet<String>, forward: bool| {
            let mut all = from.clone();
            let mut grows = true;
            // What is only recorded is tied to what is declared both ways.
            while grows {
                let at = all.iter().filter_map(|one| needs.position(one)).collect::<Vec<_>>();
                let more = match (forward, is_destroyed) {
                    // Who was made from whom is what the state says, whatever is written now.
                    (_, true) => at.into_iter().collect(),
                    (true, false) => needs.needed(at),
                    (false, false) => needs.needing(at),
                };
                let names = needs.all().filter(|(at, ..)| more.contains(at));
                let mut next: BTreeSet<String> =
                    names.map(|(_, name, _)| name.to_owned()).collect();
                if is_destroyed {
                    next.extend(recorded.tied(&all, forward));
                }
                let before = all.len();
                all.extend(next);
                grows = all.len() > before;
            }
            all
        };
        let mut declared = match options.targets.is_empty() {
            false => spread(&targets, !is_destroyed),
            true => {
                let all = needs.all().map(|(_, name, _)| name.to_owned());
                all.chain(recorded.names.iter().cloned()).collect()
            }
        };
        // Where single instances are left out, the others of the resource stay.
        let has_key = |target: &&Target| {
            let own = target.resource.as_ref().is_some_and(|one| one.key != Key::None);
            own || target.modules.iter().any(|(_, key)| *key != Key::None)
        };
        let whole: Vec<Target> =
            options.excludes.iter().filter(|target| !has_key(target)).cloned().collect();
        let whole = named(&whole);
        for out in spread(&excludes, is_destroyed) {
            if whole.contains(&out) || !excludes.contains(&out) {
                declared.remove(&out);
            }
        }
        // An output follows where all that it is made of is there; checks do not.
        let outputs = needs
            .all()
            .filter(|(_, address, kind)| *kind == "output" && !address.starts_with("module."));
        let mut followed = Vec::new();
        for (at, address, _) in outputs {
            let below = needs.needed([at]);
            let made_of =
                needs.all().filter(|(at, _, kind)| below.contains(at) && is_resource(kind));
            let mut made_of = made_of.peekable();
            let is_there =
                made_of.peek().is_some() && made_of.all(|(_, one, _)| declared.contains(one));
            if is_there && !is_destroyed {
                let all = needs.all().filter(|(at, ..)| below.contains(at));
                followed.extend(all.map(|(_, name, _)| name.to_owned()));
            }
            declared.remove(address);
        }
        declared.extend(followed);
        declared.retain(|one| !one.split('.').any(|part| part == "check"));
        let texts = |targets: &[Target]| targets.iter().map(ToString::to_string).collect();
        Some(Targeting {
            declared,
            named: targets,
            targets: texts(&options.targets),
            excludes: texts(&options.excludes),
        })
    }

    /// Whether a declaration is looked at.
    pub(crate) fn wants(&self, address: &str) -> bool {
        self.declared.contains(address)
    }

    /// Whether an instance of something that is looked at is planned.
    pub(crate) fn holds(&self, address: &str) -> bool {
        let is_named = |texts: &[String]| texts.iter().any(|text| is_below(address, text));
        if is_named(&self.excludes) {
            return false;
        }
        let whole = without_keys(address);
        self.declared.contains(&whole) && (!self.named.contains(&whole) || is_named(&self.targets))
    }

    /// Whether objects that should be gone somewhere are planned: only what is named is looked at so closely.
    pub(crate) fn holds_deposed(&self, address: &str) -> bool {
        let is_named = |texts: &[String]| texts.iter().any(|text| is_below(address, text));
        self.holds(address) && (self.targets.is_empty() || is_named(&self.targets))
    }
}

/// Whether an instance is left as it is.
pub(crate) fn is_left(scope: Option<&Targeting>, address: &str) -> bool {
    scope.is_some_and(|scope| !scope.holds(address))
}

fn is_resource(kind: &str) -> bool {
    matches!(kind, "resource" | "data")
}

/// Whether an address is another one, or lies in it. One that ends without a key stands for all instances.
pub(crate) fn is_below(address: &str, outer: &str) -> bool {
    address.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The address without any key.
fn fixed(target: &Target) -> Target {
    let mut whole = resource_of(target);
    whole.modules.iter_mut().for_each(|(_, key)| *key = Key::None);
    whole
}

/// The same of an address as text.
pub(crate) fn without_keys(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for c in address.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if depth > 0 => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted && depth > 0 => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Who was made from whom, as far as it is recorded.
struct Recorded {
    names: BTreeSet<String>,
    /// Who was made, and from whom.
    pairs: Vec<(String, String)>,
}

impl Recorded {
    fn of(_needs: &Needs, prior: &Prior) -> Recorded {
        let mut found = Recorded { names: BTreeSet::new(), pairs: Vec::new() };
        for slot in prior.slots() {
            let Some(target) = &slot.target else { continue };
            let name = fixed(target).to_string();
            for object in slot.objects().filter_map(|at| prior.object(at)) {
                let from = object.dependencies.iter();
                found.pairs.extend(from.map(|from: &Str| (name.clone(), from.to_string())));
            }
            found.names.insert(name);
        }
        found
    }

    fn tied(&self, all: &BTreeSet<String>, forward: bool) -> Vec<String> {
        let tied = self.pairs.iter().filter_map(|(made, from)| match forward {
            true => all.contains(made).then_some(from),
            false => all.contains(from).then_some(made),
        });
        tied.cloned().collect()
    }
}
