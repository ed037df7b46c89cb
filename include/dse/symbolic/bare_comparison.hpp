#pragma once

#include <string>
#include <vector>

#include "dse/symbolic/parsed_expression.hpp"

namespace dse::symbolic {

/// A name compared with a number, as in "bandwidth >= 400": nothing says in which unit the number is.
struct BareComparison {
    NameUse name;
    double number{0.0};
};

/// Comparisons of a name, by itself, with a number, by itself, in the order in which they are written.
std::vector<BareComparison> bare_comparisons(const ParsedExpression& expression);

}  // namespace dse::symbolic
