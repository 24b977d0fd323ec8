//! Every diagnostic code of mocks.

pub(crate) use groma_config::codes::MOCK;

groma_syntax::codes! {
    MOCK_TARGET, "mock-target", "Mock matches nothing in the code",
        "A mock is for a provider, a type, a resource or a module that the code does not have. Usually a name is \
         misspelt, or the code has changed since.";
    MOCK_VALUE, "mock-value", "Mock has an invalid value",
        "A mock gives a value for an attribute or an output that does not exist, has another type, or is set by the \
         code itself. Compare it with the schema of the resource, or with the outputs of the module.";
}
