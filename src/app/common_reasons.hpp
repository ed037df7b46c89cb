#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Rows that have no answer for the same reason, up to the numbers in it.
struct CommonReason {
    std::uint64_t rows{0};
    std::string example;  ///< the first of them, in full
};

/// Watches rows go by and counts why they have no answer. Numbers in a reason differ from point to point, so
/// those of one status that begin alike up to the first digit count together.
class CommonReasons {
  public:
    void add(const results::Table& block);

    /// The commonest first. \param counts  whether rows of a status are looked at
    [[nodiscard]] std::vector<CommonReason> ordered(const std::function<bool(space::Status)>& counts) const;

    /// Beginnings that are told apart; of more, the later ones are not counted.
    static constexpr std::size_t most_beginnings = 4096;

  private:
    std::map<std::pair<space::Status, std::string>, CommonReason> by_start_;
};

}  // namespace dse::app
