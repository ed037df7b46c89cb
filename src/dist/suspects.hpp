#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "dse/dist/message.hpp"
#include "dse/results/interval_set.hpp"

namespace dse::dist {

/// Points that took processes along. One that did so once is tried again, after all others; twice, never.
class Suspects {
  public:
    /// What earlier runs have left in a folder; nothing for an empty path.
    /// \param open  indices that are not settled: of others, nothing is suspected any more
    Suspects(std::filesystem::path folder, const results::IntervalSet& open);

    [[nodiscard]] std::vector<std::uint64_t> once() const;
    [[nodiscard]] std::vector<std::uint64_t> condemned() const;

    [[nodiscard]] bool is_condemned(std::uint64_t index) const {
        const auto found = losses_.find(index);
        return found != losses_.end() && found->second >= most_losses;
    }

    /// The point of a range that a lost rank was at, if it is known.
    [[nodiscard]] std::optional<std::uint64_t> at_work(int rank, const Range& range) const;

    /// A process was lost at this point.
    /// \return whether that was the last time
    bool strike(std::uint64_t index) { return ++losses_[index] >= most_losses; }

  private:
    static constexpr int most_losses = 2;
    [[nodiscard]] std::vector<std::uint64_t> with(bool (*wanted)(int losses)) const;

    std::filesystem::path folder_;
    std::map<std::uint64_t, int> losses_;
};

}  // namespace dse::dist
