#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dse/trace/chakra/node_type.hpp"

namespace dse::trace::chakra {

/// The value of an attribute: a signed or unsigned integer, a real number, a flag or a text, whatever its
/// width in the file; std::monostate for a list or no value.
using AttributeValue = std::variant<std::monostate, std::int64_t, std::uint64_t, double, bool, std::string>;

/// A node of an execution trace.
struct TraceNode {
    std::uint64_t id{0};
    std::string name;
    NodeType type{NodeType::invalid};
    std::vector<std::uint64_t> control_dependencies;
    std::vector<std::uint64_t> data_dependencies;
    std::uint64_t duration_micros{0};
    std::vector<std::pair<std::string, AttributeValue>> attributes;

    /// nullptr if the node has no such attribute.
    [[nodiscard]] const AttributeValue* attribute(std::string_view attribute_name) const;
    /// An integer, signed or unsigned. \return nothing if the attribute is absent or not an integer
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view attribute_name) const;
    /// A text; empty if absent.
    [[nodiscard]] std::string_view text(std::string_view attribute_name) const;
};

/// Reads an execution trace node by node, compressed or not.
class TraceReader {
  public:
    /// \throws InputError if the file cannot be read or does not begin like a trace
    explicit TraceReader(const std::string& path);
    ~TraceReader();
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    /// Version of the schema, as stated in the file.
    [[nodiscard]] const std::string& version() const { return version_; }
    /// \param node  set to the next node; its memory is reused
    /// \return false at the end
    /// \throws InputError naming a record that is not a node
    bool next(TraceNode& node);

  private:
    struct Input;
    std::unique_ptr<Input> input_;
    std::string version_;
};

}  // namespace dse::trace::chakra
