#include "dse/sim/fold/abreast_log.hpp"

namespace dse::sim::fold {

void AbreastLog::reset(std::size_t stages, std::size_t most_numbers, std::size_t slots) {
    stride_ = most_numbers * abreast;
    if (tasks_.size() < stages) tasks_.resize(stages);
    used_.assign(stages, 0);
    if (messages_.size() < slots * 3 * abreast) messages_.resize(slots * 3 * abreast);
    jumps_.clear();
}

void AbreastLog::leave_out(const Jump& jump, const Times& shift, std::span<const std::uint8_t> moving,
                           std::size_t numbers) {
    jumps_.assign(1, jump);
    shift_ = shift;
    moving_.assign(moving.begin(), moving.end());
    moving_numbers_ = numbers;
}

}  // namespace dse::sim::fold
