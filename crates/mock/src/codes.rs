//! Every diagnostic code of what answers for providers.

pub(crate) use groma_config::codes::MOCK;

groma_syntax::codes! {
    MOCK_TARGET, "mock-target", "Mock fits nothing in the code",
        "A mock answers for a provider, a type, a resource or a module that the code does not have. Mostly a name \
         is misspelt, or the code has changed since.";
    MOCK_VALUE, "mock-value", "Mock does not fit what it answers for",
        "A mock gives a value to an attribute or an output that does not exist, that is of another type, or that \
         the code sets itself. Compare it with the schema of the resource, or with the outputs of the module.";
}
