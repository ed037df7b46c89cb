#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/shardy/lit_file.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "support/factor_rule_text.hpp"

namespace dse::conformance {
namespace {

using ir::Operation;
using ir::Program;
using ir::partition::FactorRule;

// `[i, jk], [k]` → dimensions of each array, in names of factors.
std::vector<std::vector<std::string>> arrays_of(const std::string& text) {
    static const std::regex array{R"(\[([^\]]*)\])"};
    static const std::regex dimension{R"([a-z_0-9]+)"};
    std::vector<std::vector<std::string>> arrays;
    for (std::sregex_iterator at{text.begin(), text.end(), array}, end; at != end; ++at) {
        const std::string inside = (*at)[1];
        arrays.emplace_back();
        for (std::sregex_iterator d{inside.begin(), inside.end(), dimension}; d != end; ++d)
            arrays.back().push_back(d->str());
    }
    return arrays;
}

// A rule from Shardy's text, `([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}`.
class RuleReader {
  public:
    explicit RuleReader(const std::string& text) {
        static const std::regex size{R"(([a-z](?:_\d+)?)=(\d+))"};
        for (std::sregex_iterator at{text.begin(), text.end(), size}, end; at != end; ++at)
            numbers_.emplace((*at)[1], rule.add(std::stoll((*at)[2])));
        const std::size_t arrow = text.find("->");
        tensors(text.substr(0, arrow), rule.operands);
        tensors(text.substr(arrow, text.find(')', arrow) - arrow), rule.results);
        each(text, "reduction", [](FactorRule::Factor& f) { f.kind = FactorRule::Kind::reduction; });
        each(text, "need_replication", [](FactorRule::Factor& f) { f.kind = FactorRule::Kind::whole; });
        each(text, "permutation", [](FactorRule::Factor& f) { f.kind = FactorRule::Kind::permutation; });
        each(text, "blocked_propagation", [](FactorRule::Factor& f) { f.blocked = true; });
    }
    FactorRule rule;

  private:
    // Names of several factors without anything between them: the longest that are known.
    FactorRule::Numbers factors(std::string_view names) const {
        FactorRule::Numbers result;
        while (!names.empty()) {
            std::size_t length = names.size();
            while (length > 1 && !numbers_.contains(std::string{names.substr(0, length)})) --length;
            result.push_back(numbers_.at(std::string{names.substr(0, length)}));
            names.remove_prefix(length);
        }
        return result;
    }
    void tensors(const std::string& text, std::vector<FactorRule::Tensor>& into) const {
        for (const auto& array : arrays_of(text)) {
            into.emplace_back();
            for (const std::string& dimension : array) into.back().push_back(factors(dimension));
        }
    }
    template <class Change>
    void each(const std::string& text, const std::string& key, Change change) {
        const std::regex list{key + R"(=\{([^}]*)\})"};
        std::smatch found;
        if (!std::regex_search(text, found, list)) return;
        const auto names = arrays_of("[" + found[1].str() + "]").front();
        for (const std::string& name : names) change(rule.factors[numbers_.at(name)]);
    }

    std::map<std::string, FactorRule::Number> numbers_;
};

// Dimensions of size 1 have a factor in Shardy's rules, and a kind; nothing of them can be sharded here.
FactorRule without_ones(FactorRule rule) {
    for (auto* tensors : {&rule.operands, &rule.results})
        for (FactorRule::Tensor& tensor : *tensors)
            for (auto& dimension : tensor)
                dimension.erase(
                    std::remove_if(dimension.begin(), dimension.end(),
                                   [&](FactorRule::Number f) { return rule.factors[f].size == 1; }),
                    dimension.end());
    return rule;
}

std::string canonical(const FactorRule& rule) {
    return test::text(without_ones(rule));
}

// Rules of a function's operations that have one, in order.
std::vector<std::string> rules_of(const LitFunction& function) {
    const Program program = ir::read_mlir(ir::Source::text(function.module, function.name));
    std::vector<std::string> rules;
    for (const ir::Computation& computation : program.computations) {
        if (program.text(computation.name) != function.name) continue;
        for (const Operation& operation : computation.operations)
            if (const auto rule = ir::partition::factor_rule(program, operation))
                rules.push_back(canonical(*rule));
    }
    return rules;
}

// Without what becomes of the factors when the operation is computed: how layouts spread.
std::string ties_of(const std::string& rule) {
    static const std::regex kinds{R"( (reduction|need_replication|permutation)=\{[^}]*\})"};
    return std::regex_replace(rule, kinds, "");
}

struct Tally {
    std::vector<std::string> equal;
    std::vector<std::string> tied;    ///< layouts spread alike; some factor is computed in another way
    std::vector<std::string> differ;  ///< layouts spread otherwise
    std::vector<std::string> none;    ///< operations that have no rule here
};

void hold(const LitFunction& function, Tally& tally) {
    static const std::regex stated{R"(#sdy\.op_sharding_rule<([^>]*->[^>]*)>)"};
    const std::vector<std::string> rules = rules_of(function);
    std::size_t next = 0;
    for (const std::string& check : function.checks) {
        std::smatch found;
        if (!std::regex_search(check, found, stated)) continue;
        const std::string expected = canonical(RuleReader{found[1]}.rule);
        // Others of the function that are not checked come before it.
        const auto equal =
            std::find(rules.begin() + static_cast<std::ptrdiff_t>(next), rules.end(), expected);
        const bool tied = std::any_of(rules.begin(), rules.end(), [&](const std::string& rule) {
            return ties_of(rule) == ties_of(expected);
        });
        if (equal != rules.end()) {
            next = static_cast<std::size_t>(equal - rules.begin()) + 1;
            tally.equal.push_back(function.name);
        } else if (rules.empty()) {
            tally.none.push_back(function.name);
        } else {
            (tied ? tally.tied : tally.differ).push_back(function.name);
            std::cout << function.name << (tied ? " is computed" : " spreads") << " otherwise\n  is       "
                      << rules.back() << "\n  expected " << expected << '\n';
        }
    }
}

class ShardyRules : public ConformanceData {};

// Windows, groups of convolutions and the factors of a reshape that have no counterpart are computed whole
// here; linear algebra, collectives and rules that the text itself brings have none.
TEST_F(ShardyRules, AreThoseOfItsRegistry) {
    Tally tally;
    const auto functions =
        LitFile{path("ir/stablehlo/shardy_propagation_op_sharding_rule_registry.mlir")}.functions();
    for (const LitFunction& function : functions) hold(function, tally);
    for (const std::string& name : tally.none) std::cout << name << " has no rule here\n";
    std::cout << tally.equal.size() << " rules equal, " << tally.tied.size() << " spread alike, "
              << tally.differ.size() << " differ, " << tally.none.size() << " operations have none here\n";
    EXPECT_GE(tally.equal.size(), 89U);
    EXPECT_LE(tally.differ.size(), 1U);
    EXPECT_LE(tally.none.size(), 17U);
}

}  // namespace
}  // namespace dse::conformance
