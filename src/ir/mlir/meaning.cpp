#include "ir/mlir/meaning.hpp"

namespace dse::ir::mlir {

const Sizes& Meaning::operand_sizes(std::size_t i) const {
    static const Sizes none;
    if (i >= statement.operands.size()) return none;
    return program().types[program().type_of(statement.operands[i])].sizes;
}

std::int64_t Meaning::integer(std::string_view key, std::int64_t without) const {
    const std::string_view value = statement.value(key);
    return value.empty() ? without : text.integer(value);
}

}  // namespace dse::ir::mlir
