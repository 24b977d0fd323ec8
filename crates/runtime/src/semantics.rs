//! The differences of an edition, as plain data. The evaluator and the functions branch on these fields, never on a
//! dialect's name; differences in the stages above them are conventions, in `groma_module::dialect`. The table below is
//! the only definition of these differences; the page `docs/guide/versions.md` is generated from it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_value::grapheme::UnicodeVersion;

use crate::{Availability, Dialect, Edition, Version};

/// A difference in behaviour between editions: its name, a sentence on each of the two behaviours, and the editions that have
/// the first of them.
#[derive(Clone, Copy, Debug)]
pub struct EditionDifference {
    /// The name of its field, or of the availability that is read in its place.
    pub name: &'static str,
    /// A sentence about the behaviour of editions with the difference.
    pub holds: &'static str,
    /// A sentence about the behaviour of all other editions.
    pub otherwise: &'static str,
    /// The editions with the difference.
    pub editions: Availability,
}

/// A minor version above all others, for a behaviour that a dialect does not have at all.
const NEVER: u32 = u32::MAX;

/// Returns the availability of a behaviour since `1.minor` of each dialect; 0 stands for every version, `NEVER` for none.
const fn since(opentofu: u32, terraform: u32, packer: u32) -> Availability {
    /// Returns the first version with a difference's behaviour: `1.minor`, for 0 the version below all others, and `None` for
    /// `NEVER`.
    const fn at(minor: u32) -> Option<Version> {
        match minor {
            NEVER => None,
            0 => Some(Version::new(0, 0, 0)),
            minor => Some(Version::new(1, minor, 0)),
        }
    }
    Availability { opentofu: at(opentofu), terraform: at(terraform), packer: at(packer) }
}

/// Difference `short_circuit`: if one side of `&&` or `||` decides the result, an error or an unknown value on the other side
/// does not matter.
const SHORT_CIRCUIT: EditionDifference = EditionDifference {
    name: "short_circuit",
    holds: "If one side of `&&` or `||` decides the result, an error or an unknown value on the other side does not matter.",
    otherwise: "Both sides of `&&` and `||` are evaluated, and an error on either side is an error.",
    editions: since(10, 12, 0),
};
/// Difference `null_in_logic`: a null operand of `&&` or `||` is allowed, and `null && true` is false.
const NULL_IN_LOGIC: EditionDifference = EditionDifference {
    name: "null_in_logic",
    holds: "A null operand of `&&` or `||` is allowed, and `null && true` is false.",
    otherwise: "A null operand of `&&` or `||` is an error.",
    editions: since(10, 12, 0),
};
/// Difference `numbers_equal_by_text`: numbers are equal if their shortest decimal texts are equal, whole numbers too.
const NUMBERS_EQUAL_BY_TEXT: EditionDifference = EditionDifference {
    name: "numbers_equal_by_text",
    holds: "Numbers are equal if their shortest decimal texts are equal, whole numbers too.",
    otherwise: "Whole numbers are compared exactly, fractions by their shortest decimal texts.",
    editions: since(NEVER, NEVER, 0),
};
/// Difference `typed_index`: `[name]` of an unknown object has the type of that attribute.
const TYPED_INDEX: EditionDifference = EditionDifference {
    name: "typed_index",
    holds: "`[name]` of an unknown object has the type of that attribute.",
    otherwise: "Only `.name` has the type of that attribute; the type of `[name]` of an unknown object is unknown.",
    editions: since(NEVER, 15, 0),
};
/// Difference `negative_element`: `element` counts negative indexes of a tuple from the end.
const NEGATIVE_ELEMENT: EditionDifference = EditionDifference {
    name: "negative_element",
    holds: "`element` counts negative indexes of a tuple from the end.",
    otherwise: "`element` refuses a negative index of a tuple.",
    editions: since(10, 12, NEVER),
};
/// Difference `negative_element_of_list`: `element` counts negative indexes of a list from the end.
const NEGATIVE_ELEMENT_OF_LIST: EditionDifference = EditionDifference {
    name: "negative_element_of_list",
    holds: "`element` counts negative indexes of a list from the end.",
    otherwise: "`element` refuses a negative index of a list, too.",
    editions: since(10, 11, NEVER),
};
/// Difference `nested_templatefile`: a template file may render another template file.
const NESTED_TEMPLATEFILE: EditionDifference = EditionDifference {
    name: "nested_templatefile",
    holds: "A template file may render another template file.",
    otherwise: "`templatefile` cannot be called in a template file.",
    editions: since(7, NEVER, NEVER),
};
/// Difference `null_templatefile`: a template file that is a single interpolation may yield null.
const NULL_TEMPLATEFILE: EditionDifference = EditionDifference {
    name: "null_templatefile",
    holds: "A template file that is a single interpolation may yield null.",
    otherwise: "A template file that yields null is an error.",
    editions: since(0, NEVER, 0),
};
/// Difference `template_provider_functions`: a template may call the functions of its module's providers.
const TEMPLATE_PROVIDER_FUNCTIONS: EditionDifference = EditionDifference {
    name: "template_provider_functions",
    holds: "A template may call the functions of its module's providers.",
    otherwise: "A template cannot call the functions of providers.",
    editions: since(NEVER, 8, NEVER),
};
/// Difference `templatestring_of_anything`: the template argument of `templatestring` may be any expression.
const TEMPLATESTRING_OF_ANYTHING: EditionDifference = EditionDifference {
    name: "templatestring_of_anything",
    holds: "The template argument of `templatestring` may be any expression.",
    otherwise: "The template argument of `templatestring` must be a reference.",
    editions: since(0, NEVER, NEVER),
};
/// Difference `templatefile_hides_whole`: a sensitive value anywhere in the variables of `templatefile` makes the result
/// sensitive.
const TEMPLATEFILE_HIDES_WHOLE: EditionDifference = EditionDifference {
    name: "templatefile_hides_whole",
    holds: "A sensitive value anywhere in the variables of `templatefile` makes the result sensitive.",
    otherwise: "Only the variables that a template file uses make the result of `templatefile` sensitive.",
    editions: since(0, 0, NEVER),
};
/// Difference `templatestring_hides_whole`: a sensitive value anywhere in the variables of `templatestring` makes the result
/// sensitive; the result of an unknown template is a string.
const TEMPLATESTRING_HIDES_WHOLE: EditionDifference = EditionDifference {
    name: "templatestring_hides_whole",
    holds: "A sensitive value anywhere in the variables of `templatestring` makes the result sensitive; the result of an unknown template is a string.",
    otherwise: "Only the variables that a template uses make the result of `templatestring` sensitive; nothing is known of the result of an unknown template.",
    editions: since(NEVER, 0, NEVER),
};
/// Difference `regex_in_replace`: `replace` reads a substring between slashes as a regular expression.
const REGEX_IN_REPLACE: EditionDifference = EditionDifference {
    name: "regex_in_replace",
    holds: "`replace` reads a substring between slashes as a regular expression.",
    otherwise: "`replace` takes every substring literally.",
    editions: since(0, 0, NEVER),
};
/// Difference `older_yaml`: `yamldecode` does not support hexadecimal numbers, and a null document is unknown.
const OLDER_YAML: EditionDifference = EditionDifference {
    name: "older_yaml",
    holds: "`yamldecode` does not support hexadecimal numbers, and a null document is unknown.",
    otherwise: "`yamldecode` supports hexadecimal numbers, and a null document is null.",
    editions: since(NEVER, NEVER, 0),
};
/// Difference `yaml_merge_lists`: `yamldecode` merges a list of mappings (`<<: [*a, *b]`) and supports the tag `!!merge`.
const YAML_MERGE_LISTS: EditionDifference = EditionDifference {
    name: "yaml_merge_lists",
    holds: "`yamldecode` merges a list of mappings (`<<: [*a, *b]`) and supports the tag `!!merge`.",
    otherwise: "`yamldecode` merges only a single mapping, under the plain key `<<`.",
    editions: since(0, NEVER, NEVER),
};
/// Difference `loose_class_names`: names of Unicode classes in patterns need not be exact: `\p{greek}`, `\p{Letter}`.
const LOOSE_CLASS_NAMES: EditionDifference = EditionDifference {
    name: "loose_class_names",
    holds: "Names of Unicode classes in patterns need not be exact: `\\p{greek}`, `\\p{Letter}`.",
    otherwise: "Names of Unicode classes in patterns must be exact: `\\p{Greek}`, `\\p{L}`.",
    editions: since(12, 14, NEVER),
};
/// Difference `lookup_without_default`: `lookup` works without a default and fails for an absent key.
const LOOKUP_WITHOUT_DEFAULT: EditionDifference = EditionDifference {
    name: "lookup_without_default",
    holds: "`lookup` works without a default and fails for an absent key.",
    otherwise: "`lookup` requires a default.",
    editions: since(0, 0, NEVER),
};
/// Difference `format_takes_bare_null`: `format` prints an untyped null.
const FORMAT_TAKES_BARE_NULL: EditionDifference = EditionDifference {
    name: "format_takes_bare_null",
    holds: "`format` prints an untyped null.",
    otherwise: "The result of `format` with an untyped null is unknown.",
    editions: since(0, 12, NEVER),
};
/// Difference `known_starts`: `startswith` and `jsonencode` use the known prefix of an unknown text.
const KNOWN_STARTS: EditionDifference = EditionDifference {
    name: "known_starts",
    holds: "`startswith` and `jsonencode` use the known prefix of an unknown string.",
    otherwise: "`startswith` and `jsonencode` do not use the known prefix of an unknown string.",
    editions: since(0, 0, NEVER),
};
/// Difference `json_duplicates_checked`: `jsondecode` refuses a repeated key whose values differ in type.
const JSON_DUPLICATES_CHECKED: EditionDifference = EditionDifference {
    name: "json_duplicates_checked",
    holds: "`jsondecode` refuses a repeated key whose values differ in type.",
    otherwise: "The last of repeated keys of `jsondecode` counts, and the values before it must convert to its type.",
    editions: since(0, 12, NEVER),
};
/// Difference `older_globs`: `fileset` reads patterns as an older version of its pattern library does: `!` does not negate a
/// class, a descending range is empty.
const OLDER_GLOBS: EditionDifference = EditionDifference {
    name: "older_globs",
    holds: "`fileset` reads patterns as its older library did: `!` does not negate a class, and a descending range is empty.",
    otherwise: "`[!a]` negates a class in `fileset`, and braces may nest.",
    editions: since(NEVER, 0, 0),
};
/// Difference `abspath_from_base`: `abspath` starts at the root module's folder, as the other functions of files do.
const ABSPATH_FROM_BASE: EditionDifference = EditionDifference {
    name: "abspath_from_base",
    holds: "`abspath` starts at the root module's folder, as the other file functions do.",
    otherwise: "`abspath` starts at the current folder, and the other file functions at the template's folder.",
    editions: since(0, 0, NEVER),
};
/// Difference `strict_addresses`: a leading zero in a number of an IP address is an error.
const STRICT_ADDRESSES: EditionDifference = EditionDifference {
    name: "strict_addresses",
    holds: "A leading zero in an address is an error.",
    otherwise: "A leading zero in an address is allowed, and the number is decimal.",
    editions: since(NEVER, NEVER, 0),
};
/// Difference `masks_of_ipv4_only`: `cidrnetmask` refuses an IPv6 prefix.
const MASKS_OF_IPV4_ONLY: EditionDifference = EditionDifference {
    name: "masks_of_ipv4_only",
    holds: "`cidrnetmask` refuses an IPv6 prefix.",
    otherwise: "`cidrnetmask` returns the mask of an IPv6 prefix, too.",
    editions: since(0, 0, NEVER),
};
/// Difference `core_namespace`: `core::NAME` names the built-in function.
const CORE_NAMESPACE: EditionDifference = EditionDifference {
    name: "core_namespace",
    holds: "`core::NAME` refers to the built-in function.",
    otherwise: "Function names have no namespace.",
    editions: since(7, 8, NEVER),
};
/// Difference `provider_functions`: `provider::NAME::FUNCTION` names a provider's function.
const PROVIDER_FUNCTIONS: EditionDifference = EditionDifference {
    name: "provider_functions",
    holds: "`provider::NAME::FUNCTION` refers to a provider's function.",
    otherwise: "Providers have no functions.",
    editions: since(7, 8, NEVER),
};
/// Difference `providers_checked`: a call of a function of an undeclared provider is an error anywhere, even in `try`.
const PROVIDERS_CHECKED: EditionDifference = EditionDifference {
    name: "providers_checked",
    holds: "A call of a function of an undeclared provider is an error anywhere, even in `try`.",
    otherwise: "A call of a function of an undeclared provider is an error only when it is evaluated.",
    editions: since(0, NEVER, NEVER),
};
/// Difference `encoded_unknowns`: `provider::terraform::encode_expr` of a value with unknown parts is unknown, and
/// `encode_tfvars` takes maps.
const ENCODED_UNKNOWNS: EditionDifference = EditionDifference {
    name: "encoded_unknowns",
    holds: "`provider::terraform::encode_expr` of a value with unknown parts is unknown, and `encode_tfvars` takes maps.",
    otherwise: "`provider::terraform::encode_expr` of a value with unknown parts is an error, and `encode_tfvars` takes objects only.",
    editions: since(NEVER, 0, NEVER),
};
/// Difference `convert_fills_gaps`: `convert` gives missing optional attributes their defaults, and in a template each word of
/// its type argument, such as `string`, must be the name of a variable of the template.
const CONVERT_FILLS_GAPS: EditionDifference = EditionDifference {
    name: "convert_fills_gaps",
    holds: "`convert` gives missing optional attributes their defaults, and in a template the words of its type must be variables of the template.",
    otherwise: "The type argument of `convert` cannot have optional attributes.",
    editions: since(13, 15, NEVER),
};
/// Difference `convert_hides_whole`: one sensitive part makes the whole result of `convert` sensitive, and an unknown value is
/// assumed to fit the type.
const CONVERT_HIDES_WHOLE: EditionDifference = EditionDifference {
    name: "convert_hides_whole",
    holds: "One sensitive part makes the whole result of `convert` sensitive, and an unknown value is assumed to fit the type.",
    otherwise: "The result of `convert` is sensitive in the same parts as the value, and an unknown value must be of a type that can convert.",
    editions: since(NEVER, 15, NEVER),
};
/// Difference `type_words_refer`: the words of the type argument of `convert` are references, so that module sources and
/// `for_each` of providers cannot contain them; `any`, `bool`, `number` and `string` refer to nothing, and any other word has to
/// be declared.
const TYPE_WORDS_REFER: EditionDifference = EditionDifference {
    name: "type_words_refer",
    holds: "The words of the type argument of `convert` are references, so that module sources and `for_each` of providers cannot contain them; `any`, `bool`, `number` and `string` refer to nothing, and any other word must be declared.",
    otherwise: "The words of the type argument of `convert` are not references.",
    editions: since(13, NEVER, NEVER),
};
/// Difference `unicode`: case, classes in patterns and grapheme clusters are those of Unicode 17, in which a conjunct such as
/// `क्ष` is one cluster.
const UNICODE_17: EditionDifference = EditionDifference {
    name: "unicode",
    holds: "Case, classes in patterns and grapheme clusters are those of Unicode 17, in which a conjunct such as `क्ष` is one cluster.",
    otherwise: "Case, classes in patterns and grapheme clusters are those of Unicode 15 (clusters in Packer of Unicode 13), in which each consonant of a conjunct is a cluster.",
    editions: since(13, NEVER, NEVER),
};
/// Difference `null_in_contains`: `contains` finds a null with a type; for a null without a type the result is unknown.
const NULL_IN_CONTAINS: EditionDifference = EditionDifference {
    name: "null_in_contains",
    holds: "`contains` finds a null with a type; for a null without a type the result is unknown.",
    otherwise: "`contains` refuses to search for null.",
    editions: since(13, 16, NEVER),
};
/// Difference `exact_host_numbers`: `cidrhost` refuses any host number too large for the prefix, not only by its lowest 64 bits,
/// and `cidrsubnet` refuses a negative number.
const EXACT_HOST_NUMBERS: EditionDifference = EditionDifference {
    name: "exact_host_numbers",
    holds: "`cidrhost` refuses any host number too large for the prefix, and `cidrsubnet` refuses a negative number.",
    otherwise: "`cidrhost` compares only the lowest 64 bits of a host number, and `cidrsubnet` returns an odd prefix for a negative number (Packer refuses it).",
    editions: since(13, NEVER, NEVER),
};
/// Difference `subnets_of_any_length`: `cidrsubnets` accepts more than 32 additional bits, up to the length of the IP address.
const SUBNETS_OF_ANY_LENGTH: EditionDifference = EditionDifference {
    name: "subnets_of_any_length",
    holds: "`cidrsubnets` accepts any number of additional bits up to the length of the address.",
    otherwise: "`cidrsubnets` accepts at most 32 additional bits.",
    editions: since(13, NEVER, NEVER),
};
/// Difference `unknown_sensitivity_known`: `issensitive` of a sensitive value that is not known yet is true.
const UNKNOWN_SENSITIVITY_KNOWN: EditionDifference = EditionDifference {
    name: "unknown_sensitivity_known",
    holds: "`issensitive` of a sensitive value that is not known yet is true.",
    otherwise: "`issensitive` of a sensitive value that is not known yet is unknown.",
    editions: since(NEVER, 0, NEVER),
};
/// Difference `coalesce_refuses_misfits`: `coalesce` refuses a value that does not convert to the common type.
const COALESCE_REFUSES_MISFITS: EditionDifference = EditionDifference {
    name: "coalesce_refuses_misfits",
    holds: "`coalesce` refuses a value that does not convert to the common type.",
    otherwise: "`coalesce` skips a value that does not convert to the common type, as it skips null.",
    editions: since(NEVER, NEVER, 0),
};
/// Difference `console_type`: the console has `type(…)`.
const CONSOLE_TYPE: EditionDifference = EditionDifference {
    name: "console_type",
    holds: "The console has `type(…)`.",
    otherwise: "The console has no `type(…)`.",
    editions: since(0, 0, NEVER),
};

/// A single difference as a bit flag, by its position in [`Semantics::DIFFERENCES`].
#[derive(Clone, Copy, Debug)]
pub struct NotedDifference(u64);

impl NotedDifference {
    /// Returns the flag of the difference with this name.
    const fn of(name: &str) -> NotedDifference {
        let mut at = 0;
        while at < Semantics::DIFFERENCES.len() {
            if equal_bytes(Semantics::DIFFERENCES[at].name.as_bytes(), name.as_bytes()) {
                return NotedDifference(1 << at);
            }
            at += 1;
        }
        panic!("every point is in the table")
    }
}

/// Returns true if two byte strings are equal; usable in constants, unlike `==`.
const fn equal_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The semantics of an edition: a flag for each difference between editions, and the differences that have decided a result.
#[derive(Debug)]
pub struct Semantics {
    /// The differences that have decided a result, a bit for each.
    decided: AtomicU64,
    /// The edition that these semantics belong to.
    edition: Edition,
    /// The rules of grapheme clusters for lengths and substrings.
    pub unicode: UnicodeVersion,
    /// The version of characters for case and for classes in patterns.
    pub characters: UnicodeVersion,
    /// `&&` and `||` decide from one side: an error or an unknown value on the other does not matter.
    pub short_circuit: bool,
    /// A null operand of `&&` or `||` is allowed, and `null && true` is false.
    pub null_in_logic: bool,
    /// Numbers are equal if their shortest decimal texts are equal, whole numbers too.
    pub numbers_equal_by_text: bool,
    /// `[name]` of an unknown object has the type of that attribute.
    pub typed_index: bool,
    /// `element` counts negative indexes of a tuple from the end.
    pub negative_element: bool,
    /// `element` counts negative indexes of a list from the end.
    pub negative_element_of_list: bool,
    /// A template file may render another template file.
    pub nested_templatefile: bool,
    /// A template file that is a single interpolation may yield null.
    pub null_templatefile: bool,
    /// A template may call the functions of its module's providers.
    pub template_provider_functions: bool,
    /// The template argument of `templatestring` may be any expression.
    pub templatestring_of_anything: bool,
    /// A sensitive value anywhere in the variables of `templatefile` makes the result sensitive.
    pub templatefile_hides_whole: bool,
    /// A sensitive value anywhere in the variables of `templatestring` makes the result sensitive; the result of an unknown
    /// template is a string.
    pub templatestring_hides_whole: bool,
    /// `replace` reads a substring between slashes as a regular expression.
    pub regex_in_replace: bool,
    /// `yamldecode` does not support hexadecimal numbers, and a null document is unknown.
    pub older_yaml: bool,
    /// `yamldecode` merges a list of mappings (`<<: [*a, *b]`) and supports the tag `!!merge`.
    pub yaml_merge_lists: bool,
    /// Names of Unicode classes in patterns need not be exact: `\p{greek}`, `\p{Letter}`.
    pub loose_class_names: bool,
    /// `lookup` works without a default and fails for an absent key.
    pub lookup_without_default: bool,
    /// `format` prints an untyped null.
    pub format_takes_bare_null: bool,
    /// `startswith` and `jsonencode` use the known prefix of an unknown text.
    pub known_starts: bool,
    /// `jsondecode` refuses a repeated key whose values differ in type.
    pub json_duplicates_checked: bool,
    /// `fileset` reads patterns as an older version of its pattern library does: `!` does not negate a class, a descending
    /// range is empty.
    pub older_globs: bool,
    /// `abspath` starts at the root module's folder, as the other functions of files do.
    pub abspath_from_base: bool,
    /// A leading zero in an address is an error.
    pub strict_addresses: bool,
    /// `cidrnetmask` refuses an IPv6 prefix.
    pub masks_of_ipv4_only: bool,
    /// `core::NAME` names the built-in function.
    pub core_namespace: bool,
    /// `provider::NAME::FUNCTION` names a provider's function.
    pub provider_functions: bool,
    /// A call of a function of an undeclared provider is an error anywhere, even in `try`.
    pub providers_checked: bool,
    /// `provider::terraform::encode_expr` of a value with unknown parts is unknown, and `encode_tfvars` takes maps.
    pub encoded_unknowns: bool,
    /// `convert` gives missing optional attributes their defaults, and in a template the words of its type must be variables
    /// of the template.
    pub convert_fills_gaps: bool,
    /// One sensitive part makes the whole result of `convert` sensitive, and an unknown value is assumed to fit the type.
    pub convert_hides_whole: bool,
    /// `cidrhost` refuses any host number too large for the prefix, and `cidrsubnet` refuses a negative number.
    pub exact_host_numbers: bool,
    /// `cidrsubnets` accepts any number of additional bits up to the length of the address.
    pub subnets_of_any_length: bool,
    /// `issensitive` of a sensitive value that is not known yet is true.
    pub unknown_sensitivity_known: bool,
    /// `coalesce` refuses a value that does not convert to the common type.
    pub coalesce_refuses_misfits: bool,
    /// The console has `type(…)`.
    pub console_type: bool,
}

impl Semantics {
    /// Every difference between editions in expressions and values, in the order of the fields of [`Semantics`].
    pub const DIFFERENCES: &[EditionDifference] = &[
        SHORT_CIRCUIT,
        NULL_IN_LOGIC,
        NUMBERS_EQUAL_BY_TEXT,
        TYPED_INDEX,
        NEGATIVE_ELEMENT,
        NEGATIVE_ELEMENT_OF_LIST,
        NESTED_TEMPLATEFILE,
        NULL_TEMPLATEFILE,
        TEMPLATE_PROVIDER_FUNCTIONS,
        TEMPLATESTRING_OF_ANYTHING,
        TEMPLATEFILE_HIDES_WHOLE,
        TEMPLATESTRING_HIDES_WHOLE,
        REGEX_IN_REPLACE,
        OLDER_YAML,
        YAML_MERGE_LISTS,
        LOOSE_CLASS_NAMES,
        LOOKUP_WITHOUT_DEFAULT,
        FORMAT_TAKES_BARE_NULL,
        KNOWN_STARTS,
        JSON_DUPLICATES_CHECKED,
        OLDER_GLOBS,
        ABSPATH_FROM_BASE,
        STRICT_ADDRESSES,
        MASKS_OF_IPV4_ONLY,
        CORE_NAMESPACE,
        PROVIDER_FUNCTIONS,
        PROVIDERS_CHECKED,
        ENCODED_UNKNOWNS,
        CONVERT_FILLS_GAPS,
        CONVERT_HIDES_WHOLE,
        UNICODE_17,
        TYPE_WORDS_REFER,
        NULL_IN_CONTAINS,
        EXACT_HOST_NUMBERS,
        SUBNETS_OF_ANY_LENGTH,
        UNKNOWN_SENSITIVITY_KNOWN,
        COALESCE_REFUSES_MISFITS,
        CONSOLE_TYPE,
    ];

    /// The editions in which the words of the type argument of `convert` are references.
    pub const TYPE_WORDS_REFER: Availability = TYPE_WORDS_REFER.editions;
    /// The editions in which `contains` finds a null with a type.
    pub const NULL_IN_CONTAINS: Availability = NULL_IN_CONTAINS.editions;

    /// The flag that [`note`](Self::note) records when a result depends on whether one side of `&&` or `||` decides without the
    /// other.
    pub const SHORT_CIRCUIT: NotedDifference = NotedDifference::of("short_circuit");
    /// The flag that [`note`](Self::note) records when a result depends on whether `&&` and `||` take a null operand.
    pub const NULL_IN_LOGIC: NotedDifference = NotedDifference::of("null_in_logic");
    /// The flag that [`note`](Self::note) records when a result depends on whether `element` counts a negative index of a tuple
    /// from its end.
    pub const NEGATIVE_ELEMENT: NotedDifference = NotedDifference::of("negative_element");
    /// The flag that [`note`](Self::note) records when a result depends on whether `element` counts a negative index of a list
    /// from its end.
    pub const NEGATIVE_ELEMENT_OF_LIST: NotedDifference =
        NotedDifference::of("negative_element_of_list");
    /// The flag that [`note`](Self::note) records when a result depends on whether a template file that is a single
    /// interpolation may yield null.
    pub const NULL_TEMPLATEFILE: NotedDifference = NotedDifference::of("null_templatefile");
    /// The flag that [`note`](Self::note) records when a result depends on whether `format` prints an untyped null.
    pub const FORMAT_TAKES_BARE_NULL: NotedDifference =
        NotedDifference::of("format_takes_bare_null");
    /// The flag that [`note`](Self::note) records when a result depends on whether `jsondecode` refuses a repeated key with
    /// values of different types.
    pub const JSON_DUPLICATES_CHECKED: NotedDifference =
        NotedDifference::of("json_duplicates_checked");

    /// Returns the edition that these semantics belong to, for looking up availabilities.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Records that a difference decided a result: an edition with the other of its two behaviours would have another result.
    pub fn note(&self, point: NotedDifference) {
        if self.decided.load(Ordering::Relaxed) & point.0 == 0 {
            self.decided.fetch_or(point.0, Ordering::Relaxed);
        }
    }

    /// Records all differences that decided results of an earlier evaluation of the same code.
    pub fn note_all(&self, other: &Semantics) {
        self.decided.fetch_or(other.decided.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Returns the recorded differences that decided results so far, in the order of [`Semantics::DIFFERENCES`].
    pub fn effective_differences(&self) -> Vec<&'static EditionDifference> {
        let decided = self.decided.load(Ordering::Relaxed);
        let rows = Semantics::DIFFERENCES.iter().enumerate();
        rows.filter(|(at, _)| decided & (1 << at) != 0).map(|(_, row)| row).collect()
    }

    /// Returns the semantics of an edition, with no difference recorded yet.
    pub fn of(edition: Edition) -> Arc<Semantics> {
        let has = |difference: EditionDifference| difference.editions.includes(edition);
        Arc::new(Semantics {
            decided: AtomicU64::new(0),
            edition,
            unicode: match edition.dialect {
                Dialect::Packer => UnicodeVersion::V13,
                _ if has(UNICODE_17) => UnicodeVersion::V17,
                Dialect::OpenTofu | Dialect::Terraform => UnicodeVersion::V15,
            },
            characters: if has(UNICODE_17) { UnicodeVersion::V17 } else { UnicodeVersion::V15 },
            short_circuit: has(SHORT_CIRCUIT),
            null_in_logic: has(NULL_IN_LOGIC),
            numbers_equal_by_text: has(NUMBERS_EQUAL_BY_TEXT),
            typed_index: has(TYPED_INDEX),
            negative_element: has(NEGATIVE_ELEMENT),
            negative_element_of_list: has(NEGATIVE_ELEMENT_OF_LIST),
            nested_templatefile: has(NESTED_TEMPLATEFILE),
            null_templatefile: has(NULL_TEMPLATEFILE),
            template_provider_functions: has(TEMPLATE_PROVIDER_FUNCTIONS),
            templatestring_of_anything: has(TEMPLATESTRING_OF_ANYTHING),
            templatefile_hides_whole: has(TEMPLATEFILE_HIDES_WHOLE),
            templatestring_hides_whole: has(TEMPLATESTRING_HIDES_WHOLE),
            regex_in_replace: has(REGEX_IN_REPLACE),
            older_yaml: has(OLDER_YAML),
            yaml_merge_lists: has(YAML_MERGE_LISTS),
            loose_class_names: has(LOOSE_CLASS_NAMES),
            lookup_without_default: has(LOOKUP_WITHOUT_DEFAULT),
            format_takes_bare_null: has(FORMAT_TAKES_BARE_NULL),
            known_starts: has(KNOWN_STARTS),
            json_duplicates_checked: has(JSON_DUPLICATES_CHECKED),
            older_globs: has(OLDER_GLOBS),
            abspath_from_base: has(ABSPATH_FROM_BASE),
            strict_addresses: has(STRICT_ADDRESSES),
            masks_of_ipv4_only: has(MASKS_OF_IPV4_ONLY),
            core_namespace: has(CORE_NAMESPACE),
            provider_functions: has(PROVIDER_FUNCTIONS),
            providers_checked: has(PROVIDERS_CHECKED),
            encoded_unknowns: has(ENCODED_UNKNOWNS),
            convert_fills_gaps: has(CONVERT_FILLS_GAPS),
            convert_hides_whole: has(CONVERT_HIDES_WHOLE),
            exact_host_numbers: has(EXACT_HOST_NUMBERS),
            subnets_of_any_length: has(SUBNETS_OF_ANY_LENGTH),
            unknown_sensitivity_known: has(UNKNOWN_SENSITIVITY_KNOWN),
            coalesce_refuses_misfits: has(COALESCE_REFUSES_MISFITS),
            console_type: has(CONSOLE_TYPE),
        })
    }
}
