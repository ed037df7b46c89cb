#pragma once

#include <cstdint>
#include <vector>

#include "dse/ir/passes/fusion.hpp"
#include "uses.hpp"

namespace dse::ir {

/// Assigns the operations of a computation to kernels.
class FusionClusters {
  public:
    FusionClusters(const Program& program, const Uses& uses, ComputationId computation, FusionLevel level);

    /// Whether the operation is duplicated in each kernel that reads it.
    [[nodiscard]] bool is_repeated(std::size_t operation) const { return repeated_[operation] != 0; }
    /// The operation whose result leaves the kernel; the operation itself if it is a kernel of its own.
    [[nodiscard]] std::size_t root_of(std::size_t operation) const;
    /// Whether a root's kernel has more than one operation, including duplicated arrays.
    [[nodiscard]] bool is_fused(std::size_t root) const;
    /// Operations of a root's kernel, in order.
    [[nodiscard]] const std::vector<std::size_t>& members_of(std::size_t root) const {
        return members_[root];
    }

    /// The operation that a root's kernel is named after: its product if it has one, else the root.
    [[nodiscard]] std::size_t namesake_of(std::size_t root) const;

  private:
    struct Kernel {
        double space{0};  ///< elements that it covers
        bool reduces{false};
        bool multiplies{false};
        bool views{false};  ///< all of its operations are views
    };
    static constexpr std::int64_t none = -1;

    void find_repeated();
    void dissolve(std::size_t root);
    [[nodiscard]] std::int64_t only_reader(std::size_t operation) const;
    bool add_readers(std::size_t operation, std::int64_t& reader) const;
    [[nodiscard]] bool joins(const Operation& operation, const Kernel& kernel, const Operation& root) const;
    [[nodiscard]] bool reduces_rows(const Operation& reduce) const;
    [[nodiscard]] double space_of(const Operation& operation) const;
    [[nodiscard]] double elements(ValueId value) const {
        return program_.types.elements(program_.type_of(value));
    }
    [[nodiscard]] bool has_one_array(const Operation& operation) const;
    [[nodiscard]] bool can_begin(const Operation& operation) const;

    const Program& program_;
    const Uses& uses_;
    ComputationId id_;
    const std::vector<Operation>& operations_;
    FusionLevel level_;
    std::vector<char> repeated_;
    std::vector<std::int64_t> root_;
    std::vector<Kernel> kernels_;  ///< by root
    std::vector<std::vector<std::size_t>> members_;
};

}  // namespace dse::ir
