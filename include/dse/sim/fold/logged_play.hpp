#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/play_record.hpp"
#include "dse/sim/fold/region_path.hpp"

namespace dse::sim::fold {

/// One of the ends of a piece of a stage's program: when a stream is free, or an output is there. Piece 0 is
/// the update, then come the tasks, and at last the finish.
struct PieceExit {
    std::uint32_t stage{0};
    std::size_t piece{0};
    std::size_t number{0};  ///< of the streams, and then of the region's outputs
};

/// An iteration that was played, with the state in which each task was entered, for going back through it.
class LoggedPlay {
  public:
    /// The arguments must outlive this object.
    /// \param paths   for these durations
    /// \param record  of the play with these durations
    LoggedPlay(const graph::Graph& graph, const Durations& durations, RegionPaths& paths,
               const PlayRecord& record)
        : graph_{&graph}, durations_{&durations}, paths_{&paths}, record_{&record} {}

    [[nodiscard]] const graph::Graph& graph() const { return *graph_; }
    [[nodiscard]] const Durations& durations() const { return *durations_; }
    [[nodiscard]] RegionPaths& paths() const { return *paths_; }
    [[nodiscard]] const PlayRecord& record() const { return *record_; }
    [[nodiscard]] std::span<const graph::Task> tasks(std::uint32_t stage) const {
        return graph_->schedule.tasks[stage];
    }

    [[nodiscard]] graph::RegionId region_of(std::uint32_t stage, std::size_t piece) const;
    /// Whether a piece is a finish that begins when another stage is there, too (graph::meeting_pairs).
    [[nodiscard]] bool meets(std::uint32_t stage, std::size_t piece) const;
    /// When the compute stream is free for a piece, or behind the last one.
    [[nodiscard]] double compute_free(std::uint32_t stage, std::size_t piece) const;
    /// \param inputs  set to those of the piece's region
    /// \return the region
    graph::RegionId read_inputs(std::uint32_t stage, std::size_t piece, std::vector<double>& inputs) const;
    /// When the streams are free at the end of a stage's tasks, before it meets another stage.
    void read_streams_at_end(std::uint32_t stage, std::vector<double>& streams) const;
    /// \param inputs  set to those of the piece. The result is valid until the times change.
    const RegionPath& path_to(const PieceExit& exit, std::vector<double>& inputs) const;

    /// Whether a piece would have come to the exit as late if all but its compute stream had been free.
    bool waited_for_compute_only(const PieceExit& exit, std::vector<double>& inputs) const;

    /// The first of the streams that are free last, the compute stream before all others.
    [[nodiscard]] std::size_t last_stream(std::uint32_t stage) const;
    /// The pass of the microbatch before this one, which saved a value. \param port  of the task's region
    [[nodiscard]] PieceExit saved_by(std::uint32_t stage, std::size_t piece, std::size_t port) const;
    /// Position of a task, which is looked for back from `near`.
    [[nodiscard]] std::size_t position_of(std::uint32_t stage, const graph::Task& task,
                                          std::size_t near) const;

    /// Position of the last task before another one, or behind the last, that sends a message on a lane.
    [[nodiscard]] std::size_t sent_before(std::uint32_t stage, std::size_t position,
                                          std::uint32_t lane_end) const;

    /// A message on its way, as far as it is known who waits for it.
    struct Arriving {
        std::uint32_t stage{0};  ///< that receives it
        graph::Task task;        ///< likewise
        graph::Peer sender;
        std::uint32_t lane_end{0};  ///< of the sender
        std::uint32_t slot{0};
        Message times;
    };
    /// The message that a task receives.
    [[nodiscard]] Arriving arriving(std::uint32_t stage, std::size_t position) const;

  private:
    void read_log(std::uint32_t stage, std::size_t piece, std::span<double> inputs) const;

    const graph::Graph* graph_;
    const Durations* durations_;
    RegionPaths* paths_;
    const PlayRecord* record_;
};

}  // namespace dse::sim::fold
