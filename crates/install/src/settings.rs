//! Host settings from the user's CLI configuration file: tokens and service URLs. It is read from the programs' own locations;
//! other settings in it are ignored.

use std::collections::BTreeMap;

use groma_config::{literal_text, read_text};
use groma_eval::{Context, LocatedCode, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::{Dialect, Edition, Host};
use groma_syntax::{Block, Body, BodyItem, Diagnostic, Diagnostics, Place, Sources, parse_file};
use groma_value::{Value, json};

use crate::codes;
use crate::proxy::ProxySettings;

/// The path of the null device; as the path of a configuration file it stands for an empty configuration.
const NULL_DEVICE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// The user's settings for module hosts: the default registry, tokens, service URLs and the proxy.
#[derive(Clone, Default, Debug)]
pub struct HostSettings {
    /// The default registry host.
    pub(crate) registry: String,
    tokens: BTreeMap<String, String>,
    services: BTreeMap<String, String>,
    pub(crate) proxy: ProxySettings,
}

impl HostSettings {
    /// Reads the settings from the credentials file, the environment and the CLI configuration file of the program of `edition`;
    /// adds the text of that file to `sources` and the problems found in it to `out`.
    pub fn read(
        host: &dyn Host,
        edition: Edition,
        sources: &mut Sources,
        out: &mut Diagnostics,
    ) -> HostSettings {
        let registry = edition.dialect.registry();
        let proxy = ProxySettings::read(&|name| host.env(name));
        let mut config =
            HostSettings { registry: registry.to_owned(), proxy, ..HostSettings::default() };
        for file in files(host, edition.dialect) {
            if file == NULL_DEVICE {
                break;
            }
            if host.kind(&file).is_ok() {
                config.read_file(&file, host, edition, sources, out);
                break;
            }
        }
        let home = host.home().unwrap_or_default();
        let logins = format!("{home}/.terraform.d/credentials.tfrc.json");
        if let Ok(bytes) = host.read(&logins) {
            config.read_logins(&bytes);
        }
        for name in host.env_names() {
            if let Some(written) = name.strip_prefix("TF_TOKEN_")
                && let Some(token) = host.env(&name).filter(|token| !token.is_empty())
            {
                config
                    .tokens
                    .insert(written.replace("__", "-").replace('_', ".").to_lowercase(), token);
            }
        }
        config
    }

    /// Returns the token that requests to a registry host carry; `None` if none is configured.
    pub(crate) fn token(&self, host: &str) -> Option<&str> {
        self.tokens.get(host).map(String::as_str)
    }

    /// Returns the configured URL of a registry host's module service; `None` if the URL has to be discovered.
    pub(crate) fn service(&self, host: &str) -> Option<&str> {
        self.services.get(host).map(String::as_str)
    }

    /// Reads the `host` and `credentials` blocks of the CLI configuration file at `path`, with the functions of `edition`; adds
    /// its text to `sources` and the problems found to `out`.
    fn read_file(
        &mut self,
        path: &str,
        host: &dyn Host,
        edition: Edition,
        sources: &mut Sources,
        out: &mut Diagnostics,
    ) {
        let Some((file, text)) = read_text(host, sources, path, out) else { return };
        let parse = parse_file(&text, file);
        out.extend(parse.diagnostics.iter().cloned());
        for item in Body::of(&parse).items() {
            let BodyItem::Block(block) = item else { continue };
            let kind = block.kind.text.as_str();
            if !matches!(kind, "host" | "credentials") {
                continue;
            }
            let [label] = block.labels.as_slice() else {
                let detail = format!("A `{kind}` block has one label, the name of the host.");
                let place = Place::new(file, block.header);
                out.push(Diagnostic::error(&codes::GET_CONFIG, detail).at(place));
                continue;
            };
            let name = label.text.as_str().to_lowercase();
            if kind == "credentials" {
                if let Some(token) = argument(&block, "token").and_then(|expr| literal_text(&expr))
                {
                    self.tokens.insert(name, token);
                }
                continue;
            }
            let Some(services) = argument(&block, "services") else { continue };
            let located = LocatedCode::of(&services, &FunctionLibrary::of(edition));
            let value = evaluate(&located, &Context::bare(edition), out);
            if let Value::Object(services) = value
                && let Some(Value::String(service)) = services.get("modules.v1")
            {
                self.services.insert(name, service.to_string());
            }
        }
    }

    /// Reads tokens from the credentials file that the command `login` writes.
    fn read_logins(&mut self, bytes: &[u8]) {
        let Some(Ok(Value::Object(whole))) = std::str::from_utf8(bytes).ok().map(json::decode)
        else {
            return;
        };
        let Some(Value::Object(hosts)) = whole.get("credentials") else { return };
        for (host, of) in hosts.iter() {
            if let Value::Object(of) = of
                && let Some(Value::String(token)) = of.get("token")
            {
                self.tokens.entry(host.to_string()).or_insert_with(|| token.to_string());
            }
        }
    }
}

/// Returns the expression of the argument `name` in a block; `None` if the block has no such argument.
fn argument(block: &Block, name: &str) -> Option<groma_syntax::Expr> {
    block.body.items().into_iter().find_map(|item| match item {
        BodyItem::Argument(argument) if argument.name.text.as_str() == name => Some(argument.expr),
        _ => None,
    })
}

/// Returns the possible paths of the CLI configuration file; the first that exists is used.
fn files(host: &dyn Host, dialect: Dialect) -> Vec<String> {
    let named = ["TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"];
    if let Some(named) =
        named.iter().find_map(|name| host.env(name).filter(|path| !path.is_empty()))
    {
        return vec![named];
    }
    let Some(home) = host.home() else { return Vec::new() };
    dialect.settings_files().iter().map(|name| format!("{home}/{name}")).collect()
}
