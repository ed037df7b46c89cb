#pragma once

#include <cstdint>
#include <vector>

namespace dse::ir {

/// The groups of devices (or replicas) of a collective: `number` groups of `size` members each.
///
/// Regular groups are stored as XLA's second form writes them: an iota that is reshaped, transposed and
/// reshaped again, so that 32,768 devices take no more memory than 8. Irregular groups are stored as lists.
class DeviceGroups {
  public:
    /// A single group of all devices, whatever their number: HLO's `{}`.
    DeviceGroups() = default;
    /// Members 0 … n − 1 in row-major order over `tile`, its dimensions permuted by `order` (as in a
    /// transpose: new dimension i is old dimension order[i]), then divided into `number` groups of `size` in
    /// row-major order.
    /// \pre product of tile = number × size; order is a permutation of the dimensions of tile, or empty
    ///      (identity)
    static DeviceGroups iota(std::int64_t number, std::int64_t size, std::vector<std::int64_t> tile,
                             std::vector<std::int64_t> order);
    static DeviceGroups list(std::vector<std::vector<std::int64_t>> groups);

    /// Whether no groups are stated.
    [[nodiscard]] bool everybody() const { return number_ == 0; }
    /// Number of groups; 1 for everybody().
    [[nodiscard]] std::int64_t number() const { return everybody() ? 1 : number_; }
    /// Members of the largest group. \param devices  total number of devices, for everybody()
    [[nodiscard]] std::int64_t size(std::int64_t devices) const { return everybody() ? devices : size_; }
    /// The largest device number that occurs; −1 for everybody().
    [[nodiscard]] std::int64_t last_device() const;
    /// The members of every group, in order. \param devices  total number of devices, for everybody()
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
