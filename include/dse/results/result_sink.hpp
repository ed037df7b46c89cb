#pragma once

#include <cstdint>
#include <span>

#include "dse/space/record.hpp"

namespace dse::results {

/// Indices [first, first + count) of a space, all of which have been evaluated, and the number of them that
/// became rows; `require` dropped the others.
struct Coverage {
    std::uint64_t first{0};
    std::uint64_t count{0};
    std::uint64_t rows{0};

    friend bool operator==(const Coverage&, const Coverage&) = default;
};

/// Destination of records. Written records are safe only after flush() has returned.
class ResultSink {
  public:
    ResultSink() = default;
    ResultSink(const ResultSink&) = delete;
    ResultSink& operator=(const ResultSink&) = delete;
    virtual ~ResultSink() = default;

    /// \throws InputError if the records cannot be stored
    virtual void write(std::span<const space::Record> records) = 0;

    /// Declares that all rows of these indices have been written, so that a resumed sweep can skip them.
    virtual void cover(const Coverage& coverage) = 0;

    /// \throws InputError if something cannot be stored, for example because the disk is full; the sink is
    ///         unusable from then on
    virtual void flush() = 0;
};

}  // namespace dse::results
