#include "dse/ir/program/device_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include "dse/base/check.hpp"

namespace dse::ir {
namespace {

// The transposed iota, in row-major order of the permuted dimensions.
std::vector<std::int64_t> transposed_iota(const std::vector<std::int64_t>& tile,
                                          const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> strides(tile.size(), 1);
    for (std::size_t i = tile.size(); i-- > 1;) strides[i - 1] = strides[i] * tile[i];
    std::vector<std::int64_t> values{0};
    for (const std::int64_t dimension : order) {
        const auto d = static_cast<std::size_t>(dimension);
        std::vector<std::int64_t> next;
        next.reserve(values.size() * static_cast<std::size_t>(tile[d]));
        for (const std::int64_t value : values)
            for (std::int64_t i = 0; i < tile[d]; ++i) next.push_back(value + i * strides[d]);
        values = std::move(next);
    }
    return values;
}

}  // namespace

DeviceGroups DeviceGroups::iota(std::int64_t number, std::int64_t size, std::vector<std::int64_t> tile,
                                std::vector<std::int64_t> order) {
    DSE_EXPECT(number > 0 && size > 0);
    DSE_EXPECT(std::accumulate(tile.begin(), tile.end(), std::int64_t{1}, std::multiplies<>{}) ==
               number * size);
    DeviceGroups result;
    result.number_ = number;
    result.size_ = size;
    result.tile_ = std::move(tile);
    result.order_ = std::move(order);
    if (result.order_.empty()) {
        result.order_.resize(result.tile_.size());
        std::iota(result.order_.begin(), result.order_.end(), std::int64_t{0});
    }
    return result;
}

DeviceGroups DeviceGroups::list(std::vector<std::vector<std::int64_t>> groups) {
    DeviceGroups result;
    result.number_ = static_cast<std::int64_t>(groups.size());
    for (const auto& group : groups)
        result.size_ = std::max(result.size_, static_cast<std::int64_t>(group.size()));
    result.lists_ = std::move(groups);
    return result;
}

std::int64_t DeviceGroups::last_device() const {
    if (lists_.empty()) return number_ * size_ - 1;
    std::int64_t last = -1;
    for (const auto& group : lists_)
        for (const std::int64_t member : group) last = std::max(last, member);
    return last;
}

std::vector<std::vector<std::int64_t>> DeviceGroups::members(std::int64_t devices) const {
    if (!lists_.empty()) return lists_;
    const std::int64_t each = size(devices);
    const std::vector<std::int64_t> values =
        everybody() ? transposed_iota({devices}, {0}) : transposed_iota(tile_, order_);
    std::vector<std::vector<std::int64_t>> result;
    for (auto begin = values.begin(); begin != values.end(); begin += each)
        result.emplace_back(begin, begin + each);
    return result;
}

}  // namespace dse::ir
