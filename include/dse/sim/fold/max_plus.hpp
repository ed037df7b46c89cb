#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

namespace dse::sim::fold {

/// The zero of (max,+): nothing waits for a value that is never produced. Sums with it are never NaN, because
/// +inf does not occur.
inline constexpr double absent = -std::numeric_limits<double>::infinity();

inline double later(double a, double b) {
    return a > b ? a : b;
}

/// Two numbers that are processed at once: the width of a vector register of every 64-bit machine. Explicit,
/// because compilers do not vectorize loops over `later` unless they may violate IEEE rules.
using Pair = double __attribute__((vector_size(16)));

inline Pair load(const double* numbers) {
    Pair pair;
    std::memcpy(&pair, numbers, sizeof pair);
    return pair;
}
inline void store(double* numbers, Pair pair) {
    std::memcpy(numbers, &pair, sizeof pair);
}
inline Pair later(Pair a, Pair b) {
    return a > b ? a : b;
}
constexpr Pair both(double value) {
    return Pair{value, value};
}

/// Rows are padded to whole pairs.
inline constexpr std::size_t row_block = 2;
constexpr std::size_t padded(std::size_t n) {
    return (n + row_block - 1) / row_block * row_block;
}

// Functions on rows of `width` numbers, a multiple of row_block. Rows do not overlap, or are identical.

inline void clear(double* row, std::size_t width) {
    std::fill(row, row + width, absent);
}

inline void copy(double* out, const double* a, std::size_t width) {
    std::copy(a, a + width, out);
}

/// out = max(out, a + by)
inline void raise_shifted(double* out, const double* a, double by, std::size_t width) {
    const Pair shift = both(by);
    for (std::size_t i = 0; i < width; i += row_block)
        store(out + i, later(load(a + i) + shift, load(out + i)));
}

/// The numbers of all operators of one evaluation, stored contiguously. The memory is reused.
class NumberPool {
  public:
    void clear() { used_ = 0; }

    /// Invalidates pointers into the pool.
    /// \return offset of `count` uninitialized numbers
    std::size_t take(std::size_t count) {
        const std::size_t offset = used_;
        used_ += count;
        if (used_ > numbers_.size()) numbers_.resize(2 * used_);
        return offset;
    }
    [[nodiscard]] std::size_t size() const { return used_; }
    [[nodiscard]] double* at(std::size_t offset) { return numbers_.data() + offset; }
    [[nodiscard]] const double* at(std::size_t offset) const { return numbers_.data() + offset; }

  private:
    std::vector<double> numbers_;
    std::size_t used_{0};
};

/// A (max,+)-linear map: output i = max over inputs j of (row i, column j) + input j.
struct Operator {
    std::size_t offset{0};  ///< offset of row 0 in the pool
    std::size_t inputs{0};
    std::size_t outputs{0};
    [[nodiscard]] std::size_t width() const { return padded(inputs); }  ///< columns per row in memory
    [[nodiscard]] std::size_t size() const { return outputs * width(); }
};

/// out = row · rows: max of row[j] + rows[j] over all j for which row[j] is not absent.
/// \param rows   `count` rows, the first at rows[0]
inline void combine(double* out, const double* row, const double* const* rows, std::size_t count,
                    std::size_t width) {
    clear(out, width);
    for (std::size_t j = 0; j < count; ++j) {
        if (row[j] != absent) raise_shifted(out, rows[j], row[j], width);
    }
}

}  // namespace dse::sim::fold
