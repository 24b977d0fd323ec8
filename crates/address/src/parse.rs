//! Parsing of addresses from text. Every kind of address is parsed as a pattern, with further restrictions: no keys, no
//! resource, or a resource required.

use groma_syntax::{Expr, FileId, parse_expression};

use crate::grammar::AddressGrammar;
use crate::instance::{ConfigAddress, InstanceAddress};
use crate::module::{ModuleAddress, ModulePath};
use crate::pattern::AddressPattern;

impl AddressPattern {
    /// Parses an address pattern, such as the value of the option `-target` or an address in a `moved` block.
    ///
    /// # Errors
    /// The error is a sentence that says what is wrong with the text.
    pub fn parse(text: &str, grammar: AddressGrammar) -> Result<AddressPattern, String> {
        let parse = parse_expression(&text.into(), FileId::default());
        match parse.diagnostics.is_empty() {
            true => AddressPattern::read(&Expr::of(&parse), grammar),
            false => Err("It is not an address.".to_owned()),
        }
    }
}

impl ModulePath {
    /// Parses a module path such as `module.a.module.b`; the empty text is the root module.
    ///
    /// # Errors
    /// The error is a sentence that says what is wrong with the text.
    pub fn parse(text: &str) -> Result<ModulePath, String> {
        let module = ModuleAddress::parse(text)?;
        match module.has_keys() {
            false => Ok(module.without_keys()),
            true => Err("A module that code declares has no keys.".to_owned()),
        }
    }
}

impl ModuleAddress {
    /// Parses the address of a module instance; the empty text is the root module.
    ///
    /// # Errors
    /// The error is a sentence that says what is wrong with the text.
    pub fn parse(text: &str) -> Result<ModuleAddress, String> {
        if text.is_empty() {
            return Ok(ModuleAddress::ROOT);
        }
        let found = AddressPattern::parse(text, AddressGrammar::PLAIN)?;
        match found.resource {
            None => Ok(found.modules),
            Some(_) => Err("It names a resource, not a module.".to_owned()),
        }
    }
}

impl ConfigAddress {
    /// Parses the address of a resource or module call, without keys; `grammar` says which prefixes and type names are allowed.
    ///
    /// # Errors
    /// The error is a sentence that says what is wrong with the text.
    pub fn parse(text: &str, grammar: AddressGrammar) -> Result<ConfigAddress, String> {
        let found = AddressPattern::parse(text, grammar)?;
        match found.has_keys() {
            false => Ok(found.without_keys()),
            true => Err("A declaration has no key: leave it out.".to_owned()),
        }
    }
}

impl InstanceAddress {
    /// Parses the address of one instance of a resource.
    ///
    /// # Errors
    /// The error is a sentence that says what is wrong with the text.
    pub fn parse(text: &str, grammar: AddressGrammar) -> Result<InstanceAddress, String> {
        let AddressPattern { modules, resource } = AddressPattern::parse(text, grammar)?;
        match resource {
            Some(resource) => Ok(InstanceAddress::new(modules, resource)),
            None => Err("It names a module, not an instance of a resource.".to_owned()),
        }
    }
}
