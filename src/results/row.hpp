#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/space/record.hpp"

namespace dse::results {

/// A point and its answer, as a view of what it was read from.
struct Row {
    std::uint64_t point_id{0};
    space::Status status{space::Status::failed};
    std::string_view reason;         ///< the whole of it
    std::span<const double> values;  ///< of the point, then metrics
    double wall_seconds{0.0};
    std::int32_t rank{0};
    std::uint16_t host{0};  ///< index into the names of its source
};

/// Whether two rows of one point say the same of it, bit for bit; when, where and how fast they came about is
/// no part of the answer.
bool same_answer(const Row& a, const Row& b);

/// Which of two rows of one point knows more.
enum class Knowledge : std::uint8_t {
    equal,     ///< they are the same answer
    first,     ///< the first has numbers where the second has none; else they are the same
    second,    ///< the other way round
    disagree,  ///< one of the rows is wrong
};
/// The parts of a time are left out where nobody asks for them.
Knowledge compare(const Row& a, const Row& b);

/// Goes over rows one by one.
class RowCursor {
  public:
    RowCursor() = default;
    RowCursor(const RowCursor&) = delete;
    RowCursor& operator=(const RowCursor&) = delete;
    virtual ~RowCursor() = default;

    /// \param row  valid until the next call
    /// \return false at the end
    /// \throws InputError when the file cannot be read
    virtual bool next(Row& row) = 0;
};

}  // namespace dse::results
