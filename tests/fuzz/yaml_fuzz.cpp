// Any bytes as a YAML file, parsed and read into a described struct: no crash, no hang, no exception, and
// what is said about it can be shown.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "config/described.hpp"
#include "dse/config/reader.hpp"
#include "dse/config/source_text.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse::config;

/// Places lie inside the text, and the tree is as parse_yaml promises it.
void check(const Node& node, int lines) {
    DSE_INVARIANT(node.location().file != nullptr);
    DSE_INVARIANT(node.location().line >= 0 && node.location().line <= lines);
    DSE_INVARIANT(node.location().column >= 0);
    DSE_INVARIANT(node.is_sequence() || node.items().empty());
    DSE_INVARIANT(node.is_map() || node.entries().empty());
    for (const Node& item : node.items()) check(item, lines);
    for (const Node::Entry& entry : node.entries()) {
        DSE_INVARIANT(!entry.key.empty());
        DSE_INVARIANT(node.find(entry.key) == &entry.value);
        check(entry.value, lines);
    }
}

void check(const Diagnostics& diagnostics) {
    const std::string text = diagnostics.text();
    DSE_INVARIANT(text.empty() == diagnostics.all().empty());
    DSE_INVARIANT(printable(text) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
    Diagnostics diagnostics;
    const Node root = parse_yaml(text, "fuzz.yaml", diagnostics);
    check(root, lines);
    DSE_INVARIANT(!root.unreadable() || (root.is_null() && !diagnostics.ok()));
    described::Machine machine;
    read_struct(root, machine, nullptr, diagnostics);
    check(diagnostics);
    return 0;
}
