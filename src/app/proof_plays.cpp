#include "app/proof_plays.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "dse/base/error.hpp"
#include "dse/study/binder.hpp"

namespace dse::app {
namespace {

using results::Proof;

bool has_bounds(const Proof::Part& part) {
    return part.verdict == Proof::Verdict::dominated || part.verdict == Proof::Verdict::open;
}

/// Number of works of all ranks per layer of the model at the first point of a box; infinite if that is not a
/// valid layout.
class WorkCount {
  public:
    explicit WorkCount(const study::Sweep& sweep) : space_{*sweep.space}, binder_{sweep} {
        point_.values.resize(space_.width());
    }

    double operator()(const space::Box& box) {
        for (std::size_t i = 0; i < box.axes.size(); ++i)
            point_.values[i] = space_.axes()[i].values[box.axes[i].first];
        for (const space::Step& step : space_.steps()) static_cast<void>(space_.perform(step, point_.values));
        binder_.bind(point_);
        const study::Scenario& scenario = binder_.scenario();
        try {
            const graph::ResolvedLayout layout = graph::resolve(scenario.workload, scenario.system.devices);
            return static_cast<double>(scenario.system.devices) * layout.microbatches / layout.stages;
        } catch (const ModelError&) {
            return std::numeric_limits<double>::infinity();
        }
    }

  private:
    const space::Space& space_;
    study::Binder binder_;
    space::Point point_;
};

}  // namespace

std::set<std::size_t> proof_plays(const study::Sweep& sweep, const Proof& proof, std::uint64_t most) {
    std::vector<std::size_t> bounded;
    for (std::size_t i = 0; i < proof.parts.size(); ++i)
        if (has_bounds(proof.parts[i])) bounded.push_back(i);
    WorkCount works{sweep};
    std::vector<double> count;
    for (const std::size_t part : bounded) count.push_back(works(proof.parts[part].box));
    std::set<std::size_t> chosen;
    const std::size_t runs = std::min<std::size_t>(most, bounded.size());
    for (std::size_t i = 0; i < runs; ++i) {
        const auto first = count.begin() + static_cast<std::ptrdiff_t>(i * bounded.size() / runs);
        const auto last = count.begin() + static_cast<std::ptrdiff_t>((i + 1) * bounded.size() / runs);
        chosen.insert(bounded[static_cast<std::size_t>(std::min_element(first, last) - count.begin())]);
    }
    return chosen;
}

}  // namespace dse::app
