#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/space/record.hpp"

namespace dse::results {

/// A point and its answer, as a view of the data that it was read from.
struct Row {
    std::uint64_t point_id{0};
    space::Status status{space::Status::failed};
    std::string_view reason;         ///< the full text
    std::span<const double> values;  ///< of the point, then metrics
    double wall_seconds{0.0};
    std::int32_t rank{0};
    std::uint16_t host{0};  ///< index into the names of its source
};

/// Whether two rows of a point have the same answer, bit for bit; when, where and how fast it was computed
/// does not matter.
bool same_answer(const Row& a, const Row& b);

/// Which of two rows of a point has more information.
enum class Knowledge : std::uint8_t {
    equal,     ///< they are the same answer
    first,     ///< the first has numbers where the second has none; otherwise they are equal
    second,    ///< the other way round
    disagree,  ///< one of the rows is wrong
};
/// Parts of a time may be missing, because they are only computed on request.
Knowledge compare(const Row& a, const Row& b);

/// Iterates over rows.
class RowCursor {
  public:
    RowCursor() = default;
    RowCursor(const RowCursor&) = delete;
    RowCursor& operator=(const RowCursor&) = delete;
    virtual ~RowCursor() = default;

    /// \param row  valid until the next call
    /// \return false at the end
    /// \throws InputError if the file cannot be read
    virtual bool next(Row& row) = 0;
};

}  // namespace dse::results
