#include "app/sweep_answers.hpp"

#include <utility>

#include "dse/dist/stop_signal.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/explore/derived_metrics.hpp"
#include "dse/explore/program.hpp"
#include "dse/explore/registry.hpp"
#include "dse/space/grid_index.hpp"
#include "dse/study/sweep_schema.hpp"

namespace dse::app {
namespace {

/// What a point draws follows from its id: here that of the grid, not its place in the order of asking.
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

explore::Evaluate simulated(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    const auto evaluator = std::make_shared<eval::Evaluator>(*sweep, asked);
    evaluator->stop_when(dist::stop_requested);
    return [sweep, evaluator](const space::Point& point, explore::Fidelity, space::Record& record) {
        evaluator->evaluate(point, record);
    };
}

}  // namespace

results::ResultSchema row_schema(const study::Sweep& sweep, std::uint64_t points) {
    results::ResultSchema schema = study::result_schema(sweep, points);
    if (explore::learns(sweep.space->search())) explore::add_goals(*sweep.space, schema);
    return schema;
}

explore::Evaluate answers_of(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    explore::Evaluate evaluate = sweep->space->exec()
                                     ? explore::program_answers(sweep->space, dist::stop_requested)
                                     : simulated(sweep, asked);
    evaluate = explore::with_derived_metrics(sweep->space, std::move(evaluate));
    if (explore::learns(sweep->space->search())) return as_in_the_grid(sweep, std::move(evaluate));
    return evaluate;
}

}  // namespace dse::app
