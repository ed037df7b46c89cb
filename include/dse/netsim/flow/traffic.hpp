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

/// The work of a group: a plan and the amount of data.
struct Job {
    const CollectivePlan* plan{nullptr};  ///< must outlive the run
    Bytes size;                           ///< of the collective, > 0
    /// Number of pieces that pass through the phases of a pipelined plan one after the other.
    std::int64_t chunks{1};
    /// Time before the first message, and factor on all latencies; for a part of a collective, its share.
    Seconds launch{};
    double latency_share{1.0};
};

/// Simulation of all collectives and messages of a machine, which share links while they run concurrently.
///
/// A phase of a chunk starts when the chunk has finished the previous phase and the previous chunk has
/// finished this one; latencies elapse while the links still serve the previous chunk.
class Traffic {
  public:
    /// \param fabric  must outlive this object
    Traffic(const Fabric& fabric, const hardware::TopologySpec& topology);

    /// Starts the work of a group now. \param members  devices in the order of the plan's members; copied
    RunId start(const Job& job, std::span<const std::int64_t> members);

    [[nodiscard]] double now() const { return network_.now(); }
    /// Time of the next event; infinity if nothing is running.
    [[nodiscard]] double next_time() { return network_.next_time(); }
    /// Advances time.
    /// \param time  as for FluidNetwork::advance
    /// \return the runs that end at this time; valid until the next start() or advance()
    std::span<const RunId> advance(double time);
    /// Simulates until nothing is running, then resets time to 0. \return the time of the end
    Seconds drain();

    [[nodiscard]] const FluidNetwork& network() const { return network_; }

  private:
    /// One chunk in one phase of a run.
    struct Step {
        std::int64_t unfinished{0};  ///< number of messages that have not arrived
        int missing{0};              ///< number of unmet conditions of the two that it waits for
        double ready{0};             ///< time at which the chunk has finished the previous phase
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
