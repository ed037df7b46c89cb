#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "dse/base/output_file.hpp"
#include "dse/sim/replay/astra_replay.hpp"
#include "dse/sim/replay/node_span.hpp"
#include "dse/sim/replay/replay_timeline.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::app {

struct SimulatedTimelineOptions {
    std::string file;   ///< empty: no timeline
    std::string ranks;  ///< "all", a list ("0,5,8-11"), or empty: representative ones
    Existing existing{Existing::refuse};
};
void declare_simulated_timeline(CLI::App& app, SimulatedTimelineOptions& options);

/// Records when the nodes of simulated jobs ran.
class SimulatedTimeline {
  public:
    /// Without a choice, a job with more ranks shows one of each that have the same trace, at most this many.
    static constexpr std::size_t most_ranks = 16;

    /// \throws InputError if the file is there and must not be replaced
    explicit SimulatedTimeline(const SimulatedTimelineOptions& options);

    [[nodiscard]] bool is_wanted() const { return !options_.file.empty(); }
    /// \param name  as on the command line; shown if there are several jobs
    /// \param ranks  must outlive this object
    /// \return an observer of the job's replay; empty if no timeline is wanted
    /// \throws InputError if a rank that was chosen does not exist, or the file is one of the traces
    sim::replay::SpanObserver add_job(const std::string& name,
                                      std::span<const trace::chakra::RankTrace> ranks);
    /// Writes the file, if one is wanted, and says how many ranks it shows. The last call: no observer may be
    /// called after it.
    /// \throws InputError if the file cannot be written
    void write();

  private:
    SimulatedTimelineOptions options_;
    std::deque<sim::replay::ReplayedJob> jobs_;  ///< observers refer to them
    std::size_t shown_{0};                       ///< ranks in the timeline
    std::size_t all_{0};                         ///< ranks of all jobs
};

/// Tells an observer of nodes what ASTRA-sim's events say.
std::function<void(const sim::replay::NodeEvent&)> events_of(sim::replay::SpanObserver observe);

}  // namespace dse::app
