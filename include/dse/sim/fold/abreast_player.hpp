#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/abreast.hpp"
#include "dse/sim/fold/abreast_beginnings.hpp"
#include "dse/sim/fold/abreast_log.hpp"
#include "dse/sim/fold/abreast_steps.hpp"
#include "dse/sim/fold/region_operators.hpp"
#include "dse/sim/fold/region_table.hpp"
#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// Simulates a schedule once for several sets of durations of one graph, so that each step is looked up only
/// once for all of them. If a round of the steady phase has shifted everything by one time in each
/// evaluation, the rounds that follow it are skipped (docs/theory/folding.md). Likewise, a simulation whose
/// numbers differ from those of an earlier one only in what follows AbreastSteps::before_last_passes, or in
/// when the streams are free at its start, ends as soon as the two states differ by one time.
class AbreastPlayer {
  public:
    /// Starts anew. The arguments must outlive the simulation.
    /// \param number  of the program (SchedulePrograms::latest_number)
    void reset(const graph::Graph& graph, const ScheduleProgram& program, std::uint64_t number,
               const AbreastSteps& steps, const RegionTable& table);

    /// Sets the durations of the evaluations.
    /// \param durations  in all of them, the same messages block their senders (see ScheduleProgram)
    /// \param regions    operators for these durations; used only during the call
    void set(const AbreastOperators::AllDurations& durations, AbreastOperators& regions);

    /// \param log  filled where it is not null, of a schedule that does not overlap tasks
    ///             (graph::overlaps_tasks). No earlier simulation is continued then.
    void play(AbreastLog* log = nullptr);

    // Of evaluation `which`, after play():

    /// When the last stream of a stage is free.
    [[nodiscard]] double last_stream(std::uint32_t stage, std::size_t which) const;
    [[nodiscard]] double stream_free(std::uint32_t stage, std::size_t stream, std::size_t which) const {
        return this->stream(stage, places_[stream])[which];
    }
    [[nodiscard]] double send_free(std::uint32_t lane_end, std::size_t which) const {
        return send_free_[lane_end * abreast + which];
    }
    [[nodiscard]] double receive_free(std::uint32_t lane_end, std::size_t which) const {
        return receive_free_[lane_end * abreast + which];
    }
    /// SchedulePlayer::meets_at
    [[nodiscard]] double meets_at(std::uint32_t stage, std::size_t which) const;

    [[nodiscard]] const ScheduleProgram& program() const { return *program_; }
    /// By stream: its place in the states that are logged. Tasks use those in the first places.
    [[nodiscard]] std::span<const std::size_t> places() const { return places_; }
    [[nodiscard]] std::size_t used_streams() const { return used_; }

    /// Number of steps that the last play() simulated.
    [[nodiscard]] std::size_t played_steps() const { return played_steps_; }

  private:
    struct Map {
        graph::RegionId region;
        std::uint32_t program{0};
        bool of_task{false};   ///< maps only the streams that tasks use; otherwise all streams
        std::size_t first{0};  ///< place of the first stream that may change; those before it do not
        std::size_t inputs{0};
        std::size_t outputs{0};
        std::size_t numbers{0};  ///< offset into numbers_
        std::uint64_t uses{0};   ///< streams that the region uses or blocks, as bits
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void lay_out(AbreastOperators& regions);
    void order_streams(AbreastOperators& regions);
    void make_room();
    std::uint32_t add(graph::RegionId region, std::uint32_t program, bool of_task, AbreastOperators& regions);
    void fill(const Map& map, AbreastOperators& regions);
    [[nodiscard]] std::size_t in_region(const Map& map, std::size_t i) const;
    [[nodiscard]] std::size_t first_changed(std::uint64_t streams) const;
    void set_transfers(std::size_t which, const Durations& durations);
    template <class Visit>
    void for_each_task_region(Visit visit) const;

    void play_beginning();
    void play_to_checkpoints(const AbreastBeginnings::Numbers* known);
    void read_beginning();
    void add_first_passes(std::vector<double>& numbers);
    template <class Chosen>
    void add_maps(std::vector<double>& numbers, Chosen chosen);
    void play_all_rounds(std::size_t end);
    void play_from_first_round(std::size_t end);
    bool leave_out_rounds(std::uint32_t mark);
    template <class Visit>
    void visit_state(std::span<const LivePlace> live, Visit visit);
    void gather(std::span<const LivePlace> live, std::vector<double>& numbers);
    [[nodiscard]] std::size_t state_size(std::span<const LivePlace> live);
    void shift_state(std::span<const LivePlace> live, const double* from,
                     const std::array<double, abreast>& by);
    template <class Uses>
    void find_moving(Uses uses, std::span<const std::uint8_t> sends, std::span<const std::uint8_t> receives,
                     std::size_t live);
    void find_moving_after(const AbreastCheckpoint& checkpoint, std::size_t numbers);
    void find_moving_in_rounds(std::size_t numbers);
    bool find_shift(const double* before, const double* now, std::size_t numbers);
    void play_steps(std::size_t begin, std::size_t end);
    template <bool logs>
    void play_each_step(std::size_t begin, std::size_t end);
    void log_task(const AbreastStep& step);
    void log_finish(std::uint32_t stage);
    void play_all_streams(std::uint32_t stage, std::uint32_t map);
    void meet();
    void play_task(const AbreastStep& step);
    void play_pair(const AbreastStep& step, const AbreastStep& second);
    void play_transfer(const AbreastStep& step);

    [[nodiscard]] const Map& map_of(const AbreastStep& step) const {
        return maps_[task_maps_[step.stage * program_->variants() + step.variant]];
    }
    [[nodiscard]] double* row(std::uint32_t stage) { return rows_.data() + stage * stride_; }
    [[nodiscard]] const double* row(std::uint32_t stage) const { return rows_.data() + stage * stride_; }
    [[nodiscard]] double* idle(std::uint32_t stage) {
        return idle_.data() + stage * (streams_.size() - used_) * abreast;
    }
    /// \param place  in streams_
    [[nodiscard]] double* stream(std::uint32_t stage, std::size_t place) {
        return place < used_ ? row(stage) + place * abreast : idle(stage) + (place - used_) * abreast;
    }
    [[nodiscard]] const double* stream(std::uint32_t stage, std::size_t place) const {
        return place < used_ ? row(stage) + place * abreast
                             : idle_.data() + (stage * (streams_.size() - used_) + place - used_) * abreast;
    }
    [[nodiscard]] std::size_t place_of(graph::StreamId stream) const;
    [[nodiscard]] double* message(std::uint32_t place) { return messages_.data() + place * abreast; }
    [[nodiscard]] double* saved(std::uint32_t place) { return saved_.data() + place * saved_a_pass_; }

    const graph::Graph* graph_{nullptr};
    const ScheduleProgram* program_{nullptr};
    std::uint64_t number_{0};
    const AbreastSteps* steps_{nullptr};
    const RegionTable* table_{nullptr};

    std::vector<std::size_t> streams_;  // those that tasks use, most frequently used last; then the others
    std::vector<std::size_t> places_;   // by stream: index in streams_
    std::size_t used_{0};               // number of streams that tasks use
    std::size_t compute_{0};            // place of the compute stream
    std::size_t queue_{0};              // place of Graph::message_stream, if there is one
    std::vector<Map> maps_;
    std::vector<std::uint32_t> map_of_slot_;  // of tasks, by RegionTable::slot
    std::vector<std::uint32_t> task_maps_;    // by stage and variant
    std::vector<std::uint32_t> updates_;      // by stage program
    std::vector<std::uint32_t> finishes_;     // by stage program

    // The numbers of all evaluations, interleaved.
    std::vector<double> numbers_;  // maps, by output and input
    std::vector<double> forward_;  // durations of messages, by lane end
    std::vector<double> backward_;
    std::vector<double> forward_hold_;
    std::vector<double> backward_hold_;
    std::size_t stride_{0};
    std::size_t saved_a_pass_{0};
    std::vector<double> rows_;       // by stage: streams that tasks use, then space for the other inputs
    std::vector<double> idle_;       // by stage: the other streams
    std::vector<double> send_free_;  // by lane end
    std::vector<double> receive_free_;
    std::vector<double> messages_;               // by place: when the value is ready
    std::vector<double> saved_;                  // by place
    std::vector<std::size_t> columns_;           // in_region() of a map, by place
    std::vector<double> in_;                     // inputs of a map
    std::vector<double> out_;                    // outputs of a map
    std::vector<double> beginning_;              // key of AbreastBeginnings
    std::vector<std::uint8_t> is_in_beginning_;  // by map
    AbreastBeginnings beginnings_;
    std::vector<double> states_;        // at the checkpoints passed
    std::vector<std::uint8_t> moving_;  // of a state: what later steps read or write
    std::vector<double> before_;        // the state at the mark before
    std::vector<double> now_;
    std::array<double, abreast> shift_{};  // by which two states differ
    std::vector<double> meets_at_;         // by pair of stages
    AbreastLog* log_{nullptr};
    std::size_t played_steps_{0};
};

}  // namespace dse::sim::fold
