#include "app/sweep_evaluator.hpp"

namespace dse::app {

std::optional<space::Record> SweepEvaluator::evaluate(std::uint64_t index) {
    if (!sampler_.point(index, point_)) return std::nullopt;
    space::Record record;
    evaluator_.evaluate(point_, record);
    return record;
}

std::optional<space::Point> SweepEvaluator::point(std::uint64_t index) {
    space::Point point;
    if (!sampler_.point(index, point)) return std::nullopt;
    return point;
}

}  // namespace dse::app
