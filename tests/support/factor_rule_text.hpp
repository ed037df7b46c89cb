#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/partition/factor_rule.hpp"

namespace dse::test {

/// Shardy's names of factors: i, j, …, z, z_1, z_2, …
inline std::string factor_name(std::size_t factor) {
    constexpr std::size_t letters = 'z' - 'i' + 1;
    return factor < letters ? std::string(1, static_cast<char>('i' + factor))
                            : "z_" + std::to_string(factor - letters + 1);
}

/// A rule as Shardy writes it: `([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}`. Factors are named
/// in the order in which they stand in operands and results; dimensions without factors get one of size 1.
/// Source: Shardy, attribute op_sharding_rule
class FactorRuleText {
  public:
    explicit FactorRuleText(const ir::partition::FactorRule& rule)
        : rule_{rule}, names_(rule.factors.size()) {
        tensors(rule.operands);
        text_ += "->";
        tensors(rule.results);
        if (!sizes_.empty()) text_ += " {" + sizes_ + "}";
        using Kind = ir::partition::FactorRule::Kind;
        set("reduction", by_kind_[static_cast<std::size_t>(Kind::reduction)]);
        set("need_replication", by_kind_[static_cast<std::size_t>(Kind::whole)]);
        set("permutation", by_kind_[static_cast<std::size_t>(Kind::permutation)]);
        set("blocked_propagation", blocked_);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    void tensors(const std::vector<ir::partition::FactorRule::Tensor>& tensors) {
        text_ += "(";
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            text_ += t == 0 ? "[" : ", [";
            for (std::size_t d = 0; d < tensors[t].size(); ++d) {
                text_ += d == 0 ? "" : ", ";
                for (const auto factor : tensors[t][d]) text_ += name(factor);
                if (tensors[t][d].empty()) text_ += next(1);
            }
            text_ += "]";
        }
        text_ += ")";
    }
    std::string name(std::size_t factor) {
        if (!names_[factor].empty()) return names_[factor];
        const auto& which = rule_.factors[factor];
        names_[factor] = next(which.size);
        append(by_kind_[static_cast<std::size_t>(which.kind)], names_[factor]);
        if (which.blocked) append(blocked_, names_[factor]);
        return names_[factor];
    }
    std::string next(std::int64_t size) {
        const std::string name = factor_name(met_++);
        append(sizes_, name + "=" + std::to_string(size));
        return name;
    }
    static void append(std::string& list, const std::string& entry) {
        list += (list.empty() ? "" : ", ") + entry;
    }
    void set(std::string_view key, const std::string& names) {
        if (!names.empty()) text_ += " " + std::string{key} + "={" + names + "}";
    }

    const ir::partition::FactorRule& rule_;
    std::vector<std::string> names_;      ///< by factor
    std::array<std::string, 4> by_kind_;  ///< names by kind
    std::string blocked_;
    std::string sizes_;
    std::string text_;
    std::size_t met_{0};
};

inline std::string text(const ir::partition::FactorRule& rule) {
    return FactorRuleText{rule}.text();
}

}  // namespace dse::test
