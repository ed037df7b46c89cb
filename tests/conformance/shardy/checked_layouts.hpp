#pragma once

#include <algorithm>
#include <cstddef>
#include <regex>
#include <string>
#include <vector>

#include "conformance/shardy/lit_file.hpp"
#include "conformance/shardy/sharding_notation.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::conformance {

/// Where values lie, as text: what a test's checks are held against. Empty texts lie whole.
struct FoundLayouts {
    struct Operation {
        std::string name;
        std::vector<std::string> results;
        std::vector<std::size_t> ranks;  ///< of the results
    };
    std::vector<std::string> arguments;
    std::vector<std::string> results;
    std::vector<Operation> operations;  ///< in the order of the text, regions behind what they belong to
};

/// Holds a function's layouts against its checks: each operation that is checked must come in order, with the
/// shardings that its check names.
class CheckedLayouts {
  public:
    CheckedLayouts(const LitFunction& function, const FoundLayouts& found) : found_{found} {
        for (const std::string& text : function.checks) check(text);
    }
    /// What differs; nothing where all is as it is expected.
    [[nodiscard]] const std::vector<std::string>& differences() const { return differences_; }
    /// Shardings that were compared.
    [[nodiscard]] std::size_t compared() const { return compared_; }

  private:
    void check(const std::string& text) {
        static const std::regex named{R"((?:^|=\s*|^\s*)\"?((?:stablehlo|sdy|chlo)\.\w+|call)\b)"};
        std::smatch found;
        if (text.find("func") != std::string::npos && text.find('@') != std::string::npos &&
            text.find("call") == std::string::npos) {
            signature(text);
        } else if (text.find("})") != std::string::npos) {
            if (text.find("sdy.sharding") != std::string::npos) branches(text);
        } else if (std::regex_search(text, found, named)) {
            operation_check(found[1], text);
        }
    }

    // `func @f(%arg0: tensor<…> {sdy.sharding = …}, …) -> (tensor<…> {…}, …)`; a bare name says nothing.
    void signature(const std::string& text) {
        const std::size_t arrow = text.find("->");
        signature_part(text.substr(0, arrow), found_.arguments, "argument");
        if (arrow != std::string::npos) signature_part(text.substr(arrow), found_.results, "result");
    }

    void signature_part(const std::string& text, const std::vector<std::string>& found, const char* what) {
        static const std::regex value{
            R"((?:tensor<[^>]*>|!stablehlo\.token)\s*(\{[^#]*#sdy\.sharding<([^>]*)>\})?)"};
        std::size_t i = 0;
        for (std::sregex_iterator at{text.begin(), text.end(), value}, end; at != end; ++at, ++i)
            compare(what + std::string{" "} + std::to_string(i), i < found.size() ? found[i] : "absent",
                    (*at)[2].matched ? dimensions_of((*at)[2].str()) : std::string{});
    }

    // The closing line of a conditional carries its shardings.
    void branches(const std::string& text) {
        for (const auto& operation : found_.operations)
            if (operation.name == "stablehlo.case" || operation.name == "stablehlo.if")
                compare(operation, shardings_in(text));
    }

    void operation_check(const std::string& name, const std::string& text) {
        const std::vector<std::string> expected = shardings_in(text);
        const std::size_t at = position(name, ranks_in(text));
        if (at == found_.operations.size()) {
            // Collectives and reshards that Shardy adds behind its propagation are no matter of it.
            if (!name.starts_with("sdy.") || name == "sdy.constant")
                differences_.push_back(name + " is not found");
            return;
        }
        next_ = at + 1;
        compare(found_.operations[at], expected);
    }

    // The next operation of that name whose results have as many dimensions as the check's shardings.
    [[nodiscard]] std::size_t position(const std::string& name, const std::vector<std::size_t>& ranks) const {
        std::size_t at = next_;
        const auto fits = [&](const FoundLayouts::Operation& operation) {
            return operation.name == name && (ranks.empty() || ranks == operation.ranks);
        };
        while (at < found_.operations.size() && !fits(found_.operations[at])) ++at;
        return at;
    }

    void compare(const FoundLayouts::Operation& operation, const std::vector<std::string>& expected) {
        for (std::size_t i = 0; i < std::min(expected.size(), operation.results.size()); ++i)
            compare(operation.name, operation.results[i], expected[i]);
    }

    void compare(const std::string& what, const std::string& is, const std::string& expected) {
        ++compared_;
        if (is != expected)
            differences_.push_back(what + " is " + (is.empty() ? "whole" : is) + ", expected " +
                                   (expected.empty() ? "whole" : expected));
    }

    const FoundLayouts& found_;
    std::vector<std::string> differences_;
    std::size_t compared_{0};
    std::size_t next_{0};
};

}  // namespace dse::conformance
