#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dse/netsim/astra/events.hpp"
#include "dse/sim/replay/machine_replay.hpp"
#include "dse/sim/replay/node_span.hpp"
#include "sim/replay/issue_queue.hpp"
#include "sim/replay/lane_table.hpp"
#include "sim/replay/machine_wires.hpp"

namespace dse::sim::replay {

/// What ranks with the same trace share.
struct RankProgram {
    LaneTable lanes;
    DependencyTable table;
    bool has_times;  ///< whether some node has a duration, or operations and bytes

    /// \throws InputError naming nodes with cyclic dependencies
    RankProgram(const trace::chakra::RankTrace& rank, Dependencies dependencies);
};
class JobPrograms {
  public:
    /// \throws InputError as RankProgram does
    JobPrograms(std::span<const trace::chakra::RankTrace> ranks, Dependencies dependencies);
    [[nodiscard]] const RankProgram& of(const trace::chakra::RankTrace& rank) const {
        return *programs_.at(rank.trace.get());
    }

  private:
    std::map<const trace::chakra::Trace*, std::unique_ptr<RankProgram>> programs_;
};

/// One iteration of a job, replayed beside whatever else uses the same clock.
class JobReplay {
  public:
    /// \param job, programs, times, wires, events  must outlive this object
    /// \param observe  told of every node; may be empty
    JobReplay(const MachineJob& job, const JobPrograms& programs, NodeTimes& times, MachineWires& wires,
              netsim::AstraEvents& events, SpanObserver observe = {});
    // Events that follow refer to it.
    JobReplay(const JobReplay&) = delete;
    JobReplay& operator=(const JobReplay&) = delete;

    /// Begins at the present time.
    /// \throws InputError as replay_on_machine() does, here and in the events that follow
    void begin();
    [[nodiscard]] bool has_ended() const { return ranks_left_ == 0; }
    /// Whether nothing will happen any more, although it has not ended.
    [[nodiscard]] bool is_stuck() const { return !has_ended() && under_way_ == 0; }
    /// \throws InputError with what each rank waits for, unless it has ended
    void check_ended() const;
    /// Time since its beginning. \pre has_ended()
    [[nodiscard]] Seconds time() const;
    [[nodiscard]] std::vector<MachineRank> results() const;

  private:
    using Action = netsim::AstraEvents::Action;
    using Ticks = netsim::Ticks;
    using Communication = trace::chakra::Communication;
    using TraceStep = trace::chakra::TraceStep;

    /// Sums up how long kernels were running, and how long only other nodes were.
    class Usage {
      public:
        void begin(Ticks now, bool kernel) { count(now, kernel) += 1; }
        void end(Ticks now, bool kernel) { count(now, kernel) -= 1; }
        [[nodiscard]] Ticks compute() const { return compute_; }
        [[nodiscard]] Ticks exposed() const { return exposed_; }

      private:
        int& count(Ticks now, bool kernel);

        Ticks last_{0};
        Ticks compute_{0};
        Ticks exposed_{0};
        int kernels_{0};
        int others_{0};
    };
    struct NodeAtWork {
        std::uint32_t node;
        Ticks start;
        Ticks met;  ///< see NodeSpan
    };
    struct Rank {
        const RankProgram* program;
        IssueQueue queue;
        Usage usage;
        std::map<const std::vector<std::int64_t>*, std::uint64_t> met;  ///< collectives so far, by group
        Ticks finish{0};
        std::vector<NodeAtWork> at_work;
        bool ended{false};
    };
    /// A collective whose members arrive one after the other.
    struct Meeting {
        Communication first;
        std::vector<std::pair<std::size_t, std::uint32_t>> came;  ///< rank and node
    };
    /// Messages with the same ends, tag and size.
    struct Channel {
        std::size_t arrived{0};       ///< messages not yet received
        std::deque<Action> awaiting;  ///< receives without a message
    };
    using ChannelKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

    [[nodiscard]] const TraceStep& step_of(std::size_t rank, std::uint32_t node) const;
    [[nodiscard]] Lane lane(std::size_t rank, std::uint32_t node) const;
    void pass(std::size_t rank);
    void issue(std::size_t rank, std::uint32_t node);
    void begin(std::size_t rank, std::uint32_t node, const TraceStep& step);
    void end_after(std::size_t rank, std::uint32_t node, Seconds time);
    void has_met(std::size_t rank, std::uint32_t node);
    void end(std::size_t rank, std::uint32_t node);
    void tell(std::size_t rank, const NodeAtWork& work) const;
    [[nodiscard]] const Communication& said(std::size_t rank, std::uint32_t node) const;
    [[nodiscard]] const std::vector<std::int64_t>& members(std::size_t rank,
                                                           const Communication& communication) const;
    void meet(std::size_t rank, std::uint32_t node);
    [[nodiscard]] ChannelKey channel(std::size_t rank, std::uint32_t node) const;
    void send(std::size_t rank, std::uint32_t node);
    void receive(std::size_t rank, std::uint32_t node);
    [[nodiscard]] std::string place(std::size_t rank, std::uint32_t node) const;
    [[nodiscard]] std::string waiting(std::size_t rank) const;

    std::span<const trace::chakra::RankTrace> traces_;
    const trace::chakra::Groups& groups_;
    NodeTimes& times_;
    MachineWires& wires_;
    netsim::AstraEvents& events_;
    SpanObserver observe_;
    Ticks begun_{0};
    std::size_t ranks_left_;
    std::size_t under_way_{0};  ///< nodes that end by themselves
    std::vector<Rank> ranks_;
    std::map<std::pair<const std::vector<std::int64_t>*, std::uint64_t>, Meeting> meetings_;
    std::map<ChannelKey, Channel> channels_;
};

}  // namespace dse::sim::replay
