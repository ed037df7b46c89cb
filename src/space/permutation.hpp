#pragma once

#include <cstdint>

namespace dse::space {

/// A pseudo-random permutation of 0 … size − 1 in constant memory: each element is computed independently, so
/// that draws without replacement are a pure function of (seed, id).
///
/// A four-round Feistel network over the smallest even number of bits that holds `size`; a result outside is
/// encrypted again until it is inside (fewer than four times on average). Source: Black, Rogaway, "Ciphers
/// with arbitrary finite domains", CT-RSA 2002 (cycle walking).
class Permutation {
  public:
    /// \param size  >= 1, at most 2^63
    Permutation(std::uint64_t size, std::uint64_t seed);

    /// \param i  < size
    [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const;

  private:
    [[nodiscard]] std::uint64_t encrypt(std::uint64_t x) const;

    std::uint64_t size_;
    std::uint64_t seed_;
    unsigned half_bits_{1};
};

}  // namespace dse::space
