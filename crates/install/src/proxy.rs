//! Proxy settings from the environment: which servers are requested through the proxy, with `NO_PROXY` in the forms that the
//! programs accept. This machine is always requested directly.

use std::net::IpAddr;

/// The URL of the proxy, and the servers that are requested without it.
#[derive(Clone, Default, Debug)]
pub(crate) struct ProxySettings {
    /// The URL of the proxy, if there is one.
    pub(crate) proxy: Option<String>,
    /// The entries of `NO_PROXY`.
    direct: Vec<DirectHosts>,
}

/// An entry of `NO_PROXY`: servers that are requested without the proxy, on one port or on all.
#[derive(Clone, PartialEq, Eq, Debug)]
struct DirectHosts {
    servers: ServerPattern,
    port: Option<u16>,
}

/// The servers that an entry of `NO_PROXY` covers: all, addresses or domains.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ServerPattern {
    /// Every server.
    All,
    /// The addresses with this prefix of a number of bits.
    Addresses(IpAddr, u8),
    /// A domain and its subdomains.
    Name(String),
    /// The subdomains of a domain.
    Below(String),
}

impl ProxySettings {
    /// Reads the settings from environment variables such as `HTTPS_PROXY` and `NO_PROXY`; `env` returns the value of one.
    pub(crate) fn read(env: &dyn Fn(&str) -> Option<String>) -> ProxySettings {
        let first =
            |names: &[&str]| names.iter().find_map(|name| env(name).filter(|v| !v.is_empty()));
        let proxy = first(&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]);
        let list = first(&["NO_PROXY", "no_proxy"]).unwrap_or_default();
        let entries = list.split(',').flat_map(str::split_whitespace);
        ProxySettings { proxy, direct: entries.filter_map(DirectHosts::read).collect() }
    }

    /// Returns true if a URL is requested without the proxy.
    pub(crate) fn is_direct(&self, url: &str) -> bool {
        if is_loopback(url) {
            return true;
        }
        let (host, port) = server(url);
        let host = host.trim_end_matches('.').to_lowercase();
        self.direct.iter().any(|one| one.fits(&host, port))
    }
}

impl DirectHosts {
    /// Parses an entry of `NO_PROXY`; `None` if it is invalid.
    fn read(entry: &str) -> Option<DirectHosts> {
        let entry = entry.to_lowercase();
        if entry == "*" {
            return Some(DirectHosts { servers: ServerPattern::All, port: None });
        }
        if let Some((address, bits)) = entry.split_once('/') {
            let (address, bits) = (address.parse::<IpAddr>().ok()?, bits.parse::<u8>().ok()?);
            let most = if address.is_ipv4() { 32 } else { 128 };
            let servers = ServerPattern::Addresses(address, bits);
            return (bits <= most).then_some(DirectHosts { servers, port: None });
        }
        // An IPv6 address contains colons itself, and has brackets if a port follows.
        if let Ok(address) = entry.parse::<IpAddr>() {
            return Some(DirectHosts { servers: ServerPattern::of(address), port: None });
        }
        let (name, port) = match entry.rsplit_once(':') {
            Some((name, port)) => (name, Some(port.parse::<u16>().ok()?)),
            None => (entry.as_str(), None),
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Some(DirectHosts { servers: ServerPattern::of(address), port });
        }
        let name = name.trim_end_matches('.');
        let servers = match name.strip_prefix("*.").or_else(|| name.strip_prefix('.')) {
            Some("") => return None,
            Some(below) => ServerPattern::Below(below.to_owned()),
            None if name.is_empty() => return None,
            None => ServerPattern::Name(name.to_owned()),
        };
        Some(DirectHosts { servers, port })
    }

    /// Returns true if the entry covers a host and port.
    fn fits(&self, host: &str, port: Option<u16>) -> bool {
        if self.port.is_some() && self.port != port {
            return false;
        }
        let is_below =
            |name: &str| host.strip_suffix(name).is_some_and(|before| before.ends_with('.'));
        match &self.servers {
            ServerPattern::All => true,
            ServerPattern::Addresses(address, bits) => {
                host.parse().is_ok_and(|host| shares(*address, host, *bits))
            }
            ServerPattern::Name(name) => host == name || is_below(name),
            ServerPattern::Below(name) => is_below(name),
        }
    }
}

impl ServerPattern {
    /// Returns the pattern that covers a single IP address.
    fn of(address: IpAddr) -> ServerPattern {
        ServerPattern::Addresses(address, if address.is_ipv4() { 32 } else { 128 })
    }
}

/// Returns true if two IP addresses are of one version and have the same first `bits` bits.
fn shares(one: IpAddr, other: IpAddr, bits: u8) -> bool {
    let (one, other, whole) = match (one, other.to_canonical()) {
        (IpAddr::V4(one), IpAddr::V4(other)) => {
            (u128::from(one.to_bits()), u128::from(other.to_bits()), 32)
        }
        (IpAddr::V6(one), IpAddr::V6(other)) => (one.to_bits(), other.to_bits(), 128),
        _ => return false,
    };
    (one ^ other).checked_shr(whole - u32::from(bits)).unwrap_or(0) == 0
}

/// Returns the host and the port of a URL; without a port that of the scheme, `None` for an unknown scheme.
fn server(url: &str) -> (&str, Option<u16>) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap_or((rest, "")),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let usual = match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    (name, port.strip_prefix(':').map_or(usual, |port| port.parse().ok()))
}

/// Returns true if the host of a URL is this machine.
pub(crate) fn is_loopback(url: &str) -> bool {
    let (host, _) = server(url);
    let host = host.trim_end_matches('.');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the settings of an environment with a proxy and `list` as its `no_proxy`.
    fn settings(list: &str) -> ProxySettings {
        ProxySettings::read(&|name| match name {
            "HTTPS_PROXY" => Some("http://proxy.example:3128".to_owned()),
            "no_proxy" => Some(list.to_owned()),
            _ => None,
        })
    }

    /// Checks which servers the forms of entries in `NO_PROXY` cover.
    #[test]
    fn forms_of_servers_that_are_asked_directly() {
        for (list, url, is_direct) in [
            ("", "https://x.example/a", false),
            ("*", "https://x.example/a", true),
            ("x.example", "https://x.example/a", true),
            ("X.Example", "https://a.x.example:8443/a", true),
            ("x.example", "https://ax.example/a", false),
            (".x.example", "https://a.x.example/a", true),
            (".x.example", "https://x.example/a", false),
            ("*.x.example", "https://a.x.example/a", true),
            ("other, x.example:8443", "https://x.example:8443/a", true),
            ("x.example:8443", "https://x.example/a", false),
            ("x.example:443", "https://x.example/a", true),
            ("10.0.0.0/8", "https://10.1.2.3/a", true),
            ("10.0.0.0/8", "https://11.1.2.3/a", false),
            ("127.0.0.0/8", "https://127.9.9.9/a", true),
            ("0.0.0.0/0", "https://11.1.2.3/a", true),
            ("10.1.2.3:8443", "https://10.1.2.3:8443/a", true),
            ("10.1.2.3:8443", "https://10.1.2.3/a", false),
            ("fd00::/8", "https://[fd00::1]:8443/a", true),
            ("[fd00::1]:8443", "https://[fd00::1]:8443/a", true),
            ("fd00::1", "https://[fd00::2]/a", false),
            ("10.0.0.0/99,:,/,.,x:y", "https://x.example/a", false),
        ] {
            assert_eq!(settings(list).is_direct(url), is_direct, "{list} {url}");
        }
    }

    /// Checks that this machine is always requested without the proxy.
    #[test]
    fn this_machine_is_asked_directly() {
        let all = settings("");
        for url in
            ["http://localhost:1/a", "http://127.0.0.1/", "http://127.4.4.4/", "http://[::1]:80/"]
        {
            assert!(all.is_direct(url), "{url}");
        }
        assert_eq!(all.proxy.as_deref(), Some("http://proxy.example:3128"));
    }
}
