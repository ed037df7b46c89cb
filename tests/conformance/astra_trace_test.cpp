#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/rank_runs.hpp"
#include "dse/netsim/astra/read_files.hpp"
#include "dse/sim/replay/astra_replay.hpp"
#include "dse/trace/chakra/trace_set.hpp"

/// Traces of many nodes as ASTRA-sim itself played them, tick for tick.
namespace dse::conformance {
namespace {

using netsim::AstraNetwork;
using netsim::AstraProtocol;
using netsim::Ticks;
using sim::replay::AstraRank;
using sim::replay::NodeEvent;

class AstraTraces : public ConformanceData {
  protected:
    struct Job {
        trace::chakra::TraceSet traces;
        sim::replay::AstraGroups groups;
        netsim::AstraMachine machine;

        [[nodiscard]] sim::replay::AstraJob view() const { return {traces.ranks, groups, machine}; }
    };

    Job job_of(const CsvRow& row, const std::string& groups, const std::string& memory) const {
        const std::string folder = path("astra_sim/");
        config::Diagnostics diagnostics;
        netsim::AstraMachine machine = netsim::read_astra_machine(
            {folder + row.at("network_file"), folder + row.at("system_file"), folder + memory}, diagnostics);
        machine.rules.network = row.at("backend") == "aware" ? AstraNetwork::aware : AstraNetwork::unaware;
        const auto extra = row.find("extra_args");
        if (extra != row.end() && extra->second == "--rendezvous-protocol=true")
            machine.rules.protocol = AstraProtocol::rendezvous;
        auto traces = trace::chakra::read_traces(trace::chakra::trace_files(folder + row.at("trace_prefix")));
        trace::chakra::Groups listed{machine.system.npus()};
        if (!groups.empty()) read_groups(folder + groups, listed);
        sim::replay::AstraGroups known{traces.ranks, listed};
        return {std::move(traces), std::move(known), machine};
    }

    /// All ways to play it, against what ASTRA-sim said.
    static bool matches(const CsvRow& row, const Job& job, const std::vector<Ticks>& ticks,
                        const std::vector<Ticks>& exposed) {
        const std::vector<AstraRank> played = replay_messages(job.view());
        EXPECT_EQ(played, replay(job.view())) << row.at("case") << ": folded";
        EXPECT_EQ(played, replay_if_certain(job.view()).value_or(played)) << row.at("case") << ": certain";
        std::vector<Ticks> finish;
        std::vector<Ticks> rest;
        for (const AstraRank& rank : played) {
            finish.push_back(rank.finish);
            rest.push_back(rank.exposed());
        }
        EXPECT_EQ(finish, ticks) << row.at("case") << " " << row.at("backend") << " " << row.at("topology");
        EXPECT_EQ(rest, exposed) << row.at("case") << " " << row.at("backend") << " " << row.at("topology");
        return finish == ticks && rest == exposed;
    }

    /// What begins and ends by ASTRA-sim's log, in its order, without the names of nodes.
    static std::vector<std::string> read_events(const std::string& file) {
        std::vector<std::string> lines;
        std::ifstream input{file};
        for (std::string line; std::getline(input, line);) {
            if (line.starts_with("issue,") || line.starts_with("callback,"))
                lines.push_back(line.substr(0, line.find(", node->name")));
        }
        return lines;
    }

    /// Each rank's own, in their order: which of two ranks comes first at a tick is not compared.
    static std::vector<std::string> by_rank(std::vector<std::string> lines) {
        const auto rank_of = [](const std::string& line) {
            return std::stoi(line.substr(line.find("id=") + 3));
        };
        std::ranges::stable_sort(lines, {}, rank_of);
        return lines;
    }

    static std::vector<std::string> events_of(const Job& job) {
        std::vector<std::string> lines;
        replay_messages(job.view(), [&](const NodeEvent& event) {
            const auto& trace = *job.traces.ranks[static_cast<std::size_t>(event.rank)].trace;
            lines.push_back(fmt::format("{},sys->id={}, tick={}, node->id={}",
                                        event.kind == NodeEvent::Kind::issued ? "issue" : "callback",
                                        event.rank, event.tick, trace.step(event.node).id));
        });
        return lines;
    }
};

TEST_F(AstraTraces, made_by_hand_take_the_ticks_of_astra_sim) {
    int rows = 0;
    int matched = 0;
    int logs = 0;
    for (const CsvRow& row : read_csv(path("astra_sim/results_handmade.csv"))) {
        const std::string groups =
            row.at("comm_group").empty() ? "" : "configs/" + row.at("comm_group") + ".json";
        const Job job = job_of(row, groups, "configs/memory/" + row.at("memory") + ".json");
        ++rows;
        matched +=
            matches(row, job, rank_runs(row.at("per_rank_ticks")), rank_runs(row.at("per_rank_exposed")));
        const std::string log = path("astra_sim/events/" + row.at("case") + ".events.txt");
        if (!std::filesystem::exists(log)) continue;
        ++logs;
        EXPECT_EQ(by_rank(events_of(job)), by_rank(read_events(log))) << row.at("case");
    }
    fmt::print("  {} of {} traces tick for tick\n", matched, rows);
    EXPECT_EQ(rows, 32);
    EXPECT_EQ(logs, 32);
}

TEST_F(AstraTraces, of_stage_take_the_ticks_of_astra_sim) {
    int rows = 0;
    int matched = 0;
    for (const CsvRow& row : read_csv(path("astra_sim/results_stage.csv"))) {
        const Job job = job_of(row, row.at("comm_group"), "configs/memory/no_memory_expansion.json");
        ++rows;
        matched += matches(row, job, rank_runs(row.at("per_rank_ticks_rle")),
                           rank_runs(row.at("per_rank_exposed_rle")));
    }
    fmt::print("  {} of {} traces tick for tick\n", matched, rows);
    EXPECT_EQ(rows, 34);
}

}  // namespace
}  // namespace dse::conformance
