//! JSON of the configuration of a plan: unevaluated expressions, without values. A module is listed once per call.

use std::collections::BTreeMap;

use groma_config::{ResourceMode, literal_text};
use groma_module::declare::{Module, Provider, Repetition, RequiredProvider, Resource};
use groma_project::ModuleNode;
use groma_value::json::{JsonObject, JsonText, array, texts};
use groma_value::{Type, json, json_type};

use super::{expression, value};
use crate::plan::Plan;

/// Writes the configuration of a plan: its providers and the tree of modules.
pub(super) fn write(plan: &Plan, out: &mut JsonText<'_>) {
    let project = plan.evaluation().project();
    let mut top = JsonObject::open(out);
    let mut all = BTreeMap::new();
    providers(project.tree(), &mut all);
    if !all.is_empty() {
        let mut object = top.object("provider_config");
        for (key, configured) in &all {
            write_provider(configured, object.key(key));
        }
        object.close();
    }
    module(project.tree(), top.key("root_module"));
    top.close();
}

/// Returns the key under which a plan's JSON document lists a provider configuration, made of module address, local name and
/// alias.
fn key(node: ModuleNode<'_>, name: &str, alias: Option<&str>) -> String {
    let address = node.address();
    let name = alias.map_or_else(|| name.to_owned(), |alias| format!("{name}.{alias}"));
    if address.is_empty() { name } else { format!("{address}:{name}") }
}

/// The location of a provider configuration: the module that contains it, its local name and its alias.
type ConfigurationLocation<'p> = (ModuleNode<'p>, &'p str, Option<&'p str>);

/// Returns the provider configuration that a local name refers to: that of the nearest module with a block for it, even an empty
/// one, following the `providers` of each call. A provider that no module configures belongs to the root if the root uses the
/// same name.
fn configuration<'p>(
    node: ModuleNode<'p>,
    name: &'p str,
    alias: Option<&'p str>,
) -> ConfigurationLocation<'p> {
    let source = node.provider_named(name);
    let (mut name, mut alias) = (name, alias);
    let (mut at, mut asked) = (node, node);
    while at.declared_provider(name, alias).is_none() {
        let Some((parent, _)) = at.parent() else {
            let is_known = at.provider_named(name) == source;
            return (if is_known { at } else { asked }, name, alias);
        };
        if let Some((outer, outer_alias)) = at.passed_provider(name, alias) {
            (name, alias, asked) = (outer, outer_alias.as_deref(), parent);
        }
        at = parent;
    }
    (at, name, alias)
}

/// Returns the key under which a plan's JSON document lists the provider configuration that a resource uses.
fn key_of(node: ModuleNode<'_>, resource: &Resource) -> String {
    let alias = resource.provider().and_then(|(_, alias)| alias.as_deref());
    let (node, name, alias) = configuration(node, resource.provider_name(), alias);
    key(node, name, alias)
}

/// A provider configuration that a module declares, requires or uses.
struct ConfiguredProvider<'p> {
    node: ModuleNode<'p>,
    name: &'p str,
    declared: Option<&'p Provider>,
}

/// Collects every provider configuration in a module and below, by key: declared, required or used.
fn providers<'p>(node: ModuleNode<'p>, all: &mut BTreeMap<String, ConfiguredProvider<'p>>) {
    let module = node.module();
    for declared in &module.providers {
        let (name, alias) = (&*declared.name, declared.alias.as_deref());
        let one = ConfiguredProvider { node, name, declared: Some(declared) };
        all.entry(key(node, name, alias)).or_insert(one);
    }
    let required = module.settings.providers.iter().map(|one| &*one.name);
    let resources = module
        .resources
        .iter()
        .filter(|one| one.provider().is_none_or(|(_, alias)| alias.is_none()));
    for name in required.chain(resources.map(|one| one.provider_name())) {
        let (node, name, alias) = configuration(node, name, None);
        let declared = node.declared_provider(name, alias);
        all.entry(key(node, name, alias)).or_insert(ConfiguredProvider { node, name, declared });
    }
    for child in (0..module.calls.len()).filter_map(|call| node.child(call)) {
        providers(child, all);
    }
}

/// Writes a provider configuration, with its arguments as unevaluated expressions.
fn write_provider(configured: &ConfiguredProvider<'_>, out: &mut JsonText<'_>) {
    let ConfiguredProvider { node, name, declared } = *configured;
    let module = node.module();
    let mut one = JsonObject::open(out);
    one.text("name", name);
    one.text("full_name", &node.provider_named(name));
    if let Some(alias) = declared.and_then(|declared| declared.alias.as_deref()) {
        one.text("alias", alias);
    }
    let version = module.required_provider(name).and_then(RequiredProvider::version);
    if let Some(version) = version {
        one.text("version_constraint", &version);
    }
    let address = node.address();
    if !address.is_empty() {
        one.text("module_address", &address);
    }
    if let Some(declared) = declared
        && declared.content.arguments.len() + declared.content.blocks.len() > 0
    {
        expression::body(&declared.content, &["for_each"], one.key("expressions"));
    }
    one.close();
}

/// Writes the `count` or `for_each` expression of a block.
fn repetition(repetition: &Repetition, one: &mut JsonObject<'_, '_>) {
    let (name, over) = match repetition {
        Repetition::Count(over) => ("count_expression", over),
        Repetition::Each(over) => ("for_each_expression", over),
        Repetition::Single | Repetition::Enabled(_) => return,
    };
    one.key_if(name, |out| expression::write(over, out));
}

/// Writes a module and its calls. Recursion is bounded by the depth of the module tree.
fn module(node: ModuleNode<'_>, out: &mut JsonText<'_>) {
    let module = node.module();
    let mut one = JsonObject::open(out);
    write_outputs(module, &mut one);
    let shown: Vec<&Resource> = module
        .resources
        .iter()
        .map(|one| &**one)
        .filter(|r| matches!(r.mode, ResourceMode::Managed | ResourceMode::Data))
        .collect();
    if !shown.is_empty() {
        array(shown, one.key("resources"), |resource, out| write_resource(node, resource, out));
    }
    let actions: Vec<&Resource> = module
        .resources
        .iter()
        .map(|one| &**one)
        .filter(|r| r.mode == ResourceMode::Action)
        .collect();
    if !actions.is_empty() {
        array(actions, one.key("actions"), |action, out| write_action(node, action, out));
    }
    if !module.calls.is_empty() {
        let mut all = one.object("module_calls");
        for at in 0..module.calls.len() {
            call(node, at, all.key(&module.calls[at].name));
        }
        all.close();
    }
    write_variables(node, &mut one);
    one.close();
}

/// Writes the declared outputs of a module, unless there are none.
fn write_outputs(module: &Module, one: &mut JsonObject<'_, '_>) {
    if module.outputs.is_empty() {
        return;
    }
    let mut all = one.object("outputs");
    for output in &module.outputs {
        let mut text = all.object(&output.name);
        if output.sensitive {
            text.flag("sensitive", true);
        }
        if output.ephemeral {
            text.flag("ephemeral", true);
        }
        match &output.value {
            Some(value) => expression::write_any(value, text.key("expression")),
            None => text.raw("expression", "{}"),
        }
        depends_on(expression::subjects(&output.depends_on), &mut text);
        if let Some(description) = &output.description {
            text.text("description", description);
        }
        text.close();
    }
    all.close();
}

/// Writes the declared variables of a module, unless there are none.
fn write_variables(node: ModuleNode<'_>, one: &mut JsonObject<'_, '_>) {
    let variables = &node.module().variables;
    if variables.is_empty() {
        return;
    }
    let mut all = one.object("variables");
    let describes = node.project().conventions().describes_variables;
    for variable in variables {
        let mut text = all.object(&variable.name);
        if describes && variable.ty != Type::Dynamic {
            json_type::write_into(&variable.ty, text.key("type"));
        }
        if let Some(default) = variable.default.as_ref().filter(|d| value::is_shown(d)) {
            value::known(default, text.key("default"));
        }
        if let Some(description) = &variable.description {
            text.text("description", description);
        }
        if describes && variable.default.is_none() {
            text.flag("required", true);
        }
        if variable.sensitive {
            text.flag("sensitive", true);
        }
        if describes && variable.ephemeral {
            text.flag("ephemeral", true);
        }
        if let Some(advice) = variable.deprecated.as_ref().filter(|_| describes) {
            text.text("deprecated", advice);
        }
        text.close();
    }
    all.close();
}

/// Writes a `depends_on` property with these references, unless there are none.
fn depends_on(references: Vec<String>, one: &mut JsonObject<'_, '_>) {
    if !references.is_empty() {
        texts(&references, one.key("depends_on"));
    }
}

/// Writes a resource, with its arguments as unevaluated expressions.
fn write_resource(node: ModuleNode<'_>, resource: &Resource, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("address", &resource.address());
    one.text("mode", if resource.mode == ResourceMode::Data { "data" } else { "managed" });
    one.text("type", &resource.kind);
    one.text("name", &resource.name);
    one.text("provider_config_key", &key_of(node, resource));
    provisioners(resource, &mut one);
    if !resource.content.arguments.is_empty() || !resource.content.blocks.is_empty() {
        expression::body(&resource.content, &[], one.key("expressions"));
    }
    one.raw("schema_version", "0");
    repetition(&resource.repetition, &mut one);
    depends_on(expression::subjects(&resource.depends_on), &mut one);
    one.close();
}

/// Writes the provisioners of a resource, with their arguments as unevaluated expressions and without connections.
fn provisioners(resource: &Resource, one: &mut JsonObject<'_, '_>) {
    let run = resource.provisions.iter().filter_map(|one| Some((one.kind.as_ref()?, one)));
    let mut run = run.peekable();
    if run.peek().is_none() {
        return;
    }
    array(run, one.key("provisioners"), |(kind, provision), out| {
        let mut one = JsonObject::open(out);
        one.text("type", kind);
        if provision.content.arguments.len() + provision.content.blocks.len() > 0 {
            expression::body(&provision.content, &[], one.key("expressions"));
        }
        one.close();
    });
}

/// Writes the declaration of an action: its address, provider and repetition.
fn write_action(node: ModuleNode<'_>, action: &Resource, out: &mut JsonText<'_>) {
    let mut one = JsonObject::open(out);
    one.text("address", &action.address());
    one.text("type", &action.kind);
    one.text("name", &action.name);
    one.text("provider_config_key", &key_of(node, action));
    repetition(&action.repetition, &mut one);
    one.close();
}

/// Writes the module call at index `at`, with its arguments as unevaluated expressions, and the called module.
fn call(node: ModuleNode<'_>, at: usize, out: &mut JsonText<'_>) {
    let call = &node.module().calls[at];
    let mut one = JsonObject::open(out);
    let source = call.source.as_ref().and_then(|source| source.constant());
    if let Some(source) = source {
        json::write_plain(&source, one.key("source"));
    }
    if !call.inputs.is_empty() {
        let mut inputs = one.object("expressions");
        for input in &call.inputs {
            expression::write_any(&input.value, inputs.key(&input.name));
        }
        inputs.close();
    }
    repetition(&call.repetition, &mut one);
    if let Some(child) = node.child(at) {
        module(child, one.key("module"));
    }
    if let Some(version) = call.version.as_ref().and_then(|version| literal_text(&version.expr)) {
        one.text("version_constraint", &version);
    }
    depends_on(expression::subjects(&call.depends_on), &mut one);
    one.close();
}
