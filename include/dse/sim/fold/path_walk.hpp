#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/logged_play.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim::fold {

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
    using Exit = PieceExit;
    using Arriving = LoggedPlay::Arriving;
    /// Who ends last of a stage, and when.
    struct LastArrival {
        Exit exit;
        double end{0};
    };

    bool go_back(Exit& exit);
    void charge_path(const RegionPath& path, graph::RegionId region, Place place);
    void charge(graph::WorkId work, Place place, double start);
    bool go_to_meeting(Exit& exit);
    LastArrival last_arrival(std::uint32_t stage);
    double end_of_occupant(Exit exit, double free);
    bool go_to_sender(Exit& exit);
    bool find_sent_before(Arriving& message);
    bool find_received_before(Arriving& message);
    void charge_received(const Arriving& message);
    [[nodiscard]] std::size_t position_of(std::uint32_t stage, const graph::Task& task) const;

    const LoggedPlay* play_{nullptr};
    PathLedger* ledger_{nullptr};
    std::vector<double> inputs_;
    std::vector<std::size_t> reached_;  // by stage: the piece where the path was last
    double until_{0};                   // what is charged next ends there
};

}  // namespace dse::sim::fold
