#include "dse/ir/program/cost/foreign_costs_yaml.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/reader.hpp"

namespace dse::ir {
namespace {

struct Row {
    std::string flops;
    std::string bytes{"in_bytes + out_bytes"};
};

template <class Visitor>
void describe(Visitor& visitor, Row& row) {
    visitor.required("flops", row.flops, "FLOPs of one call");
    visitor.optional("bytes", row.bytes, "bytes that one call reads and writes");
}

/// The text of a column and its position; an omitted column has the position of the row.
ForeignFormula::Text text_of(const config::Node& row, const char* column, const std::string& text) {
    const config::Node* value = row.find(column);
    return {text, config::to_string(value != nullptr ? value->location() : row.location())};
}

}  // namespace

void read_foreign_costs(const config::Node& table, ForeignCosts& costs, config::Diagnostics& diagnostics) {
    if (!table.is_map() && !table.is_null()) {
        diagnostics.error(table.location(), table.path(),
                          fmt::format("expected a map of targets, found {}", table.describe()));
        return;
    }
    for (const config::Node::Entry& entry : table.entries()) {
        const std::size_t errors = diagnostics.error_count();
        Row row;
        config::read_struct(entry.value, row, nullptr, diagnostics);
        if (diagnostics.error_count() > errors) continue;
        try {
            costs.add(entry.key, ForeignFormula{text_of(entry.value, "flops", row.flops),
                                                text_of(entry.value, "bytes", row.bytes)});
        } catch (const InputError& error) {
            diagnostics.error(entry.value.location(), entry.value.path(), error.what());
        }
    }
}

ForeignCosts foreign_costs_of(const std::string& file) {
    config::Diagnostics diagnostics;
    const config::Node table = config::parse_yaml(config::read_text(file), file, diagnostics);
    ForeignCosts costs;
    read_foreign_costs(table, costs, diagnostics);
    diagnostics.throw_if_any();
    return costs;
}

}  // namespace dse::ir
