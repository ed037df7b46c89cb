#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/hardware/network/topology_spec.hpp"
#include "dse/netsim/flow/collective_plan.hpp"
#include "dse/netsim/flow/fabric.hpp"
#include "dse/netsim/flow/fluid_network.hpp"
#include "dse/netsim/flow/router.hpp"

namespace dse::netsim::flow {

using RunId = Id<struct RunTag>;

/// What a group does: a plan and how much of it.
struct Job {
    const CollectivePlan* plan{nullptr};  ///< outlives the run
    Bytes size;                           ///< of the collective, > 0
    /// Pieces that follow one another through the phases of a plan that pipelines.
    std::int64_t chunks{1};
    /// Time before the first message, and factor of all latencies: of a part of a collective, that part.
    Seconds launch{};
    double latency_share{1.0};
};

/// All collectives and messages of a machine, over time. Everything that is under way shares links.
///
/// A phase of a chunk begins when the chunk has ended the phase before, and the chunk before it has ended
/// this one; latencies pass while the links still work for the chunk before.
class Traffic {
  public:
    /// \param fabric  outlives this
    Traffic(const Fabric& fabric, const hardware::TopologySpec& topology);

    /// A group begins now. \param members  devices, in the order of the plan's members; copied
    RunId start(const Job& job, std::span<const std::int64_t> members);

    [[nodiscard]] double now() const { return network_.now(); }
    /// When next something happens; infinity where nothing is going on.
    [[nodiscard]] double next_time() { return network_.next_time(); }
    /// Time goes on. \param time  as FluidNetwork::advance has it
    /// \return the runs that end then; valid until the next start() or advance()
    std::span<const RunId> advance(double time);
    /// Plays until nothing is going on, and goes back to time 0. \return when that was
    Seconds drain();

    [[nodiscard]] const FluidNetwork& network() const { return network_; }

  private:
    /// A chunk in a phase of a run.
    struct Step {
        std::int64_t unfinished{0};  ///< messages that have not arrived
        int missing{0};              ///< of the two that it waits for
        double ready{0};             ///< when the chunk has come from the phase before
    };
    struct Run {
        Job job;
        std::int64_t chunks{1};
        std::vector<std::int64_t> members;
        std::vector<Step> steps;  ///< by phase, then chunk
        std::int64_t unfinished{0};
    };
    struct Owner {
        std::uint32_t run;
        std::uint32_t step;
    };

    void begin(std::uint32_t run, std::uint32_t step);
    void end(const Owner& owner);
    void arrive(std::uint32_t run, std::uint32_t step);

    const Fabric* fabric_;
    Router router_;
    FluidNetwork network_;
    std::vector<Run> runs_;
    std::vector<std::uint32_t> free_runs_;
    std::vector<Owner> owners_;  ///< by flow
    std::vector<LinkId> route_;
    std::vector<Owner> ending_;
    std::vector<RunId> ended_;
};

}  // namespace dse::netsim::flow
