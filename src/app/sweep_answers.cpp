#include "app/sweep_answers.hpp"

#include "dse/dist/stop_signal.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/explore/registry.hpp"
#include "dse/space/grid_index.hpp"
#include "dse/study/sweep_schema.hpp"

namespace dse::app {

results::ResultSchema row_schema(const study::Sweep& sweep, std::uint64_t points) {
    results::ResultSchema schema = study::result_schema(sweep, points);
    if (explore::learns(sweep.space->search())) explore::add_goals(*sweep.space, schema);
    return schema;
}

explore::Evaluate answers_of(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked) {
    const auto evaluator = std::make_shared<eval::Evaluator>(*sweep, asked);
    evaluator->stop_when(dist::stop_requested);
    if (!explore::learns(sweep->space->search())) {
        return [sweep, evaluator](const space::Point& point, explore::Fidelity, space::Record& record) {
            evaluator->evaluate(point, record);
        };
    }
    return [sweep, evaluator](const space::Point& asked_for, explore::Fidelity, space::Record& record) {
        space::Point point = asked_for;
        point.id = space::grid_index(*sweep->space, asked_for.values).value_or(asked_for.id);
        evaluator->evaluate(point, record);
        record.point.id = asked_for.id;
    };
}

}  // namespace dse::app
