#pragma once

#include "dse/sim/fold/message_view.hpp"
#include "dse/sim/fold/play_record.hpp"
#include "dse/sim/fold/task_log.hpp"

namespace dse::sim::fold {

/// What SchedulePlayer played. The arguments must outlive this object.
class PlayedAlone final : public PlayRecord {
  public:
    PlayedAlone(const MessageView& messages, const TaskLog& log) : messages_{messages}, log_{&log} {}

    [[nodiscard]] const ScheduleProgram& program() const override { return player().program(); }
    void read_task(std::uint32_t stage, std::size_t position, std::span<double> inputs) const override {
        log_->read(program().steady(), messages_.jump().jumps(), stage, position, inputs);
    }
    [[nodiscard]] Message message(std::uint32_t sender, std::uint32_t slot) const override {
        return messages_.at(sender, slot);
    }
    [[nodiscard]] double stream_free(std::uint32_t stage, std::size_t stream) const override {
        return player().state().streams(stage)[stream];
    }
    [[nodiscard]] double send_free(std::uint32_t lane_end) const override {
        return player().state().send_free(lane_end);
    }
    [[nodiscard]] double receive_free(std::uint32_t lane_end) const override {
        return player().state().receive_free(lane_end);
    }
    [[nodiscard]] double last_stream(std::uint32_t stage) const override {
        return player().last_stream(stage);
    }
    [[nodiscard]] double meets_at(std::uint32_t stage) const override { return player().meets_at(stage); }

  private:
    [[nodiscard]] const SchedulePlayer& player() const { return messages_.player(); }

    MessageView messages_;
    const TaskLog* log_;
};

}  // namespace dse::sim::fold
