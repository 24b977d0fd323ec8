//! HTTP client. The size and time of every response are bounded, and a redirect from HTTPS to HTTP is refused.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use ureq::config::RedirectAuthHeaders;
use ureq::http::{HeaderMap, Response};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Proxy};

use crate::origin::demand_loopback;
use crate::proxy::{ProxySettings, is_loopback};

/// Maximum number of bytes of a downloaded package; a larger one is an error.
const MOST_BYTES: u64 = 512 << 20;
/// Maximum number of bytes of a registry's reply; a larger one is an error.
const MOST_REPLY: u64 = 16 << 20;
/// Maximum number of redirects followed for one request; more are an error.
const MOST_REDIRECTS: u32 = 10;

/// HTTP client for registries and packages, with the proxy settings; may be shared between threads.
pub(crate) struct HttpClient {
    /// The agent that uses the proxy, if there is one, or the reason why the proxy cannot be used.
    through: Result<Agent, String>,
    /// The agent without a proxy.
    direct: Agent,
    /// The settings that decide between the agents.
    proxy: ProxySettings,
}

/// A server's reply: its status, headers and body.
pub(crate) struct ServerReply {
    pub(crate) status: u16,
    headers: HeaderMap,
    /// The URL of the reply after redirects.
    pub(crate) url: String,
    pub(crate) body: Vec<u8>,
}

impl ServerReply {
    /// Returns the header `name` of the reply, if it is present and text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns true if the status of the reply reports success.
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl HttpClient {
    /// Creates a client that uses the given proxy settings.
    pub(crate) fn new(proxy: &ProxySettings) -> HttpClient {
        let through = match proxy.proxy.as_deref().map(Proxy::new) {
            None => Ok(agent(None)),
            Some(Ok(proxy)) => Ok(agent(Some(proxy))),
            Some(Err(_)) => {
                Err("the proxy that HTTPS_PROXY or ALL_PROXY names has no address that can be used"
                    .to_owned())
            }
        };
        HttpClient { through, direct: agent(None), proxy: proxy.clone() }
    }

    /// Returns the HTTP agent that requests a URL: the one with the proxy, or the one without; an error if the proxy is invalid.
    fn agent(&self, url: &str) -> Result<&Agent, String> {
        match self.proxy.is_direct(url) {
            true => Ok(&self.direct),
            false => self.through.as_ref().map_err(|why| format!("{}: {why}", shown(url))),
        }
    }

    /// Requests a document at a URL, with `token` as its authorization if given, and returns the reply whatever its status;
    /// the error is a sentence.
    pub(crate) fn ask(&self, url: &str, token: Option<&str>) -> Result<ServerReply, String> {
        let (url, response) = self.get(url, token)?;
        let (parts, body) = response.into_parts();
        let mut bytes = Vec::new();
        copy(&url, body, MOST_REPLY, &mut bytes)?;
        Ok(ServerReply { status: parts.status.as_u16(), headers: parts.headers, url, body: bytes })
    }

    /// Downloads a package from a URL into a new file, without holding it in memory.
    pub(crate) fn download(&self, url: &str, file: &Path) -> Result<(), String> {
        let (url, response) = self.get(url, None)?;
        let (parts, body) = response.into_parts();
        if !parts.status.is_success() {
            return Err(format!("{} answers with {}", shown(&url), parts.status.as_u16()));
        }
        let failed = |why: io::Error| format!("{}: {why}", shown(&url));
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(file).map_err(failed)?;
        copy(&url, body, MOST_BYTES, &mut file)
    }

    /// Requests a URL and follows redirects, with `token` sent to the first server only; returns the last URL with its
    /// response.
    fn get(
        &self,
        url: &str,
        token: Option<&str>,
    ) -> Result<(String, Response<ureq::Body>), String> {
        let (mut url, mut token) = (url.to_owned(), token);
        for _ in 0..=MOST_REDIRECTS {
            demand_protection(&url)?;
            let mut request = self.agent(&url)?.get(&url);
            if let Some(token) = token {
                request = request.header("Authorization", format!("Bearer {token}"));
            }
            let response = request.call().map_err(|why| format!("{}: {why}", shown(&url)))?;
            let status = response.status().as_u16();
            if !(300..400).contains(&status) {
                return Ok((url, response));
            }
            let location = response.headers().get("location").and_then(|to| to.to_str().ok());
            let location = location
                .ok_or_else(|| format!("{} leads on, and does not say where to", shown(&url)))?;
            let next = resolved(&url, location);
            demand_as_safe(&url, &next)?;
            if authority(&next) != authority(&url) {
                token = None;
            }
            url = next;
        }
        Err(format!("{} leads on more than {MOST_REDIRECTS} times", shown(&url)))
    }
}

/// Creates an HTTP agent with the timeouts and TLS settings of all requests, with or without a proxy.
fn agent(proxy: Option<Proxy>) -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .proxy(proxy)
        .user_agent(concat!("groma/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(Duration::from_secs(20)))
        .timeout_recv_response(Some(Duration::from_secs(60)))
        .timeout_global(Some(Duration::from_secs(600)))
        // Redirects are followed by the client, which decides whether one is safe.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .redirect_auth_headers(RedirectAuthHeaders::Never)
        .http_status_as_error(false)
        .build();
    config.into()
}

/// Copies the body of the reply from `url` to `to`; more than `most` bytes are an error.
fn copy(url: &str, mut body: ureq::Body, most: u64, to: &mut dyn io::Write) -> Result<(), String> {
    let copied = io::copy(&mut body.as_reader().take(most + 1), to);
    match copied.map_err(|why| format!("{}: {why}", shown(url)))? > most {
        true => Err(format!("{} answers with more than {most} bytes", shown(url))),
        false => Ok(()),
    }
}

/// Checks that a URL uses HTTPS, or HTTP to this machine; otherwise returns an error sentence.
fn demand_protection(url: &str) -> Result<(), String> {
    if url.starts_with("https://") {
        return Ok(());
    }
    if !url.starts_with("http://") {
        return Err(format!("{} is no address of a server", shown(url)));
    }
    demand_loopback(url).map_err(|why| format!("{}: {why}", shown(url)))
}

/// Checks that a server may refer to a URL: one on another machine may not refer to this machine, whose services only local
/// programs may request.
pub(crate) fn demand_as_safe(from: &str, to: &str) -> Result<(), String> {
    match is_loopback(to) && !is_loopback(from) {
        true => Err(format!("{} leads to a server of this machine, {}", shown(from), shown(to))),
        false => Ok(()),
    }
}

/// Returns a URL for a message: without user name, password and query, which may contain keys.
pub(crate) fn shown(url: &str) -> String {
    let plain = url.split(['?', '#']).next().unwrap_or(url);
    let shown: String = match plain.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = authority.rsplit('@').next().unwrap_or(authority);
            format!("{scheme}://{host}/{path}")
        }
        None => plain.to_owned(),
    };
    shown.chars().filter(|c| !c.is_control()).take(300).collect()
}

/// Returns the scheme and the server of a URL, such as `https://example.com:8080`.
fn authority(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    &url[..end]
}

/// Returns the absolute form of the URL `location`, which may be relative to the URL `base`.
pub(crate) fn resolved(base: &str, location: &str) -> String {
    let location = location.trim();
    if location.contains("://") || location.contains("::") {
        return location.to_owned();
    }
    let server = authority(base);
    if let Some(rest) = location.strip_prefix("//") {
        let scheme = base.split_once("://").map_or("https", |(scheme, _)| scheme);
        return format!("{scheme}://{rest}");
    }
    if location.starts_with('/') {
        return format!("{server}{location}");
    }
    let plain = base.split(['?', '#']).next().unwrap_or(base);
    let folder = plain[server.len()..].rsplit_once('/').map_or("", |(folder, _)| folder);
    let (path, query) = match location.split_once('?') {
        Some((path, query)) => (path, format!("?{query}")),
        None => (location, String::new()),
    };
    // A double slash separates the package from the directory in it, and is preserved.
    let (path, inner) = match path.split_once("//") {
        Some((path, inner)) => (path, format!("//{inner}")),
        None => (path, String::new()),
    };
    let path = groma_config::path::normal(&format!("{folder}/{path}"));
    format!("{server}{}{inner}{query}", path.strip_prefix("..").unwrap_or(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the resolution of absolute and relative URLs.
    #[test]
    fn addresses_seen_from_others() {
        let base = "https://r.example/v1/a/b/aws/1.0.0/download?x=1";
        for (location, want) in [
            ("https://x.example/a.zip", "https://x.example/a.zip"),
            ("git::https://x.example/a.git?ref=v1", "git::https://x.example/a.git?ref=v1"),
            ("/a.zip", "https://r.example/a.zip"),
            ("./a.zip?archive=zip", "https://r.example/v1/a/b/aws/1.0.0/a.zip?archive=zip"),
            ("../x.tgz//*?archive=tar.gz", "https://r.example/v1/a/b/aws/x.tgz//*?archive=tar.gz"),
            ("//cdn.example/x", "https://cdn.example/x"),
        ] {
            assert_eq!(resolved(base, location), want);
        }
    }

    /// Checks that messages show URLs without passwords and tokens.
    #[test]
    fn what_is_shown_holds_no_secret() {
        assert_eq!(shown("https://me:pass@x.example/a.zip?token=abc"), "https://x.example/a.zip");
    }
}
