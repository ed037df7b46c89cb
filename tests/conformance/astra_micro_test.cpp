#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/rank_runs.hpp"
#include "dse/netsim/astra/collective_ticks.hpp"
#include "dse/netsim/astra/player.hpp"
#include "dse/netsim/astra/read_files.hpp"

/// Single collectives as ASTRA-sim itself played them, tick for tick.
namespace dse::conformance {
namespace {

using graph::CollectiveKind;
using netsim::AstraNetwork;
using netsim::AstraSystem;
using netsim::Ticks;

const std::map<std::string, CollectiveKind> kinds{{"all_reduce", CollectiveKind::all_reduce},
                                                  {"all_gather", CollectiveKind::all_gather},
                                                  {"reduce_scatter", CollectiveKind::reduce_scatter},
                                                  {"all_to_all", CollectiveKind::all_to_all}};

struct Score {
    int rows{0};
    int matched{0};
};

TEST_F(ConformanceData, collectives_take_the_ticks_of_astra_sim) {
    std::map<std::string, Score> by_backend;
    int refused = 0;
    for (const CsvRow& row : read_csv(path("astra_sim/results.csv"))) {
        if (row.at("rc") != "0") {
            ++refused;
            continue;
        }
        config::Diagnostics diagnostics;
        const AstraSystem system = netsim::astra_system(netsim::read_astra_files(
            {path("astra_sim/" + row.at("network_file")), path("astra_sim/" + row.at("system_file")),
             path("astra_sim/configs/memory/no_memory_expansion.json")},
            diagnostics));
        const CollectiveKind kind = kinds.at(row.at("collective"));
        const auto bytes = static_cast<std::int64_t>(number(row, "bytes"));
        const bool unaware = row.at("backend") == "unaware";

        std::vector<std::int64_t> ranks(static_cast<std::size_t>(system.npus()));
        std::iota(ranks.begin(), ranks.end(), 0);
        const auto played = play_messages(system, unaware ? AstraNetwork::unaware : AstraNetwork::aware,
                                          netsim::plan_all(system, kind, bytes), ranks);
        const bool same = played == rank_runs(row.at("per_rank_ticks_rle"));
        Score& score = by_backend[row.at("backend") + ", message by message"];
        ++score.rows;
        score.matched += same ? 1 : 0;
        EXPECT_TRUE(same) << row.at("backend") << " " << row.at("case") << ": " << played[0] << ", not "
                          << row.at("per_rank_ticks_rle");
        if (!unaware) continue;
        netsim::AstraCollectiveTicks ticks;
        const Ticks closed = ticks.all(system, kind, bytes);
        Score& closed_score = by_backend["unaware, closed forms"];
        ++closed_score.rows;
        closed_score.matched += closed == static_cast<Ticks>(number(row, "ticks")) ? 1 : 0;
        EXPECT_EQ(closed, static_cast<Ticks>(number(row, "ticks"))) << row.at("case");
    }
    for (const auto& [backend, score] : by_backend) {
        fmt::print("  {}: {} of {} rows tick for tick\n", backend, score.matched, score.rows);
    }
    fmt::print("  {} rows that ASTRA-sim refuses itself\n", refused);
    EXPECT_EQ(by_backend["unaware, closed forms"].rows, 452);
}

}  // namespace
}  // namespace dse::conformance
