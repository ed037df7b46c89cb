#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "dse/model/network/astra/collective_ticks.hpp"
#include "dse/model/network/astra/files.hpp"
#include "dse/model/network/astra/player.hpp"

/// Single collectives as ASTRA-sim itself played them, tick for tick.
namespace dse::conformance {
namespace {

using model::AstraFiles;
using model::AstraNetwork;
using model::AstraSystem;
using model::Ticks;
using workload::CollectiveKind;

const std::map<std::string, CollectiveKind> kinds{{"all_reduce", CollectiveKind::all_reduce},
                                                  {"all_gather", CollectiveKind::all_gather},
                                                  {"reduce_scatter", CollectiveKind::reduce_scatter},
                                                  {"all_to_all", CollectiveKind::all_to_all}};

/// The items of `key: [ a, b ]` in one of ASTRA-sim's network files.
std::vector<std::string> network_items(const std::string& file, const std::string& key) {
    std::ifstream input{file};
    std::string line;
    while (std::getline(input, line)) {
        if (!line.starts_with(key + ":")) continue;
        const std::size_t open = line.find('[') + 1;
        std::vector<std::string> items = split_csv(line.substr(open, line.find(']') - open));
        for (std::string& item : items) std::erase(item, ' ');
        return items;
    }
    throw std::runtime_error(file + " has no " + key);
}

std::vector<double> numbers(const std::vector<std::string>& items) {
    std::vector<double> values;
    for (const std::string& item : items) values.push_back(std::stod(item));
    return values;
}

AstraSystem read_files(const std::string& network_file, const std::string& system_file) {
    AstraFiles files;
    files.topology = network_items(network_file, "topology");
    for (const std::string& item : network_items(network_file, "npus_count")) {
        files.npus_count.push_back(std::stoll(item));
    }
    files.bandwidth = numbers(network_items(network_file, "bandwidth"));
    files.latency = numbers(network_items(network_file, "latency"));
    const auto json = nlohmann::json::parse(std::ifstream{system_file});
    for (const auto& [name, kind] : kinds) {
        std::string key = name + "-implementation";
        std::ranges::replace(key, '_', '-');
        files.implementation[static_cast<std::size_t>(kind)] = json.at(key).get<std::vector<std::string>>();
    }
    files.preferred_dataset_splits = json.at("preferred-dataset-splits");
    files.active_chunks_per_dimension = json.at("active-chunks-per-dimension");
    files.endpoint_delay = json.at("endpoint-delay");
    files.local_mem_bw = json.at("local-mem-bw");
    files.collective_optimization = json.at("collective-optimization");
    return astra_system(files);
}

/// "30812x8;40x2" as one number a rank.
std::vector<Ticks> decode(const std::string& runs) {
    std::vector<Ticks> ticks;
    std::size_t at = 0;
    while (at < runs.size()) {
        std::size_t end = runs.find_first_of("; ", at);
        if (end == std::string::npos) end = runs.size();
        const std::string run = runs.substr(at, end - at);
        const std::size_t times = run.find('x');
        const std::size_t count = times == std::string::npos ? 1 : std::stoul(run.substr(times + 1));
        ticks.insert(ticks.end(), count, std::stoll(run.substr(0, times)));
        at = end + 1;
    }
    return ticks;
}

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
        const AstraSystem system = read_files(path("astra_sim/" + row.at("network_file")),
                                              path("astra_sim/" + row.at("system_file")));
        const CollectiveKind kind = kinds.at(row.at("collective"));
        const auto bytes = static_cast<std::int64_t>(number(row, "bytes"));
        const bool unaware = row.at("backend") == "unaware";

        std::vector<std::int64_t> ranks(static_cast<std::size_t>(system.npus()));
        std::iota(ranks.begin(), ranks.end(), 0);
        const auto played = play_messages(system, unaware ? AstraNetwork::unaware : AstraNetwork::aware,
                                          model::plan_all(system, kind, bytes), ranks);
        const bool same = played == decode(row.at("per_rank_ticks_rle"));
        Score& score = by_backend[row.at("backend") + ", message by message"];
        ++score.rows;
        score.matched += same ? 1 : 0;
        EXPECT_TRUE(same) << row.at("backend") << " " << row.at("case") << ": " << played[0] << ", not "
                          << row.at("per_rank_ticks_rle");
        if (!unaware) continue;
        model::AstraCollectiveTicks ticks;
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
