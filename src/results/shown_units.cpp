#include "results/shown_units.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/config/node.hpp"
#include "dse/config/written_unit.hpp"

namespace dse::results {
namespace {

using config::Node;

/// The numbers of an axis: a list, the ends of a range, or one value; none for records.
std::vector<const Node*> numbers_of(const Node& values) {
    std::vector<const Node*> numbers;
    if (values.is_scalar()) numbers.push_back(&values);
    if (values.is_sequence())
        for (const Node& item : values.items()) numbers.push_back(&item);
    if (!values.is_map()) return numbers;
    if (const Node* listed = values.find("values")) return numbers_of(*listed);
    for (const char* end : {"from", "to"})
        if (const Node* value = values.find(end)) numbers.push_back(value);
    return numbers;
}

/// Whether an axis of this name has that column: the column is called by the axis or by the field that it
/// sets.
bool is_of(const Column& column, std::string_view axis) {
    return column.name == axis || (column.name.ends_with(axis) && column.name.size() > axis.size() &&
                                   column.name[column.name.size() - axis.size() - 1] == '.');
}

std::string unit_of(const Node& values, config::Dimension dimension) {
    std::optional<std::string> shared;
    for (const Node* number : numbers_of(values)) {
        std::string unit = number->is_scalar() ? config::written_unit(number->text(), dimension) : "";
        if (shared && *shared != unit) return {};
        shared = std::move(unit);
    }
    return shared.value_or("");
}

}  // namespace

void set_shown_units(ResultSchema& schema) {
    config::Diagnostics ignored;
    const Node root = config::parse_yaml(schema.sweep.yaml, "sweep", ignored);
    const Node* axes = root.is_map() ? root.find("axes") : nullptr;
    if (axes == nullptr || !axes->is_map()) return;
    for (Column& column : schema.points) {
        if (column.kind != ColumnKind::real || column.role != ColumnRole::axis) continue;
        for (const Node::Entry& axis : axes->entries()) {
            if (is_of(column, axis.key))
                column.shown_unit = unit_of(axis.value, config::dimension_of_unit(column.unit));
        }
    }
}

}  // namespace dse::results
