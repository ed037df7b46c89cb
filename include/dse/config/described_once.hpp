#pragma once

/// Specification structs with many fields are read, indexed and outlined in many sources. Each of these would
/// compile all of their declarations again, which took a tenth of the time of a build.

namespace dse::config {
class FieldIndex;
class Outliner;
class Reader;
}  // namespace dse::config

// A type in parentheses is no type.
// NOLINTBEGIN(bugprone-macro-parentheses)
/// After a struct's `describe`: the visitors' code for it is compiled in one source of its module, which has
/// DSE_DESCRIBE_HERE.
#define DSE_DESCRIBED_ONCE(Struct)                                      \
    extern template void describe(::dse::config::Reader&, Struct&);     \
    extern template void describe(::dse::config::FieldIndex&, Struct&); \
    extern template void describe(::dse::config::Outliner&, Struct&)

/// Needs the headers of the three visitors.
#define DSE_DESCRIBE_HERE(Struct)                                \
    template void describe(::dse::config::Reader&, Struct&);     \
    template void describe(::dse::config::FieldIndex&, Struct&); \
    template void describe(::dse::config::Outliner&, Struct&)
// NOLINTEND(bugprone-macro-parentheses)
