#include "dse/explore/derived_metrics.hpp"

#include <utility>

#include "dse/space/answers.hpp"

namespace dse::explore {

Evaluate with_derived_metrics(const std::shared_ptr<const space::Space>& space, Evaluate evaluate) {
    if (space->metrics().empty()) return evaluate;
    const auto answers = std::make_shared<space::Answers>(space);
    const std::size_t added = space->added().size();
    return [=, evaluate = std::move(evaluate)](const space::Point& point, Fidelity fidelity,
                                               space::Record& record) {
        evaluate(point, fidelity, record);
        if (record.status != space::Status::ok) return record.more.clear();
        record.more.resize(added, metrics::not_a_number);
        answers->take(point.values, record.metrics, record.more);
        record.more.insert(record.more.end(), answers->derived().begin(), answers->derived().end());
    };
}

}  // namespace dse::explore
