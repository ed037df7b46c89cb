#include "app/questions/row_mask.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "app/row_conditions.hpp"
#include "dse/symbolic/parsed_expression.hpp"

namespace dse::app {
namespace {

using space::Status;

bool names_a_metric(const std::string& condition, const results::Table& columns) {
    const auto parsed = symbolic::ParsedExpression::parse(condition);
    const auto& metrics = columns.schema.metrics;
    return std::any_of(parsed.names().begin(), parsed.names().end(), [&](const symbolic::NameUse& use) {
        return std::any_of(metrics.begin(), metrics.end(),
                           [&](const auto& metric) { return metric.name == use.name; });
    });
}

/// The same rows as if all had an answer and the sweep had no conditions.
results::Table as_answered(const results::Table& block) {
    results::Table rows = block;
    rows.schema.sweep.yaml.clear();
    std::fill(rows.status.begin(), rows.status.end(), Status::ok);
    return rows;
}

}  // namespace

std::string row_mask(results::ResultsReader& reader, const std::vector<std::string>& where) {
    std::vector<std::string> of_axes;
    std::copy_if(where.begin(), where.end(), std::back_inserter(of_axes),
                 [&](const std::string& condition) { return !names_a_metric(condition, reader.columns()); });
    RowFilter all{where};
    RowFilter axes{of_axes};
    std::string mask;
    reader.each([&](const results::Table& block) {
        const std::span<const Status> answered = all.statuses(block);
        const results::Table probe = as_answered(block);
        const std::span<const Status> placed = axes.statuses(probe);
        for (std::size_t row = 0; row < block.rows(); ++row) {
            const bool kept =
                block.status[row] == Status::ok ? answered[row] == Status::ok : placed[row] == Status::ok;
            mask += kept ? '1' : '0';
        }
    });
    return mask;
}

}  // namespace dse::app
