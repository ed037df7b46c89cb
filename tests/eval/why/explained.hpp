#pragma once

#include <memory>

#include "dse/eval/why/played_point.hpp"
#include "eval/sweeps.hpp"

namespace dse::test {

/// The first point of a small sweep, explained and played.
class Explained {
  public:
    explicit Explained(const std::string& yaml) : sweep_{files_.load(yaml)}, evaluator_{sweep_} {
        explanation_ = evaluator_.explain(points_of(sweep_).at(0));
        played_ = std::make_unique<eval::PlayedPoint>(explanation_);
    }
    [[nodiscard]] const study::Sweep& sweep() const { return sweep_; }
    [[nodiscard]] const eval::Explanation& explanation() const { return explanation_; }
    [[nodiscard]] const eval::PlayedPoint& played() const { return *played_; }
    [[nodiscard]] double time() const { return explanation_.result.iteration_time; }

  private:
    SweepFiles files_;
    study::Sweep sweep_;
    eval::Evaluator evaluator_;
    eval::Explanation explanation_;
    std::unique_ptr<eval::PlayedPoint> played_;
};

/// Points with all that makes paths hard: pipelines, sharded states, overlap, decoding, another network.
inline std::vector<std::string> explained_sweeps() {
    const auto llama = [](const std::string& axes, const std::string& workload = "") {
        return SweepFiles::llama("axes: {" + axes + "}\n", workload);
    };
    return {
        llama("tp: [2], pp: [2], zero: [1]"),
        llama("tp: [1], pp: [1], zero: [3], exposed_dp: [0.3]"),
        llama("tp: [4], pp: [4], microbatch: [2], schedule: [zb_h1], exposed_tp: [0.5]"),
        llama("tp: [2], pp: [4], schedule: [interleaved], virtual_stages: [2], exposed_pp: [1.0]"),
        llama("tp: [2], pp: [2], schedule: [dualpipe], zero: [1]", "recompute: full"),
        llama("tp: [8], pp: [2]", "mode: decode, context: 4096, output: 128"),
        llama("tp: [8], pp: [1]", "mode: prefill"),
        llama("tp: [2], pp: [2]") + "fidelity: {network: multi_dim}\n",
        llama("tp: [2], pp: [2]") + "fidelity: {network: astra_sim}\n",
    };
}

}  // namespace dse::test
