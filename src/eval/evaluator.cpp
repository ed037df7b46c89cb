#include "dse/eval/evaluator.hpp"

#include "dse/eval/measure.hpp"
#include "dse/frontend/workload_frontend.hpp"

namespace dse::eval {
namespace {

std::unique_ptr<Simulator> make_simulator(const study::Sweep& sweep) {
    return std::make_unique<Simulator>(std::make_unique<frontend::WorkloadFrontend>(sweep.library));
}

}  // namespace

Evaluator::Evaluator(const study::Sweep& sweep) : binder_{sweep}, simulator_{make_simulator(sweep)} {}

Evaluator::~Evaluator() = default;

void Evaluator::forget() {
    simulator_->forget();
}

void Evaluator::stop_when(bool (*stopped)()) {
    simulator_->stop_when(stopped);
}

void Evaluator::evaluate(const space::Point& point, space::Record& record) {
    record.point = point;
    record.reason.clear();
    record.metrics = metrics::Metrics{};
    try {
        binder_.bind(point);
        const Simulation& simulation =
            simulator_->run(binder_.scenario(), binder_.system_key(), WhenFull::refuse);
        record.status = simulation.shortage ? space::Status::out_of_memory : space::Status::ok;
        if (simulation.shortage) {
            write_reason(*simulation.shortage, record.reason);
        } else {
            record.metrics = simulation.metrics;
        }
    } catch (const ModelError& error) {
        record.status = space::Status::outside_validity;
        record.reason = error.what();
    } catch (const OutOfTime& error) {
        record.status = space::Status::timed_out;
        record.reason = error.what();
    }
}

Explanation Evaluator::explain(const space::Point& point) {
    Explanation explanation;
    evaluate(point, explanation.record);
    explanation.scenario = &binder_.scenario();
    if (explanation.record.status == space::Status::out_of_memory) {
        // What does not fit is played all the same: to see where the memory goes.
        try {
            simulator_->run(binder_.scenario(), binder_.system_key(), WhenFull::simulate);
        } catch (const OutOfTime&) {
            // It does not fit all the same; what it would have taken stays open.
        } catch (const ModelError&) {
        }
    }
    const Simulation& simulation = simulator_->last();
    explanation.graph = simulation.graph;
    explanation.durations = simulation.durations;
    explanation.result = simulation.result;
    explanation.memory = simulation.memory;
    explanation.metrics = simulation.metrics;
    return explanation;
}

}  // namespace dse::eval
