#pragma once

#include <cstdint>

#include "dse/config/range.hpp"

namespace dse::hardware {

/// Some ranks of a job: first_rank, first_rank + rank_stride, …, `number` of them.
struct RankSet {
    std::int64_t number{0};
    std::int64_t first_rank{0};
    std::int64_t rank_stride{1};

    /// \pre rank_stride >= 1
    [[nodiscard]] bool contains(std::int64_t rank) const;
    /// Whether all of them are ranks of a job of so many.
    [[nodiscard]] bool lies_inside(std::int64_t ranks) const;

    friend bool operator==(const RankSet&, const RankSet&) = default;
};

/// Its fields among those of the struct that it stands in.
template <class Visitor>
void describe_ranks(Visitor& v, RankSet& set, const char* what) {
    v.optional("number", set.number, config::not_negative, what);
    v.optional("first_rank", set.first_rank, config::not_negative, "rank of the first one");
    v.optional("rank_stride", set.rank_stride, config::at_least(1), "ranks from one to the next");
}

}  // namespace dse::hardware
