#pragma once

#include <cstdint>
#include <span>

#include "dse/space/record.hpp"

namespace dse::results {

/// Indices [first, first + count) of a space, all evaluated, and how many of them became rows: `require`
/// drops the others.
struct Coverage {
    std::uint64_t first{0};
    std::uint64_t count{0};
    std::uint64_t rows{0};

    friend bool operator==(const Coverage&, const Coverage&) = default;
};

/// Where records go. What was written is safe only after flush() came back.
class ResultSink {
  public:
    ResultSink() = default;
    ResultSink(const ResultSink&) = delete;
    ResultSink& operator=(const ResultSink&) = delete;
    virtual ~ResultSink() = default;

    /// \throws InputError when the records cannot be stored
    virtual void write(std::span<const space::Record> records) = 0;

    /// Says that the rows of these indices have all been written: a resumed sweep need not look at them
    /// again.
    virtual void cover(const Coverage& coverage) = 0;

    /// \throws InputError when something cannot be stored, a full disk for one; the sink is unusable from
    /// then on
    virtual void flush() = 0;
};

}  // namespace dse::results
