//! `cidr*`: prefixes of IPv4 and IPv6 addresses as integers. An octet with a leading zero is decimal, except in Packer, which
//! refuses it; bits after the prefix length are cleared.

use std::net::{Ipv4Addr, Ipv6Addr};

use groma_runtime::Availability;
use groma_value::{Sentence, Type, Value};

use crate::{
    CallArgs, Failure, Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `prefix`, a string.
const PREFIX: ParameterRow = ParameterRow::new("prefix", RowType::String);

/// The rows of the `cidr…` functions, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "cidrcontains",
        params: &[
            ParameterRow::new("containing_prefix", RowType::String),
            ParameterRow::new("contained_ip_or_prefix", RowType::String),
        ],
        returns: ReturnType::Shape(RowType::Bool),
        promise: ResultPromise::Nothing,
        dialects: Availability::OPENTOFU.opentofu_since(7),
        doc: "Returns whether a prefix holds an address or all of another prefix.",
        body: FunctionBody::Plain(contains),
        ..Function::ROW
    },
    Function {
        name: "cidrhost",
        params: &[PREFIX, ParameterRow::new("hostnum", RowType::Number)],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns the address of a numbered host in a prefix; negative numbers count from the end.",
        body: FunctionBody::Plain(host),
        ..Function::ROW
    },
    Function {
        name: "cidrnetmask",
        params: &[PREFIX],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns the mask of a prefix as an address.",
        body: FunctionBody::Plain(netmask),
        ..Function::ROW
    },
    Function {
        name: "cidrsubnet",
        params: &[
            PREFIX,
            ParameterRow::new("newbits", RowType::Number),
            ParameterRow::new("netnum", RowType::Number),
        ],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns the prefix with that many more bits, which hold the given number.",
        body: FunctionBody::Plain(subnet),
        ..Function::ROW
    },
    Function {
        name: "cidrsubnets",
        params: &[PREFIX],
        rest: Some(ParameterRow::new("newbits", RowType::Number)),
        returns: ReturnType::Shape(RowType::List(&RowType::String)),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns consecutive prefixes inside a prefix, each with as many more bits as its argument says.",
        body: FunctionBody::Plain(subnets),
        ..Function::ROW
    },
];

/// An IPv4 or IPv6 address: its bits as an integer, and their number (32 or 128).
#[derive(Clone, Copy, PartialEq)]
struct IpAddress {
    bits: u128,
    width: u32,
}

/// An IP prefix such as `10.0.0.0/16`: an address and the number of its leading bits that are fixed.
#[derive(Clone, Copy)]
struct IpPrefix {
    address: IpAddress,
    length: u32,
}

impl IpAddress {
    /// Parses an IP address; `None` for other texts, and with `strict` also for octets with leading zeros.
    fn parse(text: &str, strict: bool) -> Option<IpAddress> {
        let (bits, width) = match (text.contains(':'), strict) {
            (true, true) => (text.parse::<Ipv6Addr>().ok()?.to_bits(), 128),
            (true, false) => (groups(text)?, 128),
            (false, _) => (u128::from(octets(text, strict)?), 32),
        };
        Some(IpAddress { bits, width })
    }

    /// Returns the IPv4 address that an IPv6 address maps (`::ffff:0:0/96`); other addresses are unchanged.
    fn unmapped(self) -> IpAddress {
        if self.width == 128 && self.bits >> 32 == 0xffff {
            return IpAddress { bits: self.bits & u128::from(u32::MAX), width: 32 };
        }
        self
    }

    /// Returns an address of the same width with these bits; `None` if they do not fit.
    fn with_bits(self, bits: u128) -> Option<IpAddress> {
        (bits <= low_ones(self.width)).then_some(IpAddress { bits, ..self })
    }

    /// Returns the text of the IP address in its shortest standard notation.
    fn text(self) -> String {
        let plain = self.unmapped();
        if plain.width == 32 {
            return Ipv4Addr::from_bits(plain.bits as u32).to_string();
        }
        Ipv6Addr::from_bits(plain.bits).to_string()
    }
}

/// Parses an IPv4 address into its 32 bits; `None` for other texts, and with `strict` also for octets with leading zeros.
fn octets(text: &str, strict: bool) -> Option<u32> {
    let mut bits = 0;
    let mut count = 0;
    for octet in text.split('.') {
        let digits = !octet.is_empty() && octet.bytes().all(|b| b.is_ascii_digit());
        if !digits || (strict && octet.len() > 1 && octet.starts_with('0')) {
            return None;
        }
        bits = bits << 8 | u32::from(octet.parse::<u8>().ok()?);
        count += 1;
        if count > 4 {
            return None;
        }
    }
    (count == 4).then_some(bits)
}

/// Parses an IPv6 address into its 128 bits; `None` for other texts. Groups may have any number of leading zeros.
fn groups(text: &str) -> Option<u128> {
    let half = |text: &str, may_end: bool| -> Option<(u128, u32)> {
        let (mut bits, mut count) = (0, 0);
        let mut parts = text.split(':').peekable();
        while let Some(part) = parts.next().filter(|_| !text.is_empty()) {
            let last = parts.peek().is_none() && may_end;
            let (value, size) = match last && part.contains('.') {
                true => (octets(part, false)?, 2),
                false => {
                    let digits = part.bytes().all(|b| b.is_ascii_hexdigit());
                    let value = digits.then(|| u32::from_str_radix(part, 16).ok()).flatten()?;
                    (value, 1)
                }
            };
            count += size;
            if count > 8 || (size == 1 && value > 0xffff) {
                return None;
            }
            bits = bits << (16 * size) | u128::from(value);
        }
        Some((bits, count))
    };
    let Some((before, after)) = text.split_once("::") else {
        return half(text, true).filter(|(_, count)| *count == 8).map(|(bits, _)| bits);
    };
    let ((high, first), (low, second)) = (half(before, false)?, half(after, true)?);
    // `::` represents at least one group.
    (first + second < 8).then(|| high.checked_shl(128 - 16 * first).unwrap_or(0) | low)
}

impl IpPrefix {
    /// Parses `ADDRESS/LENGTH` and clears the bits after the prefix; `None` for other texts, and with `strict` also for octets
    /// with leading zeros.
    fn parse(text: &str, strict: bool) -> Option<IpPrefix> {
        let (address, length) = text.split_once('/')?;
        let address = IpAddress::parse(address, strict)?;
        if length.is_empty() || !length.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let length = length.parse().ok().filter(|&length| length <= address.width)?;
        Some(IpPrefix { address, length }.cleared())
    }

    /// Returns the number of address bits that the prefix leaves free.
    fn free_bits(self) -> u32 {
        self.address.width - self.length
    }

    /// Returns the network mask of the prefix as an integer.
    fn mask(self) -> u128 {
        let all = u128::MAX >> (128 - self.address.width);
        all & !low_ones(self.free_bits())
    }

    /// Returns the prefix with all bits after its length set to zero.
    fn cleared(self) -> IpPrefix {
        let address = IpAddress { bits: self.address.bits & self.mask(), ..self.address };
        IpPrefix { address, ..self }
    }

    /// Returns the prefix as `ADDRESS/LENGTH`, in IPv4 notation for an IPv4 address mapped into IPv6.
    fn text(self) -> String {
        let length = match self.address.unmapped() == self.address {
            true => self.length,
            // In IPv4 notation the length is counted without the 96 bits of the mapping.
            false => self.length.saturating_sub(96),
        };
        format!("{}/{length}", self.address.text())
    }

    /// Returns the highest address in the prefix as an integer.
    fn last(self) -> u128 {
        self.address.bits | low_ones(self.free_bits())
    }
}

/// Returns an integer whose lowest `count` bits are set, and no others.
fn low_ones(count: u32) -> u128 {
    1u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1)
}

/// Returns the prefix that the function's first argument spells; the error is a message.
fn prefix(args: &CallArgs<'_>) -> Result<IpPrefix, Sentence> {
    let strict = args.context.semantics.strict_addresses;
    IpPrefix::parse(args.text(0), strict).ok_or_else(|| {
        Sentence::trusted(format!(
            "{} is not an address prefix such as \"10.0.0.0/16\" or \"fd00::/64\".",
            args.show(0)
        ))
    })
}

/// Returns the whole number at the argument `index`: true if negative, and its magnitude; `None` for fractions and too large
/// numbers.
fn whole_number(args: &CallArgs<'_>, index: usize) -> Option<(bool, u128)> {
    let number = args.number(index);
    if args.context.semantics.strict_addresses && number.to_exact_i64().is_none() {
        return None;
    }
    let digits = number.to_text_radix(10)?;
    let size = digits.strip_prefix('-').unwrap_or(&digits).parse().ok()?;
    Some((number.is_negative(), size))
}

/// Returns the distance from the last address that a negative number at the argument `index` denotes: 0 for -1; `None` for
/// fractions and too large numbers.
fn before_last(args: &CallArgs<'_>, index: usize) -> Option<u128> {
    match whole_number(args, index) {
        Some((_, size)) => size.checked_sub(1),
        None if args.context.semantics.strict_addresses => None,
        // The distance of the first IPv6 address from the end is one more than 128 bits hold.
        None => {
            let digits = args.number(index).to_text_radix(10)?;
            (digits == "-340282366920938463463374607431768211456").then_some(u128::MAX)
        }
    }
}

/// Implements `cidrcontains`: returns true if a prefix contains an address or all of another prefix.
fn contains(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let outer = prefix(args).map_err(Failure::whole)?;
    let strict = args.context.semantics.strict_addresses;
    let text = args.text(1);
    let inner = match IpAddress::parse(text, strict) {
        Some(address) => Some(IpPrefix { length: address.width, address }),
        None => IpPrefix::parse(text, strict),
    };
    let Some(inner) = inner else {
        return Err(Failure::whole(Sentence::trusted(format!(
            "{} is neither an address nor an address prefix.",
            args.show(1)
        ))));
    };
    let first = inner.address.unmapped();
    let last = IpAddress { bits: inner.last(), ..inner.address }.unmapped();
    let start = outer.address.unmapped();
    let end = IpAddress { bits: outer.last(), ..outer.address }.unmapped();
    if first.width != start.width {
        return Err(Failure::whole(Sentence::trusted(format!(
            "{} and {} have different kinds: one is IPv4, the other IPv6.",
            args.show(0),
            args.show(1)
        ))));
    }
    let range = start.bits..=end.bits;
    let inside = |address: IpAddress| address.width == start.width && range.contains(&address.bits);
    Ok(Value::Bool(inside(first) && inside(last)))
}

/// Implements `cidrhost`: returns the address at a number in a prefix, counted from its first address, or from its last if the
/// number is negative.
fn host(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(Failure::whole)?;
    let size = low_ones(prefix.free_bits());
    let number = args.number(1);
    let counts_back = number.is_negative() && !number.is_zero();
    let offset = match whole_number(args, 1) {
        _ if counts_back => before_last(args, 1).and_then(|before| size.checked_sub(before)),
        Some((_, number)) if args.context.semantics.exact_host_numbers => {
            (number <= size).then_some(number)
        }
        // Compat: only the lowest 64 bits of a number are compared, as a signed integer.
        Some((_, number)) => u128::try_from(number as u64 as i64)
            .map_or(true, |compared| compared <= size)
            .then_some(number),
        None => None,
    };
    // Compat: the number is placed in bits 0 to 31 from the front, also in an IPv4 address that
    // is written as IPv6, where the host bits are at the end.
    let address = offset
        .and_then(|offset| shifted(offset, prefix.address.width - prefix.address.unmapped().width))
        .and_then(|placed| prefix.address.with_bits(prefix.address.bits | placed));
    address.map(|address| Value::from(address.text())).ok_or_else(|| {
        Failure::whole(format!(
            "{} has no host numbered {}: numbers go from 0 to {size}, or from -1 down to count from the end.",
            prefix.text(),
            args.show(1),
        ))
    })
}

/// Returns an integer shifted left by `by` bits; `None` if a set bit would be lost.
fn shifted(number: u128, by: u32) -> Option<u128> {
    match number {
        0 => Some(0),
        number => (number.leading_zeros() >= by).then(|| number << by),
    }
}

/// Implements `cidrnetmask`: returns the network mask of a prefix, as an address.
fn netmask(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(Failure::whole)?;
    // Compat: a prefix of mapped IPv4 addresses is accepted, although its mask has 128 bits.
    if args.context.semantics.masks_of_ipv4_only && prefix.address.unmapped().width != 32 {
        return Err(Failure::whole(format!(
            "{} is an IPv6 prefix; masks are written for IPv4 only.",
            prefix.text()
        )));
    }
    let mask = IpAddress { bits: prefix.mask(), ..prefix.address };
    Ok(Value::from(mask.text()))
}

/// Implements `cidrsubnet`: returns the prefix that extends another by some bits, which hold a given number.
fn subnet(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(Failure::whole)?;
    let bits = args.number(1).to_exact_i64();
    let length =
        bits.and_then(|bits| u32::try_from(i64::from(prefix.length).checked_add(bits)?).ok());
    let most = if args.context.semantics.strict_addresses { 32 } else { i64::MAX };
    let length = length.filter(|&length| length <= prefix.address.width);
    let (Some(length), Some(bits)) = (length, bits.filter(|&bits| bits <= most)) else {
        return Err(Failure::whole(format!(
            "{} cannot grow by {} bits: {} are left.",
            prefix.text(),
            args.show(1),
            i64::from(prefix.free_bits()).min(most)
        )));
    };
    // Compat: only the lowest 64 bits of a number are compared, and with a shorter prefix any
    // number is accepted.
    let numbers = match u32::try_from(bits) {
        Ok(bits) if bits < 64 => low_ones(bits),
        _ => u128::from(u64::MAX),
    };
    let wrong = || {
        Failure::whole(format!(
            "With {bits} more bits the numbers go from 0 to {numbers}, so {} is out of range.",
            args.show(2)
        ))
    };
    let (negative, number) = whole_number(args, 2)
        .filter(|(_, number)| u128::from(*number as u64) <= numbers)
        .ok_or_else(wrong)?;
    let placed = shifted(number, prefix.address.width - length).ok_or_else(wrong)?;
    let negative = negative && number > 0;
    let semantics = &args.context.semantics;
    if negative && (semantics.strict_addresses || semantics.exact_host_numbers) {
        return Err(wrong());
    }
    // Compat: a negative number is combined with the prefix in two's complement and the magnitude
    // of the result used, as recorded in conformance/vectors/fn-net.jsonl (cidrsubnet/negative-number-three).
    let bits = match negative {
        true => (!(prefix.address.bits | placed.wrapping_neg())).wrapping_add(1),
        false => prefix.address.bits | placed,
    };
    let address = prefix.address.with_bits(bits).ok_or_else(wrong)?;
    Ok(Value::from(IpPrefix { address, length }.text()))
}

/// Implements `cidrsubnets`: returns consecutive prefixes inside a prefix, each extended by a given number of bits.
fn subnets(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let prefix = prefix(args).map_err(|message| args.fail(0, message))?;
    let mut made: Vec<Value> = Vec::with_capacity(args.len());
    let mut next = prefix.address.bits;
    let mut full = false;
    let most = if args.context.semantics.subnets_of_any_length { prefix.address.width } else { 32 };
    for index in 1..args.len() {
        let bits = args.number(index).to_exact_i64().and_then(|bits| u32::try_from(bits).ok());
        let Some(bits) = bits.filter(|bits| (1..=most).contains(bits)) else {
            let message = Sentence::trusted(format!(
                "{} is not a number of bits: it takes 1 to {most}.",
                args.show(index)
            ));
            return Err(args.fail(index, message));
        };
        if bits > prefix.free_bits() {
            let message = format!(
                "{} cannot grow by {bits} bits: {} are left.",
                prefix.text(),
                prefix.free_bits()
            );
            return Err(args.fail(index, message));
        }
        // Compat: the first prefix at address zero, or in IPv4 that is written as IPv6, counts as
        // beyond the end.
        let lost = |bits: u128| {
            let address = IpAddress { bits, ..prefix.address };
            address.unmapped() != address
        };
        if prefix.address.bits == 0 || lost(prefix.address.bits) {
            let message = format!(
                "{} cannot be divided: it begins at the first address of all, or is IPv4 written \
                 as IPv6. Use `cidrsubnet` for each part.",
                args.show(0)
            );
            return Err(args.fail(index, message));
        }
        let length = prefix.length + bits;
        let size = low_ones(prefix.address.width - length);
        let start = next.checked_add(size).map(|sum| sum & !size);
        let start = start.filter(|&start| {
            !full && !lost(start) && start <= prefix.last() && prefix.last() - start >= size
        });
        let Some(start) = start else {
            let message =
                format!("{} has no room left for a prefix of {length} bits.", prefix.text());
            return Err(args.fail(index, message));
        };
        let address = IpAddress { bits: start, ..prefix.address };
        made.push(Value::from(IpPrefix { address, length }.text()));
        match (start | size).checked_add(1) {
            Some(after) => next = after,
            None => full = true,
        }
    }
    Ok(Value::list(Type::String, made))
}
