#include "dse/eval/evaluator.hpp"

#include "dse/eval/frontend_of.hpp"
#include "eval/play_point.hpp"

namespace dse::eval {
Evaluator::Evaluator(const study::Sweep& sweep, sim::Asked::For asked)
    : binder_{sweep},
      simulator_{std::make_unique<Simulator>(frontend_of(sweep), folder_of(sweep))},
      bars_{sweep.library},
      asked_{asked} {}

Evaluator::~Evaluator() = default;

void Evaluator::forget() {
    simulator_->forget();
}

void Evaluator::stop_when(bool (*stopped)()) {
    simulator_->stop_when(stopped);
}

void Evaluator::evaluate(const space::Point& point, space::Record& record) {
    evaluate(point, record, asked_);
}

void Evaluator::evaluate(const space::Point& point, space::Record& record, sim::Asked::For asked) {
    record.point = point;
    record.reason.clear();
    record.metrics = metrics::Metrics{};
    record.more.clear();
    play_point(binder_, *simulator_, point, asked, record,
               [&] { bars_.add(binder_.scenario(), record.metrics); });
}

Explanation Evaluator::explain(const space::Point& point) {
    Explanation explanation;
    evaluate(point, explanation.record, sim::Asked::For::parts);
    if (explanation.record.status == space::Status::out_of_memory) {
        // Simulate the point anyway, to show where the memory is used.
        try {
            simulator_->run(binder_.scenario(), binder_.system_key(), WhenFull::simulate);
        } catch (const OutOfTime&) {
            // The record already says that it does not fit; its time remains unknown.
        } catch (const ModelError&) {
        }
    }
    static_cast<Evaluation&>(explanation) = simulator_->last();
    if (explanation.record.status == space::Status::out_of_memory)
        bars_.add(binder_.scenario(), explanation.metrics);
    explanation.scenario = &binder_.scenario();
    return explanation;
}

}  // namespace dse::eval
