#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "dse/symbolic/expression.hpp"

namespace dse::symbolic {

/// tp = 8, pp = 3, share = 0.5 (real), on = 1 (flag), schedule = 1 ("1f1b"), bandwidth = 5e10; devices is
/// 1024.
class LayoutSymbols : public ::testing::Test {
  protected:
    LayoutSymbols() {
        symbols_.add("tp", ValueType::integer);
        symbols_.add("pp", ValueType::integer);
        symbols_.add("share", ValueType::real);
        symbols_.add("on", ValueType::flag);
        symbols_.add("schedule", ValueType::label, label_resolver({"gpipe", "1f1b", "interleaved"}));
        symbols_.add("net.bandwidth", ValueType::real, [](std::string_view text, std::string& error) {
            if (text == "400 Gbps") return std::optional<double>(5e10);
            error = "no bandwidth";
            return std::optional<double>();
        });
        symbols_.add_constant("devices", ValueType::integer, 1024.0);
        symbols_.add("mode", ValueType::label, label_resolver({"training", "decode"}));
    }
    double value(const std::string& text) const {
        return Expression::parse(text, symbols_).evaluate(values_);
    }

    SymbolTable symbols_;
    std::vector<double> values_{8, 3, 0.5, 1, 1, 5e10, 0};
};

}  // namespace dse::symbolic
