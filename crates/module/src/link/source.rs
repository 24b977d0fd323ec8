//! Where a called module is, from how its source is written. Only local paths are followed; what
//! lies elsewhere is there only if it was installed.

/// What kind of place a source names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A directory, seen from the calling module's.
    Local(String),
    /// A registry, a repository, an archive: somewhere else.
    Remote,
    /// Nothing that could be found: the sentence says why.
    Wrong(String),
}

impl Source {
    /// Reads a source.
    pub(crate) fn parse(text: &str) -> Source {
        let local =
            text.starts_with("./") || text.starts_with("../") || text == "." || text == "..";
        if local || text.starts_with(".\\") || text.starts_with("..\\") {
            return Source::Local(text.replace('\\', "/"));
        }
        if text.is_empty() {
            return Source::Wrong("The source of a module cannot be empty.".to_owned());
        }
        if text.starts_with('/') {
            return Source::Local(text.to_owned());
        }
        if text.contains("::") || text.contains("://") || text.starts_with("git@") {
            return Source::Remote;
        }
        let path = text.split("//").next().unwrap_or(text);
        let parts: Vec<&str> = path.split('/').collect();
        let has_host = parts[0].contains('.') || parts[0].contains(':');
        if has_host && parts.len() > 1 {
            return Source::Remote;
        }
        if parts.len() == 3 && parts.iter().all(|part| is_registry_name(part)) {
            return Source::Remote;
        }
        Source::Wrong(format!(
            "\"{text}\" is neither a local path nor the address of a module in a registry (NAMESPACE/NAME/SYSTEM). \
             A local path starts with ./ or ../: write \"./{text}\"."
        ))
    }
}

fn is_registry_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        && !name.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        assert_eq!(Source::parse("./m"), Source::Local("./m".to_owned()));
        assert_eq!(Source::parse("../../m"), Source::Local("../../m".to_owned()));
        for remote in [
            "terraform-aws-modules/vpc/aws",
            "app.terraform.io/example/vpc/aws",
            "github.com/hashicorp/example",
            "git@github.com:hashicorp/example.git",
            "git::https://example.com/vpc.git?ref=v1",
            "https://example.com/vpc.zip",
            "s3::https://s3.amazonaws.com/b/vpc.zip",
            "terraform-aws-modules/iam/aws//modules/user",
        ] {
            assert_eq!(Source::parse(remote), Source::Remote, "{remote}");
        }
        for wrong in ["m", "", "a/b", "modules/x"] {
            assert!(matches!(Source::parse(wrong), Source::Wrong(_)), "{wrong}");
        }
    }
}
