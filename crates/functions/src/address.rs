//! `cidr*`: prefixes of IPv4 and IPv6 as plain integers. An octet with a leading zero is decimal
//! except in Packer, which refuses it; bits of a prefix beyond its length are cleared.

use std::net::{Ipv4Addr, Ipv6Addr};

use groma_value::{Number, Sentence, Type, Value};

use crate::{Args, Availability, Body, Failure, Function, Param, Promise, Returns, Shape};

const PREFIX: Param = Param::new("prefix", Shape::String);

/// The rows, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "cidrcontains",
        params: &[
            Param::new("containing_prefix", Shape::String),
            Param::new("contained_ip_or_prefix", Shape::String),
        ],
        returns: Returns::Shape(Shape::Bool),
        promise: Promise::Nothing,
        dialects: Availability::OPENTOFU.opentofu_since(7),
        doc: "Returns whether a prefix holds an address or all of another prefix.",
        body: Body::Plain(contains),
        ..Function::ROW
    },
    Function {
        name: "cidrhost",
        params: &[PREFIX, Param::new("hostnum", Shape::Number)],
        returns: Returns::Shape(Shape::String),
        promise: Promise::NotNullButInPacker,
        doc: "Returns the address of a numbered host in a prefix; negative numbers count from the end.",
        body: Body::Plain(host),
        ..Function::ROW
    },
    Function {
        name: "cidrnetmask",
        params: &[PREFIX],
        returns: Returns::Shape(Shape::String),
        promise: Promise::NotNullButInPacker,
        doc: "Returns the mask of a prefix as an address.",
        body: Body::Plain(netmask),
        ..Function::ROW
    },
    Function {
        name: "cidrsubnet",
        params: &[
            PREFIX,
            Param::new("newbits", Shape::Number),
            Param::new("netnum", Shape::Number),
        ],
        returns: Returns::Shape(Shape::String),
        promise: Promise::NotNullButInPacker,
        doc: "Returns the prefix with that many more bits, which hold the given number.",
        body: Body::Plain(subnet),
        ..Function::ROW
    },
    Function {
        name: "cidrsubnets",
        params: &[PREFIX],
        rest: Some(Param::new("newbits", Shape::Number)),
        returns: Returns::Shape(Shape::List(&Shape::String)),
        promise: Promise::NotNullButInPacker,
        doc: "Returns consecutive prefixes inside a prefix, each with as many more bits as its argument says.",
        body: Body::Plain(subnets),
        ..Function::ROW
    },
];

/// An address: its bits at the low end, and how many there are (32 or 128).
#[derive(Clone, Copy, PartialEq)]
struct Address {
    bits: u128,
    width: u32,
}

/// An address whose bits beyond `length` are zero.
#[derive(Clone, Copy)]
struct Prefix {
    address: Address,
    length: u32,
}

impl Address {
    fn parse(text: &str, strict: bool) -> Option<Address> {
        if text.contains(':') {
            let bits = text.parse::<Ipv6Addr>().ok()?.to_bits();
            return Some(Address { bits, width: 128 });
        }
        let mut bits = 0;
        let mut octets = 0;
        for octet in text.split('.') {
            let digits = !octet.is_empty() && octet.bytes().all(|b| b.is_ascii_digit());
            if !digits || (strict && octet.len() > 1 && octet.starts_with('0')) {
                return None;
            }
            bits = bits << 8 | u128::from(octet.parse::<u8>().ok()?);
            octets += 1;
        }
        (octets == 4).then_some(Address { bits, width: 32 })
    }

    /// An IPv4 address written in IPv6 is the IPv4 address.
    fn unmapped(self) -> Address {
        if self.width == 128 && self.bits >> 32 == 0xffff {
            return Address { bits: self.bits & u128::from(u32::MAX), width: 32 };
        }
        self
    }

    fn text(self) -> String {
        let plain = self.unmapped();
        if plain.width == 32 {
            return Ipv4Addr::from_bits(plain.bits as u32).to_string();
        }
        Ipv6Addr::from_bits(plain.bits).to_string()
    }
}

impl Prefix {
    fn parse(text: &str, strict: bool) -> Option<Prefix> {
        let (address, length) = text.split_once('/')?;
        let address = Address::parse(address, strict)?;
        if length.is_empty() || !length.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let length = length.parse().ok().filter(|&length| length <= address.width)?;
        Some(Prefix { address, length }.cleared())
    }

    /// How many bits are free below the prefix.
    fn free(self) -> u32 {
        self.address.width - self.length
    }

    fn mask(self) -> u128 {
        let all = u128::MAX >> (128 - self.address.width);
        all & !low_ones(self.free())
    }

    fn cleared(self) -> Prefix {
        let address = Address { bits: self.address.bits & self.mask(), ..self.address };
        Prefix { address, ..self }
    }

    fn text(self) -> String {
        format!("{}/{}", self.address.text(), self.length)
    }

    fn last(self) -> u128 {
        self.address.bits | low_ones(self.free())
    }
}

/// A number whose lowest `count` bits are ones.
fn low_ones(count: u32) -> u128 {
    1u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1)
}

fn prefix(args: &Args<'_>) -> Result<Prefix, Sentence> {
    let strict = args.context.semantics.strict_addresses;
    Prefix::parse(args.text(0), strict).ok_or_else(|| {
        Sentence::vouched(format!(
            "{} is not an address prefix such as \"10.0.0.0/16\" or \"fd00::/64\".",
            args.show(0)
        ))
    })
}

/// A whole number's sign and size, if the size fits an address.
fn whole(number: &Number) -> Option<(bool, u128)> {
    if !number.is_integer() {
        return None;
    }
    let text = number.to_text();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    Some((number.is_negative(), digits.parse().ok()?))
}

fn contains(args: &Args<'_>) -> Result<Value, Failure> {
    let outer = prefix(args).map_err(Failure::whole)?;
    let strict = args.context.semantics.strict_addresses;
    let text = args.text(1);
    let inner = match Address::parse(text, strict) {
        Some(address) => Some(Prefix { length: address.width, address }),
        None => Prefix::parse(text, strict),
    };
    let Some(inner) = inner else {
        return Err(Failure::whole(Sentence::vouched(format!(
            "{} is neither an address nor an address prefix.",
            args.show(1)
        ))));
    };
    let (first, last) =
        (inner.address.unmapped(), Address { bits: inner.last(), ..inner.address }.unmapped());
    if first.width != outer.address.width {
        return Err(Failure::whole(Sentence::vouched(format!(
            "{} and {} are not of one kind: one is IPv4, the other IPv6.",
            args.show(0),
            args.show(1)
        ))));
    }
    let range = outer.address.bits..=outer.last();
    Ok(Value::Bool(range.contains(&first.bits) && range.contains(&last.bits)))
}

fn host(args: &Args<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(Failure::whole)?;
    let size = low_ones(prefix.free());
    let number = args.number(1);
    let offset = match whole(&number) {
        Some((false, number)) if number <= size => Some(number),
        Some((true, 0)) => Some(0),
        Some((true, below)) if below - 1 <= size => Some(size - (below - 1)),
        _ => None,
    };
    let Some(offset) = offset else {
        return Err(Failure::whole(format!(
            "{} has no host numbered {}: numbers go from 0 to {size}, or from -1 down to count from the end.",
            prefix.text(),
            args.show(1),
        )));
    };
    let bits = prefix.address.bits | offset;
    Ok(Value::from(Address { bits, ..prefix.address }.text()))
}

fn netmask(args: &Args<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(Failure::whole)?;
    // Compat: a prefix of mapped IPv4 addresses passes, though its mask is as long as any of IPv6.
    if args.context.semantics.masks_of_ipv4_only && prefix.address.unmapped().width != 32 {
        return Err(Failure::whole(format!(
            "{} is an IPv6 prefix; masks are written for IPv4 only.",
            prefix.text()
        )));
    }
    let mask = Address { bits: prefix.mask(), ..prefix.address };
    Ok(Value::from(mask.text()))
}

fn subnet(args: &Args<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(Failure::whole)?;
    let bits = args.number(1).to_exact_i64();
    let length =
        bits.and_then(|bits| u32::try_from(i64::from(prefix.length).checked_add(bits)?).ok());
    let (Some(length), Some(bits)) = (length.filter(|&l| l <= prefix.address.width), bits) else {
        return Err(Failure::whole(format!(
            "{} cannot grow by {} bits: {} are left.",
            prefix.text(),
            args.show(1),
            prefix.free()
        )));
    };
    let numbers = low_ones(u32::try_from(bits).unwrap_or(0));
    let wrong = || {
        Failure::whole(format!(
            "With {bits} more bits the numbers go from 0 to {numbers}; {} is none.",
            args.show(2)
        ))
    };
    let (negative, number) =
        whole(&args.number(2)).filter(|(_, number)| *number <= numbers).ok_or_else(wrong)?;
    let shift = prefix.address.width - length;
    let placed = number.checked_shl(shift).unwrap_or(0);
    let negative = negative && number > 0;
    if negative && args.context.semantics.strict_addresses {
        return Err(wrong());
    }
    // Compat: a negative number is laid over the prefix in two's complement and the result read
    // as a size, as recorded in conformance/vectors/fn-net.jsonl (cidrsubnet/negative-number-three).
    let address = match negative {
        true => (!(prefix.address.bits | placed.wrapping_neg())).wrapping_add(1),
        false => prefix.address.bits | placed,
    };
    let address = Address { bits: address, ..prefix.address };
    Ok(Value::from(Prefix { address, length }.text()))
}

fn subnets(args: &Args<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(|message| args.fail(0, message))?;
    let mut made: Vec<Value> = Vec::with_capacity(args.len());
    let mut next = prefix.address.bits;
    let mut full = false;
    for index in 1..args.len() {
        let bits = args.number(index).to_exact_i64().and_then(|bits| u32::try_from(bits).ok());
        let Some(bits) = bits.filter(|bits| (1..=32).contains(bits)) else {
            let message = Sentence::vouched(format!(
                "{} is not a number of bits: it takes 1 to 32.",
                args.show(index)
            ));
            return Err(args.fail(index, message));
        };
        if bits > prefix.free() {
            let message = format!(
                "{} cannot grow by {bits} bits: {} are left.",
                prefix.text(),
                prefix.free()
            );
            return Err(args.fail(index, message));
        }
        let length = prefix.length + bits;
        let size = low_ones(prefix.address.width - length);
        let start = next.checked_add(size).map(|sum| sum & !size);
        let start =
            start.filter(|&start| !full && start <= prefix.last() && prefix.last() - start >= size);
        let Some(start) = start else {
            let message =
                format!("{} has no room left for a prefix of {length} bits.", prefix.text());
            return Err(args.fail(index, message));
        };
        let address = Address { bits: start, ..prefix.address };
        made.push(Value::from(Prefix { address, length }.text()));
        match (start | size).checked_add(1) {
            Some(after) => next = after,
            None => full = true,
        }
    }
    Ok(Value::list(Type::String, made))
}
