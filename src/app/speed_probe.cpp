#include "app/speed_probe.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "dse/eval/evaluator.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/sampler.hpp"

namespace dse::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds budget{500};
/// A point that takes longer is aborted. The estimated time is then too low, which is better than a long
/// wait.
constexpr std::chrono::seconds longest_point{5};
constexpr std::size_t run_length = 64;
/// A run that took less than this share of the budget is evaluated again, and only the second time counts:
/// the data that the first points build is shared by many more points in a sweep than in a run.
constexpr double share_of_a_quick_run = 1.0 / 16.0;
/// Number of ids that are searched for one run of points; in a sparse space there may be no point among them.
constexpr std::uint64_t reach = 1U << 16U;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Those of the search, or of all of the grid if a proof has no budget.
std::unique_ptr<space::Sampler> sampler_of(const std::shared_ptr<const space::Space>& space) {
    const bool is_unlimited = space->search().budget == 0 && space->is_discrete() && space->grid_size().exact;
    return is_unlimited ? space::samplers().find("grid")(space) : space::make_sampler(space);
}

/// The next points of a stream, at most one run.
std::vector<space::Point> run_of(space::PointStream& stream) {
    std::vector<space::Point> run;
    for (space::Point point; run.size() < run_length && stream.next(point);) run.push_back(point);
    return run;
}

class Probe {
  public:
    Probe(const study::Sweep& sweep, Clock::time_point end) : evaluator_{sweep}, end_{end} {}

    void add(std::span<const space::Point> run) {
        SpeedProbe measured = measure(run);
        const bool is_quick =
            measured.seconds < std::chrono::duration<double>(budget).count() * share_of_a_quick_run;
        if (is_quick) measured = measure(run.first(measured.points));
        total_.points += measured.points;
        total_.feasible += measured.feasible;
        total_.seconds += measured.seconds;
    }

    [[nodiscard]] const SpeedProbe& total() const { return total_; }

  private:
    /// Evaluates points until the time is up, but at least one.
    SpeedProbe measure(std::span<const space::Point> run) {
        SpeedProbe probe;
        const Clock::time_point begin = Clock::now();
        for (const space::Point& point : run) {
            evaluator_.evaluate(point, record_);
            ++probe.points;
            if (record_.status == space::Status::ok) ++probe.feasible;
            if (Clock::now() >= end_) break;
        }
        probe.seconds = seconds_since(begin);
        return probe;
    }

    eval::Evaluator evaluator_;
    Clock::time_point end_;
    space::Record record_;
    SpeedProbe total_;
};

}  // namespace

SpeedProbe probe_speed(const study::Sweep& sweep) {
    const space::Space& space = *sweep.space;
    if (space.exec()) return {};  // a program may have side effects, so a plan does not run it
    if (space::walks_grid(space.search().method) && (!space.is_discrete() || !space.grid_size().exact))
        return {};
    const auto sampler = sampler_of(sweep.space);
    if (sampler->size() == 0) return {};
    study::Sweep limited = sweep;
    limited.base.fidelity.time_limit = Seconds{std::chrono::duration<double>(longest_point).count()};
    std::mt19937_64 random{static_cast<std::uint64_t>(space.search().seed)};
    const Clock::time_point end = Clock::now() + budget;
    Probe evaluated{limited, end};
    while (Clock::now() < end) {
        const std::uint64_t first = random() % sampler->size();
        const auto stream = sampler->points(first, first + std::min(reach, sampler->size() - first));
        const std::vector<space::Point> run = run_of(*stream);
        if (!run.empty()) evaluated.add(run);
    }
    return evaluated.total();
}

}  // namespace dse::app
