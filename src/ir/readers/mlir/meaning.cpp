#include "ir/readers/mlir/meaning.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"

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

Fields::Fields(const Meaning& meaning, std::string_view text, std::initializer_list<std::string_view> known)
    : meaning_{meaning} {
    fields_.entries = meaning.text.fields(text);
    for (const Statement::Entry& field : fields_.entries) {
        if (std::find(known.begin(), known.end(), field.key) != known.end()) continue;
        const std::vector<std::string> names(known.begin(), known.end());
        meaning.text.refuse(field.key, fmt::format("'{}' has no field '{}'{}", meaning.statement.name,
                                                   field.key, suggestion(field.key, names)));
    }
}

Sizes Fields::sizes(std::string_view key) const {
    return meaning_.text.sizes(fields_.value(key));
}

std::int64_t Fields::integer(std::string_view key) const {
    const std::string_view text = fields_.value(key);
    return text.empty() ? 0 : meaning_.text.integer(text);
}

}  // namespace dse::ir::mlir
