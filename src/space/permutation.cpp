#include "space/permutation.hpp"

#include "dse/base/check.hpp"
#include "dse/base/seed.hpp"

namespace dse::space {

Permutation::Permutation(std::uint64_t size, std::uint64_t seed) : size_{size}, seed_{seed} {
    DSE_EXPECT(size >= 1 && size <= std::uint64_t{1} << 63U);
    while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
}

std::uint64_t Permutation::operator()(std::uint64_t i) const {
    DSE_EXPECT(i < size_);
    do {
        i = encrypt(i);
    } while (i >= size_);
    return i;
}

std::uint64_t Permutation::encrypt(std::uint64_t x) const {
    constexpr std::uint64_t rounds = 4;
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = x >> half_bits_;
    std::uint64_t right = x & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint64_t mixed = seed_of(seed_ + round, right) & mask;
        const std::uint64_t previous = left;
        left = right;
        right = previous ^ mixed;
    }
    return left << half_bits_ | right;
}

}  // namespace dse::space
