#include "app/sweep_answers.hpp"

#include <utility>

#include "dse/dist/stop_signal.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/eval/uncertain_evaluator.hpp"
#include "dse/explore/derived_metrics.hpp"
#include "dse/explore/program.hpp"
#include "dse/explore/registry.hpp"
#include "dse/space/grid_index.hpp"
#include "dse/study/sweep_schema.hpp"

namespace dse::app {
namespace {

/// Evaluates a point under its id in the grid instead of its number in the search, because its random numbers
/// follow from its id.
explore::Evaluate as_in_the_grid(const std::shared_ptr<const study::Sweep>& sweep,
                                 explore::Evaluate evaluate) {
    return [sweep, evaluate = std::move(evaluate)](const space::Point& asked, explore::Fidelity fidelity,
                                                   space::Record& record) {
        space::Point point = asked;
        point.id = space::grid_index(*sweep->space, asked.values).value_or(asked.id);
        evaluate(point, fidelity, record);
        record.point.id = asked.id;
    };
}

template <class Evaluator>
explore::Evaluate simulated_by(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    const auto evaluator = std::make_shared<Evaluator>(*sweep, asked);
    evaluator->stop_when(dist::stop_requested);
    return [sweep, evaluator](const space::Point& point, explore::Fidelity, space::Record& record) {
        evaluator->evaluate(point, record);
    };
}

explore::Evaluate simulated(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    if (sweep->uncertain) return simulated_by<eval::UncertainEvaluator>(sweep, asked);
    return simulated_by<eval::Evaluator>(sweep, asked);
}

/// Evaluates points with the sweep's own fidelity or, if the search asks for it, with the one that confirms.
/// The last column that the evaluator adds tells which.
explore::Evaluate screened(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    const auto dear = std::make_shared<study::Sweep>(*sweep);
    if (sweep->confirm) dear->base.fidelity = *sweep->confirm;
    explore::Evaluate confirm = sweep->confirm ? simulated(dear, asked)
                                               : explore::program_answers(sweep->space, dist::stop_requested);
    const std::size_t others = sweep->space->added().size() - 1;
    return [others, cheap = simulated(sweep, asked), confirm = std::move(confirm)](
               const space::Point& point, explore::Fidelity fidelity, space::Record& record) {
        (fidelity.level == 0 ? cheap : confirm)(point, fidelity, record);
        if (record.status != space::Status::ok) return;
        record.more.resize(others, metrics::not_a_number);
        record.more.push_back(fidelity.level == 0 ? 0.0 : 1.0);
    };
}

explore::Evaluate answers_alone(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    if (sweep->space->search().method == "screen") return screened(sweep, asked);
    if (sweep->space->exec()) return explore::program_answers(sweep->space, dist::stop_requested);
    return simulated(sweep, asked);
}

}  // namespace

results::ResultSchema row_schema(const study::Sweep& sweep, std::uint64_t points) {
    results::ResultSchema schema = study::result_schema(sweep, points);
    if (explore::learns(sweep.space->search())) explore::add_goals(*sweep.space, schema);
    return schema;
}

explore::Evaluate answers_of(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    explore::Evaluate evaluate = explore::with_derived_metrics(sweep->space, answers_alone(sweep, asked));
    if (explore::learns(sweep->space->search())) return as_in_the_grid(sweep, std::move(evaluate));
    return evaluate;
}

}  // namespace dse::app
