#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/message_view.hpp"
#include "dse/sim/fold/region_path.hpp"
#include "dse/sim/fold/task_log.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim::fold {

/// An iteration that was played, with the state in which each task was entered.
struct LoggedPlay {
    const graph::Graph& graph;
    const Durations& durations;
    const RegionTable& table;
    RegionOperators& operators;  ///< for these durations
    MessageView messages;
    const TaskLog& log;
};

/// Follows the critical path (sim::critical_path) of an iteration from its end to its start, task by task.
class PathWalk {
  public:
    /// Whether paths of this graph can be followed so: not where messages hold compute streams or share a
    /// queue with nodes, or where tasks are played in turns.
    static bool can_follow(const graph::Graph& graph, const Durations& durations);

    /// \param last    stage (sim::Result::last_stage)
    /// \param end     when it arrives at the barrier
    /// \param ledger  charged with all works of the path
    /// \return false where the path ends with a message, which nobody waits for; nothing is charged then
    bool run(const LoggedPlay& play, std::uint32_t last, double end, PathLedger& ledger);

  private:
    /// One of the ends of a piece of a stage's program: when a stream is free, or an output is there. Piece 0
    /// is the update, then come the tasks, and at last the finish.
    struct Exit {
        std::uint32_t stage{0};
        std::size_t piece{0};
        std::size_t number{0};  ///< of the streams, and then of the region's outputs
    };
    struct Arriving;
    /// Who ends last of a stage, and when.
    struct LastArrival {
        Exit exit;
        double end{0};
    };

    [[nodiscard]] std::span<const graph::Task> tasks(std::uint32_t stage) const {
        return play_->graph.schedule.tasks[stage];
    }
    [[nodiscard]] graph::RegionId region_of(std::uint32_t stage, std::size_t piece) const;
    graph::RegionId enter(std::uint32_t stage, std::size_t piece);
    const RegionPath& path_to(const Exit& exit);
    [[nodiscard]] std::size_t last_stream(std::uint32_t stage) const;
    bool go_back(Exit& exit);
    void charge_path(const RegionPath& path, Place place);
    void charge(graph::WorkId work, Place place, double start);
    [[nodiscard]] bool meets(std::uint32_t stage, std::size_t piece) const;
    bool go_to_meeting(Exit& exit);
    LastArrival last_arrival(std::uint32_t stage);
    double end_of_occupant(Exit exit, double free);
    void go_to_saved(Exit& exit, std::size_t port);
    bool go_to_sender(Exit& exit);
    [[nodiscard]] Arriving arriving(std::uint32_t stage, std::size_t position) const;
    bool find_sent_before(Arriving& message);
    bool find_received_before(Arriving& message);
    void charge_received(const Arriving& message);
    [[nodiscard]] std::size_t position_of(std::uint32_t stage, const graph::Task& task) const;

    const LoggedPlay* play_{nullptr};
    PathLedger* ledger_{nullptr};
    RegionPaths paths_;
    std::vector<double> inputs_;
    std::vector<std::size_t> reached_;  // by stage: the piece where the path was last
    double until_{0};                   // what is charged next ends there
};

}  // namespace dse::sim::fold
