#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "dse/config/range.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

/// Everything in a point that determines which nodes its graph has, as opposed to their sizes. It contains
/// every field of the software stack except those that are known to affect only numbers, so that fields added
/// later cannot be forgotten.
class StructureKey {
  public:
    StructureKey(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout);

    /// What determines the blocks and their passes: all but how stages divide the layers.
    static StructureKey of_blocks(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout);

    friend auto operator<=>(const StructureKey&, const StructureKey&) = default;

    /// Visitor interface for described structs.
    template <class Value>
    void optional(std::string_view, const Value& value, std::string_view) {
        add(static_cast<double>(value));
    }
    void optional(std::string_view, Bytes value, std::string_view) { add(value.value()); }
    template <class Value>
    void optional(std::string_view name, const Value& value, config::Range, std::string_view help) {
        optional(name, value, help);
    }
    void renamed(std::string_view, std::string_view, std::string_view) {}

  private:
    StructureKey() = default;
    void add_blocks(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout);
    void add(double value);
    void add_text(std::string_view text);

    std::array<double, 144> values_{};
    std::size_t used_{0};
};

}  // namespace dse::frontend
