#pragma once

#include <optional>

#include "ir/partition/factor_rule.hpp"
#include "ir/written_program.hpp"

namespace dse::ir::test {

/// The rule of the operation that makes a value.
inline std::optional<partition::FactorRule> rule_of(const WrittenProgram& written, ValueId result) {
    return partition::factor_rule(written.program, *written.program.definition(result));
}

}  // namespace dse::ir::test
