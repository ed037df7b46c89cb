#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/arrival.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/waits.hpp"

namespace dse::sim::fold {

/// Cached results of running one region, keyed by the state in which it was entered. States are relative to
/// the entry: 0 is when the compute stream was free. The latest `capacity` entries are kept.
class RegionMemo {
  public:
    struct Entry {
        std::span<const Arrival> exit;  ///< streams, then outputs
        const Parts* parts{nullptr};
        std::span<const Waits::Stretch> waits;  ///< of the compute stream for others, where they were noted
    };
    static constexpr std::uint64_t none = static_cast<std::uint64_t>(-1);

    /// Removes all entries but keeps the memory.
    void reset(std::size_t key_size, std::size_t exit_size);
    /// \return number of the entry with this key, or `none`. Numbers are never reused.
    [[nodiscard]] std::uint64_t find(std::span<const Arrival> key) const;
    /// Valid until the next insert().
    [[nodiscard]] Entry at(std::uint64_t number) const;
    /// \return the number of the new entry
    std::uint64_t insert(std::span<const Arrival> key, std::span<const Arrival> exit, const Parts& parts,
                         const Waits& waits);

  private:
    static constexpr std::uint64_t capacity = 32;
    static std::uint64_t digest(std::span<const Arrival> key);

    std::size_t key_size_{0};
    std::size_t exit_size_{0};
    std::uint64_t next_{0};
    std::array<std::uint64_t, capacity> digests_{};
    std::vector<Arrival> keys_;
    std::vector<Arrival> exits_;
    std::vector<Parts> parts_;
    std::vector<Waits> waits_;
};

}  // namespace dse::sim::fold
