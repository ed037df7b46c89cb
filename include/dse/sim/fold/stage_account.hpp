#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/sim/fold/message_view.hpp"
#include "dse/sim/fold/region_player.hpp"
#include "dse/sim/timeline.hpp"

namespace dse::sim::fold {

/// Simulates the iteration of one stage node by node, given the times of its messages, and accounts for the
/// time of its compute stream; on request, records every node.
class StageAccount {
  public:
    /// \param messages  of all stages
    /// \param timeline  filled where it is not null
    /// \param waits     filled where it is not null
    /// \return parts, without the barrier
    Parts play(const graph::Graph& graph, const Durations& durations, std::uint32_t stage,
               const RegionTable& table, const MessageView& messages, Timeline* timeline, Waits* waits);

    /// What play() returned.
    [[nodiscard]] const Parts& parts() const { return parts_; }
    /// When the stage's last stream was free, after play().
    [[nodiscard]] double last_stream() const { return last_stream_; }
    [[nodiscard]] std::uint64_t node_visits() const { return player_.node_visits(); }

  private:
    /// State of the stage at the start of a period, as far as its further behaviour depends on it.
    struct Mark {
        Parts parts;
        double compute_free{0};
        std::vector<Arrival> state;
    };

    void start();
    void play_tasks(std::size_t begin, std::size_t end);
    std::size_t pass(const MessageView::Passage& passage);
    void mark(const MessageView::Passage& passage);
    void shift(const MessageView::Passage& passage, std::uint32_t periods);
    template <class Visit>
    void visit_state(const MessageView::Passage& passage, Visit visit);
    void meet(double time);
    void close();
    void play_task(std::size_t position);
    void play_pair(std::size_t position);
    void play_ports(const graph::Task& task);
    void play_region(graph::RegionId region);
    std::vector<Arrival>& saved_of(const graph::Task& task) {
        return saved_[std::size_t{task.chunk} * graph_->schedule.microbatches + task.microbatch];
    }
    void count_done(const graph::Task& task);
    /// Number of lanes that have their own queues.
    [[nodiscard]] std::size_t lanes() const { return graph_->message_stream ? 0 : graph::most_lanes; }
    [[nodiscard]] std::size_t lane_of(const graph::Task& task) const {
        return graph::lane_of(task, graph_->schedule);
    }
    [[nodiscard]] std::uint32_t lane_end(std::uint32_t stage, const graph::Task& task) const {
        return graph::lane_end(stage, graph::lane_of(task, graph_->schedule), graph_->schedule);
    }
    Arrival boundary_of(const graph::Task& task, std::size_t position);
    void hand_on(const graph::Task& task, const Arrival& value);
    void send(const graph::Task& task, const Arrival& value);
    void record_transfer(const Message& message, const graph::Task& task, std::size_t stream, double hold);
    Arrival& local(const graph::Task& task);

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    const MessageView* messages_{nullptr};
    std::uint32_t stage_{0};
    std::uint32_t program_{0};
    std::array<std::uint32_t, graph::most_lanes> sent_{};
    RegionPlayer player_;
    Timeline* timeline_{nullptr};
    Waits* waits_{nullptr};
    Parts parts_;
    std::vector<Arrival> streams_;
    std::array<Arrival, graph::most_lanes> send_stream_;
    std::array<Arrival, graph::most_lanes> receive_stream_;
    std::vector<Arrival> ports_;
    std::vector<Arrival> outputs_;
    std::vector<Arrival> local_;
    std::vector<std::vector<Arrival>> saved_;  // by chunk and microbatch
    std::vector<std::uint32_t> done_;          // by chunk: number of forward passes, of last passes
    Mark mark_;
    Mark mark_before_;
    double last_stream_{0};
};

}  // namespace dse::sim::fold
