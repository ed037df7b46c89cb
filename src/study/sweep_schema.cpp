#include "dse/study/sweep_schema.hpp"

#include <algorithm>

#include "dse/metrics/metrics.hpp"
#include "dse/results/row_schema.hpp"
#include "dse/space/identity.hpp"
#include "dse/study/draft.hpp"

namespace dse::study {
namespace {

bool has_requests(const Sweep& sweep) {
    return sweep.base.workload.mode == graph::Mode::serving || is_varied(sweep, "workload.mode");
}

/// Removes the columns of request metrics, which the sweep's rows cannot have, except for objectives.
void leave_out_requests(const Sweep& sweep, results::ResultSchema& schema) {
    const auto is_asked_for = [&](const std::string& name) {
        return std::any_of(sweep.objectives.begin(), sweep.objectives.end(),
                           [&](const metrics::Objective& objective) { return objective.metric == name; });
    };
    const auto fields = metrics::metric_fields();
    std::erase_if(schema.metrics, [&](const results::MetricColumn& column) {
        return !is_asked_for(column.name) &&
               std::any_of(fields.begin(), fields.end(), [&](const metrics::MetricField& field) {
                   return field.of_requests && field.name == column.name;
               });
    });
}

}  // namespace

results::ResultSchema result_schema(const Sweep& sweep, std::uint64_t ids) {
    results::ResultSchema schema = results::row_schema(*sweep.space, sweep.objectives);
    schema.sweep.name = sweep.name;
    schema.sweep.yaml = sweep.yaml;
    schema.sweep.settings = sweep.settings;
    schema.sweep.facts = sweep.facts;
    schema.sweep.digest = space::digest(sweep.facts);
    schema.sweep.points = ids;
    if (!has_requests(sweep)) leave_out_requests(sweep, schema);
    return schema;
}

}  // namespace dse::study
