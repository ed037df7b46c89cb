#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse {

/// The members of a family (cost models, samplers, frontends, …) by name, as printed by `dse list` and used
/// for suggestions. Rows are listed explicitly in the family's registry.cpp; self-registration does not work,
/// since linkers silently drop self-registering objects of static libraries.
template <class Factory>
class FactoryTable {
  public:
    struct Row {
        std::string name;
        std::string description;  ///< one line, for `dse list`
        Factory make;
    };

    FactoryTable(std::string family, std::vector<Row> rows)
        : family_{std::move(family)}, rows_{std::move(rows)} {}

    [[nodiscard]] const std::string& family() const { return family_; }
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const Row& row : rows_) result.push_back(row.name);
        return result;
    }

    /// \throws InputError naming the nearest member if there is none of this name
    [[nodiscard]] const Factory& find(std::string_view name) const {
        for (const Row& row : rows_) {
            if (row.name == name) return row.make;
        }
        throw InputError(fmt::format("unknown {} '{}'{}", family_, name, suggestion(name, names())));
    }

  private:
    std::string family_;
    std::vector<Row> rows_;
};

}  // namespace dse
