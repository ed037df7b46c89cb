#include "dse/model/network/by_pattern.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::model {

void refuse_irregular(std::string_view model, const RankList& list) {
    DSE_EXPECT(list.ranks.size() > 2);
    throw ModelError(
        fmt::format("a group of {} ranks ({}, {}, {}, …) follows no pattern over {} devices, which {} needs "
                    "(flow and astra_sim take any)",
                    list.ranks.size(), list.ranks[0], list.ranks[1], list.ranks[2], list.devices, model));
}

}  // namespace dse::model
