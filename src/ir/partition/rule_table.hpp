#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/partition/factor_rule.hpp"

namespace dse::ir::partition {

/// The rules of a program's operations (factor_rule). Operations of one opcode with the same types and
/// dimension numbers share a rule, which is derived once: a model repeats its layers.
class RuleTable {
  public:
    /// \param program  must outlive this object
    explicit RuleTable(const Program& program) : program_{program} {}

    /// \return nullptr if the operation has no rule; valid until the next call
    /// \throws ModelError as factor_rule
    const std::shared_ptr<const FactorRule>& of(const Operation& operation);

  private:
    using Key = std::vector<std::uint64_t>;
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept;
    };

    /// Writes everything that the operation's rule depends on into key_.
    /// \return false if that is more than types and dimension numbers
    bool read_key(const Operation& operation);
    [[nodiscard]] std::shared_ptr<const FactorRule> derived(const Operation& operation) const;

    const Program& program_;
    std::unordered_map<Key, std::shared_ptr<const FactorRule>, Hash> known_;
    std::shared_ptr<const FactorRule> other_;  ///< of the last operation that shares none
    Key key_;
};

}  // namespace dse::ir::partition
