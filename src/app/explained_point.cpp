#include "app/explained_point.hpp"

#include "app/point_report.hpp"
#include "dse/base/error.hpp"
#include "dse/eval/frontend_of.hpp"

namespace dse::app {

ExplainedPoint::ExplainedPoint(const study::Sweep& sweep, const space::Point& point, WhatIf what_if)
    : sweep_{sweep}, evaluator_{sweep}, explanation_{evaluator_.explain(point)} {
    why_.iteration_time = explanation_.result.iteration_time;
    if (!has_result(explanation_)) return;
    try {
        played_ = std::make_unique<eval::PlayedPoint>(explanation_);
        why_ = why_of(*played_, explanation_);
    } catch (const ModelError& error) {
        why_not_played_ = error.what();
    }
    if (what_if == WhatIf::left_out) return;
    why_.sensitivities = eval::sensitivities(*explanation_.scenario, explanation_.result.iteration_time,
                                             eval::frontend_of(sweep_));
}

Json ExplainedPoint::json() const {
    Json json = point_json(*sweep_.space, explanation_);
    if (has_result(explanation_)) add_why(why_, json);
    return json;
}

}  // namespace dse::app
