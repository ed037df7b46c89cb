#include "dse/sim/fold/region_memo.hpp"

#include <algorithm>
#include <bit>

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
    waits_.resize(capacity);
}

/// Hash of the times only: keys that differ only in their causes are rare.
std::uint64_t RegionMemo::digest(std::span<const Arrival> key) {
    std::uint64_t sum = 0;
    for (const Arrival& arrival : key) {
        sum = (sum ^ std::bit_cast<std::uint64_t>(arrival.time)) * 0x9e3779b97f4a7c15ULL;
        sum ^= sum >> 32U;
    }
    return sum;
}

std::uint64_t RegionMemo::find(std::span<const Arrival> key) const {
    const std::uint64_t oldest = next_ > capacity ? next_ - capacity : 0;
    const std::uint64_t wanted = digest(key);
    for (std::uint64_t number = next_; number-- > oldest;) {
        if (digests_[number % capacity] != wanted) continue;
        if (std::equal(key.begin(), key.end(), keys_.data() + number % capacity * key_size_)) return number;
    }
    return none;
}

RegionMemo::Entry RegionMemo::at(std::uint64_t number) const {
    const std::uint64_t place = number % capacity;
    return {{exits_.data() + place * exit_size_, exit_size_}, &parts_[place], waits_[place].stretches()};
}

std::uint64_t RegionMemo::insert(std::span<const Arrival> key, std::span<const Arrival> exit,
                                 const Parts& parts, const Waits& waits) {
    DSE_EXPECT(key.size() == key_size_ && exit.size() == exit_size_);
    const std::uint64_t place = next_ % capacity;
    std::copy(key.begin(), key.end(), keys_.data() + place * key_size_);
    std::copy(exit.begin(), exit.end(), exits_.data() + place * exit_size_);
    digests_[place] = digest(key);
    parts_[place] = parts;
    waits_[place] = waits;
    return next_++;
}

}  // namespace dse::sim::fold
