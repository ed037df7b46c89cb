#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "dse/dist/message.hpp"
#include "dse/results/interval_set.hpp"

namespace dse::dist {

/// Points whose evaluation ended a process. After one loss a point is tried again, after all others; after
/// two, never.
class Suspects {
  public:
    /// Reads what earlier runs have left in a folder; nothing for an empty path.
    /// \param open  indices that are not settled; others are no longer suspected
    Suspects(std::filesystem::path folder, const results::IntervalSet& open);

    [[nodiscard]] std::vector<std::uint64_t> once() const;
    [[nodiscard]] std::vector<std::uint64_t> condemned() const;

    [[nodiscard]] bool is_condemned(std::uint64_t index) const {
        const auto found = losses_.find(index);
        return found != losses_.end() && found->second >= most_losses;
    }

    /// The point of a range that a lost rank was evaluating, if known.
    [[nodiscard]] std::optional<std::uint64_t> at_work(int rank, const Range& range) const;

    /// Records that a process was lost at this point.
    /// \return whether the point is now condemned
    bool strike(std::uint64_t index) { return ++losses_[index] >= most_losses; }

  private:
    static constexpr int most_losses = 2;
    [[nodiscard]] std::vector<std::uint64_t> with(bool (*wanted)(int losses)) const;

    std::filesystem::path folder_;
    std::map<std::uint64_t, int> losses_;
};

}  // namespace dse::dist
