#pragma once

#include <cstdint>
#include <vector>

namespace dse::sim::fold {

/// What a transfer waited for last (ties: the first of these).
enum class TransferLimit : std::uint8_t { value, send_stream, receive_stream };

/// A message between two stages.
struct Transfer {
    double ready{0};  ///< when its value was there
    double start{0};
    double end{0};
    TransferLimit limit{TransferLimit::value};
};

/// Messages of all stages in order: those that a stage sends, or those that it receives.
class TransferLog {
  public:
    /// \param most  messages a stage, at most
    void reset(std::size_t stages, std::size_t most) {
        // Not a power of two: stages that stand at the same message must not fight for the same cache lines.
        stride_ = most + 3;
        if (transfers_.size() < stages * stride_) transfers_.resize(stages * stride_);
    }
    [[nodiscard]] Transfer& at(std::size_t stage, std::size_t n) { return transfers_[stage * stride_ + n]; }
    [[nodiscard]] const Transfer& at(std::size_t stage, std::size_t n) const {
        return transfers_[stage * stride_ + n];
    }

  private:
    std::vector<Transfer> transfers_;
    std::size_t stride_{0};
};

}  // namespace dse::sim::fold
