#pragma once

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/range_check.hpp"

namespace dse::graph {

/// \throws ModelError naming the first field of a struct that is outside its declared range
template <class Struct>
void require_in_range(const Struct& described) {
    config::check_ranges(described, [](const config::FieldInfo& field, double value) {
        throw ModelError(fmt::format("{}: {}", field.path,
                                     config::out_of_range(config::format_value(value, field), field)));
    });
}

}  // namespace dse::graph
