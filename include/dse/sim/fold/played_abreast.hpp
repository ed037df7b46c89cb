#pragma once

#include "dse/sim/fold/abreast_log.hpp"
#include "dse/sim/fold/abreast_player.hpp"
#include "dse/sim/fold/play_record.hpp"

namespace dse::sim::fold {

/// One of the evaluations that AbreastPlayer played together. The arguments must outlive this object.
class PlayedAbreast final : public PlayRecord {
  public:
    PlayedAbreast(const AbreastPlayer& player, const AbreastLog& log, std::size_t which)
        : player_{&player}, log_{&log}, which_{which} {}

    [[nodiscard]] const ScheduleProgram& program() const override { return player_->program(); }
    void read_task(std::uint32_t stage, std::size_t position, std::span<double> inputs) const override;
    [[nodiscard]] Message message(std::uint32_t sender, std::uint32_t slot) const override;
    [[nodiscard]] double stream_free(std::uint32_t stage, std::size_t stream) const override {
        return player_->stream_free(stage, stream, which_);
    }
    [[nodiscard]] double send_free(std::uint32_t lane_end) const override {
        return player_->send_free(lane_end, which_);
    }
    [[nodiscard]] double receive_free(std::uint32_t lane_end) const override {
        return player_->receive_free(lane_end, which_);
    }
    [[nodiscard]] double last_stream(std::uint32_t stage) const override {
        return player_->last_stream(stage, which_);
    }
    [[nodiscard]] double meets_at(std::uint32_t stage) const override {
        return player_->meets_at(stage, which_);
    }

  private:
    const AbreastPlayer* player_;
    const AbreastLog* log_;
    std::size_t which_;
};

}  // namespace dse::sim::fold
