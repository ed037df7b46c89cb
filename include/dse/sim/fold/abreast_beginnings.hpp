#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dse::sim::fold {

/// Cache of the states that simulations have reached part of the way through a schedule, by the numbers that
/// lead there. Layouts that differ only in what follows the last backward pass (ZeRO stages, the precision of
/// gradients) share most of their schedule.
class AbreastBeginnings {
  public:
    using Numbers = std::vector<double>;

    /// \return the states that were reached with exactly these numbers, valid until the next call of add();
    ///         nullptr if they are not known
    [[nodiscard]] const Numbers* find(const Numbers& key);

    /// Adds a beginning in place of the one with the same key, or of the one that was not used for the
    /// longest time.
    /// \return its states, for the caller to fill in
    Numbers& add(const Numbers& key);

  private:
    struct Entry {
        Numbers key;
        Numbers state;
        std::uint64_t last_use{0};
    };
    /// A layout on 12 machines takes three; the same layouts with overlapped communication come in between.
    static constexpr std::size_t capacity = 12;

    std::array<Entry, capacity> entries_;
    std::uint64_t uses_{0};
};

}  // namespace dse::sim::fold
