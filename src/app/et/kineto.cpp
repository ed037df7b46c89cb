#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/force.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/trace/kineto/host_trace.hpp"
#include "dse/trace/kineto/joint_replay.hpp"
#include "dse/trace/kineto/write_trace.hpp"

namespace dse::app::et {
namespace {

namespace kineto = trace::kineto;

struct KinetoOptions {
    std::vector<std::string> profiles;
    std::vector<std::string> host_traces;  ///< one per profile, or none
    std::string prefix;
    bool json{false};
    Existing existing{Existing::refuse};
};

struct ProfileRow {
    std::int64_t rank{0};
    std::string profile;
    kineto::ReplayGraph graph;
    double recorded{0};  ///< s
    double replayed{0};  ///< s
    double together{0};  ///< s; NaN if the ranks do not fit together
    kineto::WrittenTrace written;
};

/// A rank's profile, and the execution trace of its host if there is one.
struct Source {
    kineto::Profile profile;
    std::string host_trace;
};

/// Reads the profiles, in the order of the ranks that they state, otherwise in the order given.
std::vector<Source> read_sources(const KinetoOptions& options) {
    if (!options.host_traces.empty() && options.host_traces.size() != options.profiles.size())
        throw InputError(fmt::format("--host-traces: {} for {} profiles", options.host_traces.size(),
                                     options.profiles.size()));
    std::vector<Source> sources;
    for (std::size_t f = 0; f < options.profiles.size(); ++f)
        sources.push_back({kineto::read_profile(options.profiles[f]),
                           options.host_traces.empty() ? "" : options.host_traces[f]});
    const bool ranked = std::all_of(sources.begin(), sources.end(),
                                    [](const Source& s) { return s.profile.rank.has_value(); });
    for (std::size_t r = 0; r < sources.size(); ++r) {
        // A single profile is rank 0.
        if (!ranked || sources.size() == 1) sources[r].profile.rank = static_cast<std::int64_t>(r);
    }
    std::stable_sort(sources.begin(), sources.end(),
                     [](const Source& a, const Source& b) { return a.profile.rank < b.profile.rank; });
    for (std::size_t r = 1; r < sources.size(); ++r) {
        const kineto::Profile& before = sources[r - 1].profile;
        const kineto::Profile& own = sources[r].profile;
        if (own.rank == before.rank)
            throw InputError(
                fmt::format("'{}' and '{}' are both profiles of rank {}", before.path, own.path, *own.rank));
    }
    return sources;
}

ProfileRow convert(Source& source, const std::string& prefix, Existing existing) {
    kineto::Profile& profile = source.profile;
    ProfileRow row;
    row.rank = *profile.rank;
    row.profile = profile.path;
    if (profile.device.empty())
        throw InputError(fmt::format("'{}' records nothing that ran on a device (profile its activities too)",
                                     profile.path));
    row.graph = kineto::replay_graph(profile);
    if (!source.host_trace.empty()) {
        const kineto::HostTrace host = kineto::read_host_trace(source.host_trace);
        if (const std::string reason = complete(row.graph, host); !reason.empty())
            throw InputError(fmt::format("'{}' records other iterations than '{}': {}", source.host_trace,
                                         profile.path, reason));
        profile.groups.insert(profile.groups.end(), host.groups.begin(), host.groups.end());
    }
    row.recorded = static_cast<double>(row.graph.recorded) * 1e-9;
    row.replayed = static_cast<double>(kineto::replay_time(row.graph)) * 1e-9;
    if (!prefix.empty())
        row.written = kineto::write_trace(row.graph, fmt::format("{}.{}.et", prefix, row.rank), existing);
    return row;
}

/// Computes how long each rank takes if collectives wait for their members. Ranks without common collectives
/// are not affected.
/// \return why they cannot be simulated together; empty if they can
std::string play_together(const std::vector<Source>& sources, std::vector<ProfileRow>& rows) {
    std::int64_t zero = std::numeric_limits<std::int64_t>::max();
    for (const Source& source : sources) zero = std::min(zero, source.profile.zero);
    std::vector<kineto::ReplayRank> ranks;
    for (std::size_t r = 0; r < rows.size(); ++r)
        ranks.push_back({&rows[r].graph, sources[r].profile.zero - zero});
    try {
        const std::vector<std::int64_t> ends = kineto::replay_together(ranks);
        for (std::size_t r = 0; r < rows.size(); ++r) rows[r].together = static_cast<double>(ends[r]) * 1e-9;
        return {};
    } catch (const ModelError& error) {
        for (ProfileRow& row : rows) row.together = std::numeric_limits<double>::quiet_NaN();
        return error.what();
    }
}

/// The groups that collectives refer to, with their ranks according to the profiles.
Json groups_of(const std::vector<Source>& sources) {
    Json groups = Json::object();
    const auto add = [&groups](const std::string& name, const std::vector<std::int64_t>& ranks) {
        if (!name.empty() && !ranks.empty() && !groups.contains(name)) groups[name] = ranks;
    };
    for (const Source& source : sources) {
        for (const auto& group : source.profile.groups) add(group.name, group.ranks);
        for (const auto& work : source.profile.device) {
            if (work.collective) add(work.collective->group, work.collective->ranks);
        }
    }
    return groups;
}

void write_groups(const std::vector<Source>& sources, const std::string& prefix, Existing existing) {
    // If only part of the job is given, groups with missing members are dropped.
    const auto ranks = static_cast<std::int64_t>(sources.size());
    Json groups = groups_of(sources);
    for (auto it = groups.begin(); it != groups.end();) {
        const bool there =
            std::all_of(it->begin(), it->end(), [ranks](const Json& rank) { return rank < ranks; });
        it = there ? std::next(it) : groups.erase(it);
    }
    if (groups.empty()) return;
    OutputFile file{prefix + ".json", existing};
    file.stream() << groups.dump() << '\n';
    file.close();
}

std::string error_of(double time, double recorded) {
    return std::isnan(time) ? "–" : fmt::format("{:+.2f} %", 100 * (time / recorded - 1));
}

void print_text(const std::vector<ProfileRow>& rows, const KinetoOptions& options, const std::string& alone) {
    TextTable table;
    for (const char* heading :
         {"rank", "nodes", "collectives", "recorded", "replayed", "error", "all ranks", "error"})
        table.add_column(heading);
    std::uint64_t unnamed = 0;
    std::uint64_t orphans = 0;
    std::uint64_t sizeless = 0;
    for (const ProfileRow& row : rows) {
        const auto collectives = std::count_if(row.graph.nodes.begin(), row.graph.nodes.end(),
                                               [](const auto& node) { return node.collective.has_value(); });
        table.add_row({fmt::format("{}", row.rank), human_count(std::uint64_t{row.graph.nodes.size()}),
                       fmt::format("{}", collectives), human_seconds(row.recorded),
                       human_seconds(row.replayed), error_of(row.replayed, row.recorded),
                       human_seconds(row.together), error_of(row.together, row.recorded)});
        unnamed += row.graph.unnamed_waits;
        orphans += row.graph.orphans;
        sizeless += row.written.collectives_without_size;
    }
    std::cout << table.text();
    if (!alone.empty()) std::cout << fmt::format("not replayed together: {}\n", alone);
    if (unnamed > 0)
        std::cout << fmt::format(
            "{} waits of streams do not name their event: the next kernel waits for everything that had "
            "ended\n",
            human_count(unnamed));
    if (orphans > 0)
        std::cout << fmt::format(
            "{} device operations without a recorded launch: they wait for the host work before them\n",
            human_count(orphans));
    if (sizeless > 0) std::cout << fmt::format("{} collectives without a size\n", human_count(sizeless));
    if (!options.prefix.empty())
        std::cout << fmt::format("{}.<rank>.et: {} ranks\n", options.prefix, rows.size());
}

void print_as_json(const std::vector<ProfileRow>& rows) {
    Json json = json_object();
    json["rows"] = Json::array();
    for (const ProfileRow& row : rows) {
        json["rows"].push_back({{"rank", row.rank},
                                {"profile", row.profile},
                                {"nodes", row.graph.nodes.size()},
                                {"recorded", row.recorded},
                                {"replayed", row.replayed},
                                {"error", row.replayed / row.recorded - 1},
                                {"replayed_together", row.together},
                                {"unnamed_waits", row.graph.unnamed_waits},
                                {"orphans", row.graph.orphans},
                                {"collectives", row.written.collectives},
                                {"collectives_without_size", row.written.collectives_without_size}});
    }
    print_json(json);
}

ExitCode convert_all(const KinetoOptions& options) {
    std::vector<Source> sources = read_sources(options);
    if (!options.prefix.empty()) {
        for (const Source& source : sources)
            require_free(fmt::format("{}.{}.et", options.prefix, *source.profile.rank), options.existing);
        require_free(options.prefix + ".json", options.existing);
    }
    std::vector<ProfileRow> rows;
    for (Source& source : sources) rows.push_back(convert(source, options.prefix, options.existing));
    const std::string alone = play_together(sources, rows);
    if (!options.prefix.empty()) write_groups(sources, options.prefix, options.existing);
    if (options.json) {
        print_as_json(rows);
    } else {
        print_text(rows, options, alone);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_kineto(CLI::App& app) {
    const auto options = std::make_shared<KinetoOptions>();
    app.add_option("profiles", options->profiles,
                   "profiles written by PyTorch's profiler, one per rank (JSON, also gzipped)")
        ->required()
        ->type_name("FILE…");
    app.add_option(
           "--host-traces", options->host_traces,
           "host execution traces (JSON), one per profile and of the same iterations; they supply what the "
           "profiles do not say about collectives")
        ->type_name("FILE…");
    app.add_option("-o,--output", options->prefix,
                   "PREFIX of the traces to write (default: none are written)")
        ->type_name("PREFIX");
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return convert_all(*options); };
}

}  // namespace dse::app::et
