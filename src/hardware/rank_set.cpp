#include "dse/hardware/rank_set.hpp"

namespace dse::hardware {

bool RankSet::contains(std::int64_t rank) const {
    const std::int64_t past = rank - first_rank;
    return past >= 0 && past % rank_stride == 0 && past / rank_stride < number;
}

bool RankSet::lies_inside(std::int64_t ranks) const {
    return number == 0 || (number <= ranks && first_rank + (number - 1) * rank_stride < ranks);
}

Problems problems_of(const RankSet& set) {
    Problems problems;
    problems.at_least("number", static_cast<double>(set.number), 0, "0: none");
    problems.at_least("first_rank", static_cast<double>(set.first_rank), 0, "ranks count from 0");
    problems.at_least("rank_stride", static_cast<double>(set.rank_stride), 1, "two of them are two ranks");
    return problems;
}

}  // namespace dse::hardware
