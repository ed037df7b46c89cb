#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Rows without an answer whose reasons are equal up to the numbers in them.
struct CommonReason {
    std::uint64_t rows{0};
    std::string example;  ///< the first of these reasons, in full
};

/// Counts the reasons why rows have no answer. Numbers in a reason differ from point to point, so reasons of
/// one status that are equal up to the first digit are counted together.
class CommonReasons {
  public:
    void add(const results::Table& block);

    /// Most frequent reason first. \param counts  whether rows with a status are included
    [[nodiscard]] std::vector<CommonReason> ordered(const std::function<bool(space::Status)>& counts) const;

    /// Largest number of distinct reasons; further ones are not counted.
    static constexpr std::size_t most_beginnings = 4096;

  private:
    std::map<std::pair<space::Status, std::string>, CommonReason> by_start_;
};

}  // namespace dse::app
