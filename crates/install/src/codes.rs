//! The diagnostic codes of the installation of modules.

groma_syntax::codes! {
    GET_CONFIG, "get-config", "Setting of the command line's configuration cannot be used",
        "A `host` or `credentials` block in the file of the command line's settings is not what it has to be. The \
         block is left out.";
    MODULE_DEPTH, "module-depth", "Modules without end",
        "A module that was brought calls another one that has to be brought, and so on without end.";
    MODULE_FETCH, "module-fetch", "Module cannot be brought",
        "Where a module lies could not be reached, or what lies there is not a module. What was installed before \
         stays as it was.";
    MODULE_GETTER, "module-getter", "Module cannot be brought from such a place",
        "`groma get` brings modules from registries, git repositories and archives over HTTPS. From other places, \
         bring the module yourself and say with `--module 'SOURCE=DIR'` where it lies.";
    MODULE_UNSAFE, "module-unsafe", "What was brought is not safe",
        "An archive or a repository holds what no module needs and what could do harm: paths that lead out of it, links \
         that do, devices, or more than a module could be; or it is not what its checksum says, or a server names what \
         is not its to name.";
    MODULE_VERSIONS, "module-versions", "No version of the module fits",
        "The registry has no version of the module that satisfies the constraints of the call.";
}
