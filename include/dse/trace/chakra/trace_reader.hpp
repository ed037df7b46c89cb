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

/// The value of an attribute: a signed or an unsigned number, a real one, a flag or a text, whatever its
/// width in the file; std::monostate for a list or for none.
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

    /// nullptr where the node has no such attribute.
    [[nodiscard]] const AttributeValue* attribute(std::string_view attribute_name) const;
    /// A number, signed or not. \return nothing where there is none, or it is no number
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view attribute_name) const;
    /// A text, empty where there is none.
    [[nodiscard]] std::string_view text(std::string_view attribute_name) const;
};

/// Reads an execution trace node by node, compressed or not.
class TraceReader {
  public:
    /// \throws InputError where the file cannot be read, or does not begin as a trace does
    explicit TraceReader(const std::string& path);
    ~TraceReader();
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    /// The schema's version, as the file says it.
    [[nodiscard]] const std::string& version() const { return version_; }
    /// \param node  becomes the next one; its memory is reused
    /// \return false at the end
    /// \throws InputError naming the record that is no node
    bool next(TraceNode& node);

  private:
    struct Input;
    std::unique_ptr<Input> input_;
    std::string version_;
};

}  // namespace dse::trace::chakra
