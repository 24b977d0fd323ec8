//! The protocol of module registries: service discovery, the versions of a module, and the source of a version.

use groma_config::{ReleaseVersion, VersionConstraints};
use groma_value::{Value, json};

use crate::client::{HttpClient, demand_as_safe, resolved, shown};
use crate::origin::RegistryModule;
use crate::settings::HostSettings;

/// Requests the versions of a module from its registry; returns them newest first, each also as written. The error is a sentence.
pub(crate) fn versions(
    module: &RegistryModule,
    client: &HttpClient,
    config: &HostSettings,
) -> Result<Vec<(ReleaseVersion, String)>, String> {
    let url = format!("{}/versions", base(module, client, config)?);
    let reply = client.ask(&url, config.token(&module.host))?;
    match reply.status {
        200 => {}
        401 | 403 => return Err(no_entry(module)),
        404 => return Err(format!("{} has no module {}", module.host, module.path())),
        status => return Err(format!("{} answers with {status}", shown(&url))),
    }
    let said = decode(&reply.body, &url)?;
    let nonsense = || format!("{} lists no versions", shown(&url));
    let modules = items(member(&said, "modules").ok_or_else(nonsense)?);
    let listed = modules.first().and_then(|one| member(one, "versions")).ok_or_else(nonsense)?;
    let mut found: Vec<(ReleaseVersion, String)> = Vec::new();
    for one in items(listed) {
        let Some(text) = member(one, "version").and_then(text) else { continue };
        if let Some(release) = ReleaseVersion::read(text) {
            found.push((release, text.strip_prefix('v').unwrap_or(text).to_owned()));
        }
    }
    // Equal versions are ordered by text, independent of the registry.
    found.sort_by(|(a, one), (b, other)| {
        b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal).then_with(|| one.cmp(other))
    });
    Ok(found)
}

/// Returns the newest version that matches the constraints, as the registry writes it; `None` if none does. `versions` has each
/// with that text, newest first. Without constraints no pre-release is chosen.
pub(crate) fn choose<'v>(
    versions: &'v [(ReleaseVersion, String)],
    constraints: Option<&VersionConstraints>,
) -> Option<&'v str> {
    let any = VersionConstraints::parse(">= 0.0.0").ok();
    let constraints = constraints.or(any.as_ref())?;
    versions.iter().find(|(release, _)| constraints.allow(release)).map(|(_, text)| &**text)
}

/// Asks the registry of a module for the module source from which one of its versions is fetched. The error is a sentence.
pub(crate) fn location(
    module: &RegistryModule,
    version: &str,
    client: &HttpClient,
    config: &HostSettings,
) -> Result<String, String> {
    let url = format!("{}/{version}/download", base(module, client, config)?);
    let reply = client.ask(&url, config.token(&module.host))?;
    if matches!(reply.status, 401 | 403) {
        return Err(no_entry(module));
    }
    if !reply.is_success() {
        return Err(format!("{} answers with {}", shown(&url), reply.status));
    }
    let said = match reply.header("x-terraform-get") {
        Some(location) => Some(location.to_owned()),
        None if reply.body.is_empty() => None,
        None => {
            let said = decode(&reply.body, &url)?;
            member(&said, "location").and_then(text).map(str::to_owned)
        }
    };
    let said = said.filter(|location| !location.is_empty());
    let location = said.ok_or_else(|| format!("{} does not say where it lies", shown(&url)))?;
    let is_seen_from_here = ["/", "./", "../"].iter().any(|start| location.starts_with(start));
    if is_seen_from_here {
        return Ok(resolved(&reply.url, &location));
    }
    demand_as_safe(&reply.url, &location)?;
    Ok(location)
}

/// Returns the URL of a module in the module service of its registry, which may have to be discovered. The error is a sentence.
fn base(
    module: &RegistryModule,
    client: &HttpClient,
    config: &HostSettings,
) -> Result<String, String> {
    let host = &module.host;
    let service = match config.service(host) {
        Some(service) => service.to_owned(),
        None => {
            let url = format!("https://{host}/.well-known/terraform.json");
            let reply = client.ask(&url, config.token(host))?;
            if !reply.is_success() {
                return Err(format!("{host} is no registry: {url} answers with {}", reply.status));
            }
            let said = decode(&reply.body, &url)?;
            let service = member(&said, "modules.v1").and_then(text);
            let service = service.ok_or_else(|| format!("{host} keeps no modules"))?;
            let service = resolved(&reply.url, service);
            demand_as_safe(&reply.url, &service)?;
            service
        }
    };
    Ok(format!("{}/{}", service.trim_end_matches('/'), module.path()))
}

/// Returns the error sentence for a registry that requires a token or refuses it.
fn no_entry(module: &RegistryModule) -> String {
    let variable = module.host.replace('-', "__").replace('.', "_");
    format!(
        "{} wants to know who asks for {}: set TF_TOKEN_{variable}, or a `credentials` block in the command line's configuration",
        module.host,
        module.path()
    )
}

/// Decodes the JSON reply of a registry; the error is a sentence.
fn decode(bytes: &[u8], url: &str) -> Result<Value, String> {
    let text = std::str::from_utf8(bytes).ok();
    let value = text.and_then(|text| json::decode(text).ok());
    value.ok_or_else(|| format!("{} does not answer in JSON", shown(url)))
}

/// Returns a property of a JSON object; `None` if it is missing or the value is not an object.
fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Object(object) => object.get(name),
        _ => None,
    }
}

/// Returns the elements of a JSON array; none for another JSON value.
fn items(value: &Value) -> &[Value] {
    match value {
        Value::Tuple(tuple) => tuple.items(),
        _ => &[],
    }
}

/// Returns the text of a JSON string; `None` for any other JSON value.
fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the newest version that matches the constraints is chosen.
    #[test]
    fn the_newest_that_fits() {
        let mut all = Vec::new();
        for text in ["2.0.0-beta", "1.10.0", "1.9.0", "1.2.3"] {
            all.push((ReleaseVersion::read(text).unwrap(), text.to_owned()));
        }
        let choose = |text: &str| choose(&all, Some(&VersionConstraints::parse(text).unwrap()));
        assert_eq!(choose("~> 1.2"), Some("1.10.0"));
        assert_eq!(choose("< 1.10"), Some("1.9.0"));
        assert_eq!(choose("2.0.0-beta"), Some("2.0.0-beta"));
        assert_eq!(choose("> 3"), None);
        assert_eq!(super::choose(&all, None), Some("1.10.0"));
    }
}
