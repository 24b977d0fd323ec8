//! Whether a part that neither side knows differs, of something with the same address on both. What all instances of a
//! resource have in common is asked once, and what a part is made of before it is.

use groma_eval::Step;
use groma_value::json;
use groma_why::WhyStep;
use rustc_hash::FxHashMap;

use crate::handed::{Handed, Part, Ways, key_start};
use crate::provenance::{Origins, first_name, key_step};
use crate::touched::{Held, Lead, LeadKey, is_worth_the_same};

/// What has been asked, by address and the way from there.
#[derive(Default)]
pub(crate) struct Asked {
    /// Of all instances of a resource, by the address without the key.
    uniform: Answers,
    /// Of single instances.
    single: Answers,
}

/// A part is not followed further than through so many others that it is handed on from.
const FURTHEST: usize = 64;

type Answers = FxHashMap<String, FxHashMap<Vec<WhyStep>, bool>>;

fn known(answers: &Answers, address: &str, steps: &[WhyStep]) -> Option<bool> {
    answers.get(address)?.get(steps).copied()
}

fn keep(answers: &mut Answers, address: &str, steps: Vec<WhyStep>, differs: bool) {
    match answers.get_mut(address) {
        Some(known) => drop(known.insert(steps, differs)),
        None => {
            answers.insert(address.to_owned(), FxHashMap::from_iter([(steps, differs)]));
        }
    }
}

/// What an address of before is called after.
type Renamed<'r> = &'r dyn Fn(&str) -> Option<String>;

/// What is found out about a part at first.
enum Found {
    Answer(bool),
    /// It differs where one of these does.
    Leads(Vec<Part>),
    /// It differs where this does, and is known where this is.
    On(Part),
}

impl Origins {
    /// Whether a part differs that neither side knows.
    pub(crate) fn differs(
        &mut self,
        address: &str,
        steps: Vec<WhyStep>,
        renamed: Renamed<'_>,
    ) -> bool {
        let leads = match self.look(address, &steps, renamed, true) {
            Found::Answer(differs) => return differs,
            Found::Leads(leads) => leads,
            Found::On(part) => vec![part],
        };
        // What leads to itself is an error of its own, and does not differ for that.
        keep(&mut self.asked.single, address, steps.clone(), false);
        let mut way = vec![((address.to_owned(), steps.clone()), leads)];
        while let Some(((address, steps), leads)) = way.last_mut() {
            let Some((other, rest)) = leads.last() else {
                way.pop();
                continue;
            };
            match known(&self.asked.single, other, rest) {
                Some(true) => {
                    let (address, steps) = (address.clone(), steps.clone());
                    keep(&mut self.asked.single, &address, steps, true);
                    way.pop();
                }
                Some(false) => drop(leads.pop()),
                None => {
                    let part = (other.clone(), rest.clone());
                    let (differs, leads) = match self.look(&part.0, &part.1, renamed, false) {
                        Found::Answer(differs) => (differs, Vec::new()),
                        Found::Leads(leads) => (false, leads),
                        Found::On(part) => (false, vec![part]),
                    };
                    keep(&mut self.asked.single, &part.0, part.1.clone(), differs);
                    if !leads.is_empty() {
                        way.push((part, leads));
                    }
                }
            }
        }
        known(&self.asked.single, address, &steps).unwrap_or_default()
    }

    /// Looks at a part, or at the one that it is handed on from. `is_open` says that it is not known on either side.
    fn look(
        &mut self,
        address: &str,
        steps: &[WhyStep],
        renamed: Renamed<'_>,
        is_open: bool,
    ) -> Found {
        let mut found = self.look_at(address, steps, renamed, is_open);
        for _ in 0..FURTHEST {
            let Found::On((address, steps)) = &found else { break };
            found = match known(&self.asked.single, address, steps) {
                Some(differs) => Found::Answer(differs),
                None => self.look_at(address, steps, renamed, true),
            };
        }
        found
    }

    /// Looks at one part.
    fn look_at(
        &mut self,
        address: &str,
        steps: &[WhyStep],
        renamed: Renamed<'_>,
        is_open: bool,
    ) -> Found {
        let own = groma_review::without_keys(address);
        let asked = first_name(steps);
        let held = self.touched().holds(&own, asked.map(|name| &**name));
        if held == Held::No {
            return Found::Answer(false);
        }
        let Some(asked) = asked else {
            if !is_open && let Some(differs) = self.is_worth_other(address, steps) {
                return Found::Answer(differs);
            }
            return self.handed_on(address, &own, steps, renamed);
        };
        if self.touched().is_left_to_provider(&own, &own, asked) {
            return Found::Answer(false);
        }
        let name = self.touched().written_name(&own, asked);
        let mut steps = steps.to_vec();
        if name != &**asked {
            steps[0] = WhyStep::Name(name.into());
            if let Some(differs) = known(&self.asked.single, address, &steps) {
                return Found::Answer(differs);
            }
        }
        if (!is_open || name != &**asked)
            && let Some(differs) = self.is_worth_other(address, &steps)
        {
            return Found::Answer(differs);
        }
        if held == Held::ByElement && self.has_same_element(address) {
            return Found::Answer(false);
        }
        if held == Held::ByLeads && steps.len() == 1 {
            let leads = self.touched().leads(&own, name).iter();
            let parts = leads.map(|lead| self.led(address, &own, lead)).collect::<Option<_>>();
            if let Some(parts) = parts {
                return Found::Leads(parts);
            }
        }
        if !self.touched().is_uniform(&own, name) {
            return self.handed_on(address, &own, &steps, renamed);
        }
        let whole = &address[..key_start(address)];
        if let Some(differs) = known(&self.asked.uniform, whole, &steps) {
            return Found::Answer(differs);
        }
        let differs = self.means_otherwise(address, address, &steps, renamed);
        keep(&mut self.asked.uniform, whole, steps, differs);
        Found::Answer(differs)
    }

    /// What a part is made of, as far as the code shows that; else it is asked what it means.
    fn handed_on(
        &mut self,
        address: &str,
        own: &str,
        steps: &[WhyStep],
        renamed: Renamed<'_>,
    ) -> Found {
        let handed = match self.has_same_objects() {
            true => {
                let [was, is] = self.projects();
                Ways { was, is }.of(address, own, steps)
            }
            false => None,
        };
        match handed {
            Some(Handed::On(part)) => Found::On(part),
            Some(Handed::Made(parts)) => self.made(parts),
            None => Found::Answer(self.means_otherwise(address, address, steps, renamed)),
        }
    }

    /// What differs where one of these parts does: what is known of one on any side tells at once.
    fn made(&mut self, mut parts: Vec<Part>) -> Found {
        let differs =
            |this: &Self, part: &Part| known(&this.asked.single, &part.0, &part.1) == Some(true);
        if parts.iter().any(|part| differs(self, part)) {
            return Found::Answer(true);
        }
        for at in (0..parts.len()).rev() {
            let (address, steps) = &parts[at];
            let Some(differs) = self.is_worth_other(address, steps) else { continue };
            let (address, steps) = parts.swap_remove(at);
            keep(&mut self.asked.single, &address, steps, differs);
            if differs {
                return Found::Answer(true);
            }
        }
        Found::Leads(parts)
    }

    /// The part that a lead leads to from an instance.
    fn led(&self, address: &str, own: &str, lead: &Lead) -> Option<Part> {
        let (whole, key) = address.split_at(key_start(address));
        let module = whole.strip_suffix(&*self.touched().own_address(own)?)?;
        let key = match &lead.key {
            LeadKey::None => "",
            LeadKey::Own => key,
            LeadKey::Literal(key) => key,
        };
        let steps = lead.steps.iter().map(|step| match step {
            Step::Attribute(name) => Some(WhyStep::Name(name.clone())),
            Step::Index(key) => key_step(key),
            Step::Splat | Step::Unknown => None,
        });
        Some((format!("{module}{}{key}", lead.resource), steps.collect::<Option<_>>()?))
    }

    /// Whether a part is worth something else than before; nothing where neither side knows it.
    fn is_worth_other(&self, address: &str, steps: &[WhyStep]) -> Option<bool> {
        let worth = |why: &groma_why::Why| {
            let value = why.worth_of(address, steps).filter(|value| value.is_wholly_known())?;
            Some(json::plain(&value.unmark_deep().0))
        };
        match (worth(&self.base.why), worth(&self.head.why)) {
            (None, None) => None,
            (was, is) => Some(was != is),
        }
    }

    /// Whether an instance stands for the same element of what repeats it on both sides.
    fn has_same_element(&self, address: &str) -> bool {
        let [was, is] = [&self.base, &self.head].map(|side| side.why.element_of(address));
        was.zip(is).is_some_and(|(was, is)| is_worth_the_same(&was, &is))
    }

    /// Whether a part has another meaning than before.
    pub(crate) fn means_otherwise(
        &mut self,
        before: &str,
        after: &str,
        steps: &[WhyStep],
        renamed: Renamed<'_>,
    ) -> bool {
        let was = self.base.why.meaning(before, steps, renamed);
        let is = self.head.why.meaning(after, steps, &|_| None);
        was != is
    }
}
