#include "eval/stages/play.hpp"

#include <utility>

namespace dse::eval {

Play::Play(std::function<void()> checkpoint) : checkpoint_{std::move(checkpoint)} {}

sim::Result Play::operator()(const Job& job, const graph::Graph& graph, const sim::Durations& durations,
                             double parts_from) {
    sim::Result result = engine(job).play(graph, durations, {job.asked, parts_from / durations.unit});
    sim::to_seconds(result, durations.unit);
    return result;
}

sim::Engine& Play::engine(const Job& job) {
    const std::string& name = job.scenario.fidelity.engine;
    std::unique_ptr<sim::Engine>& engine = engines_[name];
    if (!engine) {
        engine = sim::engines().find(name)();
        engine->set_checkpoint(checkpoint_);
    }
    return *engine;
}

}  // namespace dse::eval
