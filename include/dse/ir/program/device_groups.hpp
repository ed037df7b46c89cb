#pragma once

#include <cstdint>
#include <vector>

namespace dse::ir {

/// Which devices (or replicas) meet in a collective: `number` groups of `size` members each.
///
/// Regular groups are kept as XLA's second form writes them, an iota that is reshaped, transposed and
/// reshaped again, so that 32,768 devices take no more memory than 8; irregular ones as lists.
class DeviceGroups {
  public:
    /// One group of everybody, however many there are: HLO's `{}`.
    DeviceGroups() = default;
    /// Members 0 … n − 1 laid out over `tile` (row-major), its dimensions reordered by `order` (as a
    /// transpose: new dimension i is old dimension order[i]), then cut into `number` groups of `size`,
    /// row-major. \pre product of tile = number × size; order permutes the dimensions of tile, or is empty
    /// (identity)
    static DeviceGroups iota(std::int64_t number, std::int64_t size, std::vector<std::int64_t> tile,
                             std::vector<std::int64_t> order);
    static DeviceGroups list(std::vector<std::vector<std::int64_t>> groups);

    /// No groups are stated.
    [[nodiscard]] bool everybody() const { return number_ == 0; }
    /// Groups; of everybody: 1.
    [[nodiscard]] std::int64_t number() const { return everybody() ? 1 : number_; }
    /// Members of the largest group. \param devices  how many there are, where everybody meets
    [[nodiscard]] std::int64_t size(std::int64_t devices) const { return everybody() ? devices : size_; }
    /// The largest number of a device that is named; −1 of everybody.
    [[nodiscard]] std::int64_t last_device() const;
    /// Every group's members in their order. \param devices  likewise
    [[nodiscard]] std::vector<std::vector<std::int64_t>> members(std::int64_t devices) const;

    friend bool operator==(const DeviceGroups&, const DeviceGroups&) = default;

  private:
    std::int64_t number_{0};
    std::int64_t size_{0};
    std::vector<std::int64_t> tile_;
    std::vector<std::int64_t> order_;
    std::vector<std::vector<std::int64_t>> lists_;
};

}  // namespace dse::ir
