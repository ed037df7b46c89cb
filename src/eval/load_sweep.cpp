#include "dse/eval/load_sweep.hpp"

#include <utility>

#include "dse/eval/error_table.hpp"
#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/complete.hpp"
#include "dse/study/read_sweep.hpp"
#include "eval/check_workloads.hpp"

namespace dse::eval {

study::PredictorNames predictor_names() {
    const auto family = [](const auto& table) {
        return study::PredictorFamily{table.family(), table.names()};
    };
    return {family(model::compute_models()), family(netsim::network_models()), family(sim::engines())};
}

study::Sweep load_sweep(const std::string& file, const std::vector<study::Setting>& settings) {
    study::Draft draft = study::read_sweep(file, settings, predictor_names());
    // Rows have error bars: a table of errors that is wrong is one more error, not another sweep.
    static_cast<void>(read_errors(draft.sweep.library));
    const study::WorkloadFacts facts = check_workloads(draft);
    return study::complete(std::move(draft), facts);
}

}  // namespace dse::eval
