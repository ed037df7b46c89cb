#include "app/speed_probe.hpp"

#include <algorithm>
#include <chrono>
#include <random>

#include "dse/eval/evaluator.hpp"
#include "dse/space/sampler.hpp"

namespace dse::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds budget{500};
/// A point that takes longer is given up, and then the estimate is too low: better than to keep people
/// waiting.
constexpr std::chrono::seconds longest_point{5};
constexpr int run_length = 64;
/// Ids that are looked at for one run of points: in a sparse space there may be none among them.
constexpr std::uint64_t reach = 1U << 16U;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

SpeedProbe probe_speed(const eval::Sweep& sweep) {
    SpeedProbe probe;
    const space::Space& space = *sweep.space;
    if (space.search().method == "grid" && (!space.is_discrete() || !space.grid_size().exact)) return probe;
    const auto sampler = space::make_sampler(sweep.space);
    if (sampler->size() == 0) return probe;
    eval::Sweep limited = sweep;
    limited.base.fidelity.time_limit = Seconds{std::chrono::duration<double>(longest_point).count()};
    eval::Evaluator evaluator{limited};
    space::Point point;
    space::Record record;
    std::mt19937_64 random{static_cast<std::uint64_t>(space.search().seed)};
    const Clock::time_point end = Clock::now() + budget;
    while (Clock::now() < end) {
        const std::uint64_t first = random() % sampler->size();
        const auto stream = sampler->points(first, first + std::min(reach, sampler->size() - first));
        for (int i = 0; i < run_length && Clock::now() < end && stream->next(point); ++i) {
            const Clock::time_point begin = Clock::now();
            evaluator.evaluate(point, record);
            probe.seconds += seconds_since(begin);
            ++probe.points;
            if (record.status == space::Status::ok) ++probe.feasible;
        }
    }
    return probe;
}

}  // namespace dse::app
