#pragma once

#include <cstdint>

#include "dse/config/range.hpp"

namespace dse::hardware {

/// A set of `number` ranks of a job: first_rank, first_rank + rank_stride, …
struct RankSet {
    std::int64_t number{0};
    std::int64_t first_rank{0};
    std::int64_t rank_stride{1};

    /// \pre rank_stride >= 1
    [[nodiscard]] bool contains(std::int64_t rank) const;
    /// Whether all of them are ranks of a job with this number of ranks.
    [[nodiscard]] bool lies_inside(std::int64_t ranks) const;

    friend bool operator==(const RankSet&, const RankSet&) = default;
};

/// Describes the fields of a rank set as fields of the enclosing struct.
template <class Visitor>
void describe_ranks(Visitor& v, RankSet& set, const char* what) {
    v.optional("number", set.number, config::not_negative, what);
    v.optional("first_rank", set.first_rank, config::not_negative, "the first of these ranks");
    v.optional("rank_stride", set.rank_stride, config::at_least(1), "distance from one rank to the next");
}

}  // namespace dse::hardware
