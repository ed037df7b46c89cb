#include "dse/sim/fold/region_memo.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

void RegionMemo::reset(std::size_t key_size, std::size_t exit_size) {
    key_size_ = key_size;
    exit_size_ = exit_size;
    next_ = 0;
    // Grown once and then kept: entries must not allocate.
    keys_.resize(std::max(keys_.size(), capacity * key_size));
    exits_.resize(std::max(exits_.size(), capacity * exit_size));
    parts_.resize(capacity);
}

std::uint64_t RegionMemo::find(std::span<const Arrival> key) const {
    const std::uint64_t oldest = next_ > capacity ? next_ - capacity : 0;
    for (std::uint64_t number = next_; number-- > oldest;) {
        if (std::equal(key.begin(), key.end(), keys_.data() + number % capacity * key_size_)) return number;
    }
    return none;
}

RegionMemo::Entry RegionMemo::at(std::uint64_t number) const {
    const std::uint64_t place = number % capacity;
    return {{exits_.data() + place * exit_size_, exit_size_}, &parts_[place]};
}

std::uint64_t RegionMemo::insert(std::span<const Arrival> key, std::span<const Arrival> exit,
                                 const Parts& parts) {
    DSE_EXPECT(key.size() == key_size_ && exit.size() == exit_size_);
    const std::uint64_t place = next_ % capacity;
    std::copy(key.begin(), key.end(), keys_.data() + place * key_size_);
    std::copy(exit.begin(), exit.end(), exits_.data() + place * exit_size_);
    parts_[place] = parts;
    return next_++;
}

}  // namespace dse::sim::fold
