#include "dse/study/named_files.hpp"

#include <string_view>

#include "dse/study/draft.hpp"

namespace dse::study {
namespace {

std::vector<std::string> labels_of(const Sweep& sweep, std::string_view path, const std::string& fixed) {
    if (const space::Axis* axis = axis_of(sweep, path)) return axis->labels;
    if (sweep.space)
        for (const space::Derived& derived : sweep.space->derived())
            if (derived.info.path == path) return derived.info.choices;
    return {fixed};
}

}  // namespace

std::vector<std::string> model_names(const Sweep& sweep) {
    return labels_of(sweep, "workload.model", sweep.base.workload.model);
}

std::vector<std::string> program_names(const Sweep& sweep) {
    return labels_of(sweep, "workload.ir", sweep.base.workload.ir);
}

std::vector<std::string> family_names(const Sweep& sweep) {
    return labels_of(sweep, "workload.synthetic", sweep.base.workload.synthetic);
}

std::vector<std::string> foreign_cost_names(const Sweep& sweep) {
    return labels_of(sweep, "workload.foreign_costs", sweep.base.workload.foreign_costs);
}

std::vector<std::string> trace_names(const Sweep& sweep) {
    return labels_of(sweep, "workload.traffic.trace", sweep.base.workload.traffic.trace);
}

}  // namespace dse::study
