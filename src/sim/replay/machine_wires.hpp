#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dse/netsim/astra/events.hpp"
#include "dse/netsim/shared_links.hpp"
#include "dse/sim/replay/node_times.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// Ticks of the time quantum, in which replays on machines count, so that sums are exact.
/// \throws ModelError for a time that is too long (12 days)
netsim::Ticks quanta(Seconds time);
Seconds seconds_of(netsim::Ticks quanta);

/// What carries the communication of a job.
class MachineWires {
  public:
    using Action = netsim::AstraEvents::Action;

    MachineWires() = default;
    MachineWires(const MachineWires&) = delete;
    MachineWires& operator=(const MachineWires&) = delete;
    virtual ~MachineWires() = default;

    /// Starts a collective now.
    /// \param size  as in traces
    /// \param members  ranks, at least two
    /// \param ended  called when it has ended
    /// \throws ModelError if the network does not support it
    virtual void collective(trace::chakra::CommType type, std::int64_t size,
                            std::span<const std::int64_t> members, Action ended) = 0;
    /// Sends a message now. \param ended  called when it has arrived
    virtual void message(std::int64_t from, std::int64_t to, std::int64_t bytes, Action ended) = 0;
};

/// Collectives and messages take their time on an idle network: nothing slows anything else down.
class IdleWires final : public MachineWires {
  public:
    IdleWires(NodeTimes& times, netsim::AstraEvents& events) : times_{times}, events_{events} {}
    void collective(trace::chakra::CommType type, std::int64_t size, std::span<const std::int64_t> members,
                    Action ended) override;
    void message(std::int64_t from, std::int64_t to, std::int64_t bytes, Action ended) override;

  private:
    NodeTimes& times_;
    netsim::AstraEvents& events_;
};

/// All that is in flight on a machine, with what happens when it ends.
class LinksInUse {
  public:
    using Action = netsim::AstraEvents::Action;

    LinksInUse(netsim::SharedLinks& links, netsim::AstraEvents& events) : links_{links}, events_{events} {}
    [[nodiscard]] netsim::SharedLinks& links() { return links_; }
    void when_ended(netsim::SharedLinks::Number number, Action ended);
    /// Runs the next event, or lets the links end what ends next. \pre there is either
    void run_next();

    [[nodiscard]] netsim::AstraEvents& events() { return events_; }

  private:
    netsim::SharedLinks& links_;
    netsim::AstraEvents& events_;
    std::vector<Action> ended_;  ///< by number
};

/// Collectives and messages share the machine's links with all others, also those of other jobs.
class SharedWires final : public MachineWires {
  public:
    /// \param devices  of the job, by rank
    SharedWires(LinksInUse& links, std::span<const std::int64_t> devices)
        : links_{links}, devices_{devices} {}
    void collective(trace::chakra::CommType type, std::int64_t size, std::span<const std::int64_t> members,
                    Action ended) override;
    void message(std::int64_t from, std::int64_t to, std::int64_t bytes, Action ended) override;

  private:
    [[nodiscard]] std::int64_t device(std::int64_t rank) const {
        return devices_[static_cast<std::size_t>(rank)];
    }

    LinksInUse& links_;
    std::span<const std::int64_t> devices_;
};

}  // namespace dse::sim::replay
