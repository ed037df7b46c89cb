#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/sim/fold/max_plus.hpp"

namespace dse::sim::fold {

/// A boundary value in transit. If it stays inside its stage or nobody reads it, there is no transfer, and
/// start and end equal `ready`.
struct Message {
    double ready{0};  ///< when its value was ready
    double start{0};
    double end{0};
};

/// Everything that the tasks of a schedule pass on to later tasks: either times, or the growth of each time
/// per period.
class ScheduleState {
  public:
    /// Sets all streams to 0. Nothing is allocated once the largest shape has been seen.
    /// \param lane_ends  lane ends of all stages
    /// \param streams    streams per stage
    /// \param saved      largest number of values that a pass saves for the next pass of its microbatch
    /// \param passes     chunks × microbatches
    /// \param slots      slots of messages
    void reset(std::size_t stages, std::size_t lane_ends, std::size_t streams, std::size_t saved,
               std::size_t passes, std::size_t slots) {
        saved_a_pass_ = saved;
        saved_a_stage_ = saved * passes;
        // A stage's row has space behind the streams for the other inputs and outputs of a task's operator.
        stride_ = padded(streams + 1 + saved);
        streams_.assign(stages * stride_, 0.0);
        send_free_.assign(lane_ends, 0.0);
        receive_free_.assign(lane_ends, 0.0);
        if (saved_.size() < stages * saved_a_stage_) saved_.resize(stages * saved_a_stage_);
        if (messages_.size() < slots) messages_.resize(slots);
    }

    [[nodiscard]] double* streams(std::size_t stage) { return streams_.data() + stage * stride_; }
    [[nodiscard]] const double* streams(std::size_t stage) const { return streams_.data() + stage * stride_; }
    [[nodiscard]] double& send_free(std::size_t lane_end) { return send_free_[lane_end]; }
    [[nodiscard]] double send_free(std::size_t lane_end) const { return send_free_[lane_end]; }
    [[nodiscard]] double& receive_free(std::size_t lane_end) { return receive_free_[lane_end]; }
    [[nodiscard]] double receive_free(std::size_t lane_end) const { return receive_free_[lane_end]; }
    [[nodiscard]] std::size_t lane_ends() const { return send_free_.size(); }
    /// \param pass  Step::microbatch
    [[nodiscard]] double* saved(std::size_t stage, std::size_t pass) {
        return saved_.data() + stage * saved_a_stage_ + pass * saved_a_pass_;
    }
    [[nodiscard]] Message& message(std::size_t slot) { return messages_[slot]; }
    [[nodiscard]] const Message& message(std::size_t slot) const { return messages_[slot]; }

  private:
    std::size_t stride_{0};
    std::size_t saved_a_pass_{0};
    std::size_t saved_a_stage_{0};
    std::vector<double> streams_;
    std::vector<double> send_free_;
    std::vector<double> receive_free_;
    std::vector<double> saved_;
    std::vector<Message> messages_;
};

}  // namespace dse::sim::fold
