#include "dse/hardware/rank_set.hpp"

namespace dse::hardware {

bool RankSet::contains(std::int64_t rank) const {
    const std::int64_t past = rank - first_rank;
    return past >= 0 && past % rank_stride == 0 && past / rank_stride < number;
}

bool RankSet::lies_inside(std::int64_t ranks) const {
    return number == 0 || (number <= ranks && first_rank + (number - 1) * rank_stride < ranks);
}

}  // namespace dse::hardware
