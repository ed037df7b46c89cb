#include "dse/sim/replay/machine_replay.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "sim/replay/job_replay.hpp"

namespace dse::sim::replay {
namespace {

/// One of several jobs: its present iteration, and those before.
class RepeatedJob {
  public:
    RepeatedJob(const PlacedJob& job, NodeTimes& times, LinksInUse& links, Dependencies dependencies)
        : job_{job.job},
          programs_{job.job.ranks, dependencies},
          times_{times},
          wires_{links, job.devices},
          events_{links.events()} {
        begin(job.observe);
    }

    /// Whether the first iteration has ended.
    [[nodiscard]] bool has_result() const { return result_.iterations > 0; }
    [[nodiscard]] const JobReplay& iteration() const { return *iteration_; }
    [[nodiscard]] SharedRun result() const {
        SharedRun result = result_;
        result.time = result.time / static_cast<double>(result.iterations);
        return result;
    }
    /// Counts an iteration that has ended. \return whether one has
    bool count() {
        if (!iteration_->has_ended()) return false;
        if (!has_result()) result_.ranks = iteration_->results();
        result_.time += iteration_->time();
        ++result_.iterations;
        return true;
    }
    /// \throws InputError if the iteration that has ended took no time: it would begin again for ever
    void require_time() const {
        if (iteration_->time() > Seconds{}) return;
        throw InputError(fmt::format("'{}': this job takes no time: nothing to be slowed down by others",
                                     job_.ranks.front().path));
    }

    void begin(const SpanObserver& observe = {}) {
        iteration_.emplace(job_, programs_, times_, wires_, events_, observe);
        iteration_->begin();
    }

  private:
    MachineJob job_;
    JobPrograms programs_;
    NodeTimes& times_;
    SharedWires wires_;
    netsim::AstraEvents& events_;
    std::optional<JobReplay> iteration_;
    SharedRun result_;
};

}  // namespace

std::vector<MachineRank> replay_on_machine(const MachineJob& job, NodeTimes& times, Dependencies dependencies,
                                           const SpanObserver& observe) {
    netsim::AstraEvents events{job.ranks.size()};
    IdleWires wires{times, events};
    const JobPrograms programs{job.ranks, dependencies};
    JobReplay replay{job, programs, times, wires, events, observe};
    replay.begin();
    events.run();
    replay.check_ended();
    return replay.results();
}

std::vector<SharedRun> replay_together(std::span<const PlacedJob> jobs, std::int64_t machine,
                                       const hardware::NetworkSpec& network, NodeTimes& times,
                                       Dependencies dependencies) {
    netsim::SharedLinks links{network, machine};
    netsim::AstraEvents events{0};
    LinksInUse in_use{links, events};
    std::vector<std::unique_ptr<RepeatedJob>> running;
    for (const PlacedJob& job : jobs)
        running.push_back(std::make_unique<RepeatedJob>(job, times, in_use, dependencies));
    const auto all_have_results = [&] {
        return std::ranges::all_of(running, [](const auto& job) { return job->has_result(); });
    };
    for (;;) {
        // Jobs without any node have ended before anything happens.
        for (const auto& job : running) {
            if (!job->count()) continue;
            if (jobs.size() > 1) job->require_time();
            if (!all_have_results()) job->begin();
        }
        if (all_have_results()) break;
        for (const auto& job : running) {
            // The others could go on forever.
            if (job->iteration().is_stuck()) job->iteration().check_ended();
        }
        in_use.run_next();
    }
    std::vector<SharedRun> results;
    results.reserve(running.size());
    for (const auto& job : running) results.push_back(job->result());
    return results;
}

}  // namespace dse::sim::replay
