#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/bytes_option.hpp"
#include "app/command.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/output_width.hpp"
#include "app/text_table.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/model/network/bus_factor.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "dse/netsim/flow/fabric.hpp"
#include "dse/netsim/registry.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::app {
namespace {

using graph::CollectiveKind;

struct CollectiveOptions {
    std::string kind;
    std::string bytes;
    std::int64_t ranks{0};
    std::int64_t stride{1};
    std::string system;
    bool candidates{false};
    bool json{false};
};

CollectiveKind kind_of(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    constexpr std::array kinds{CollectiveKind::all_reduce,     CollectiveKind::all_gather,
                               CollectiveKind::reduce_scatter, CollectiveKind::all_to_all,
                               CollectiveKind::broadcast,      CollectiveKind::ring_shift};
    std::vector<std::string> known;
    for (const CollectiveKind kind : kinds) {
        if (graph::name(kind) == name) return kind;
        known.emplace_back(graph::name(kind));
    }
    throw InputError(fmt::format("unknown collective '{}'{}", name, suggestion(name, known)));
}

struct Prediction {
    std::string model;
    std::string algorithm;
    double time{metrics::not_a_number};
    double expected{metrics::not_a_number};  ///< time expected by the library itself, if it makes the choice
    std::string reason{};
};

/// Groups of `ranks` with a distance of `stride` between neighbours: an inner axis of size `stride`, then the
/// axis of the groups.
graph::Mesh mesh_of(const CollectiveOptions& options) {
    graph::Mesh mesh;
    mesh.size[static_cast<std::size_t>(graph::MeshAxis::tensor)] = options.stride;
    mesh.size[static_cast<std::size_t>(graph::MeshAxis::data)] = options.ranks;
    return mesh;
}

Prediction predict(const graph::Collective& collective, const graph::Mesh& mesh,
                   const model::NetworkModel& network, std::string model, std::string_view algorithm) {
    Prediction prediction{std::move(model), std::string{algorithm}};
    try {
        prediction.time = network.collective(collective, mesh).value();
    } catch (const ModelError& error) {
        prediction.reason = error.what();
    }
    return prediction;
}

/// The network of the job with one algorithm along all dimensions.
hardware::NetworkSpec with_algorithm(hardware::NetworkSpec network, std::int64_t devices,
                                     hardware::Algorithm algorithm) {
    network.topology.kind = netsim::flow::topology_kind(network);
    network.topology.collectives = algorithm;
    network.dimensions = model::job_dimensions(network, devices);
    for (std::size_t d = 0; d < network.dimensions.size(); ++d) network.dimensions[d].algorithm = algorithm;
    return network;
}

/// The alternatives that the library of a model considers, starting with the one that it chooses; without
/// `all`, only that one.
std::vector<Prediction> choices(const graph::Collective& collective, const graph::Mesh& mesh,
                                const model::NetworkModel& network, const std::string& model, bool all) {
    std::vector<Prediction> rows{predict(collective, mesh, network, model, "best")};
    if (!rows.front().reason.empty()) return rows;
    const std::vector<model::Alternative> alternatives =
        network.alternatives(model::communication(collective, mesh));
    if (alternatives.empty()) return rows;
    rows.front().algorithm = alternatives.front().name;
    rows.front().expected = alternatives.front().expected.value();
    for (std::size_t i = 1; all && i < alternatives.size(); ++i) {
        const model::Alternative& other = alternatives[i];
        rows.push_back({model, other.name, other.time.value(), other.expected.value()});
    }
    return rows;
}

/// Adds the machine's schedules for this collective, each with every network model. Schedules for other group
/// sizes have a reason instead of a time.
void add_schedules(const graph::Collective& collective, const graph::Mesh& mesh,
                   const hardware::NetworkSpec& network, std::vector<Prediction>& rows) {
    const std::int64_t members = mesh.degree(collective.axes);
    for (const hardware::ScheduleSpec& schedule : network.collective.schedules) {
        const auto name =
            hardware::choice_names(schedule.collective)[static_cast<std::size_t>(schedule.collective)];
        if (name != graph::name(collective.kind)) continue;
        hardware::NetworkSpec only = network;
        only.collective.schedules = {schedule};
        const std::size_t own = netsim::read_schedule(schedule.prefix).members.size();
        const std::string algorithm = "schedule " + schedule.prefix;
        const std::string misfit =
            static_cast<std::int64_t>(own) == members
                ? ""
                : fmt::format("it is for {} members, but the group has {}", own, members);
        for (const auto& row : netsim::network_models().rows()) {
            Prediction prediction{row.name, algorithm};
            prediction.reason = misfit;
            try {
                if (misfit.empty()) prediction.time = row.make(only)->collective(collective, mesh).value();
            } catch (const ModelError& error) {
                prediction.reason = error.what();
            }
            rows.push_back(std::move(prediction));
        }
    }
}

/// Predictions of every model for the machine as described, and for every algorithm if the model has several.
std::vector<Prediction> predict_all(const graph::Collective& collective, const graph::Mesh& mesh,
                                    const hardware::NetworkSpec& network, bool candidates) {
    using hardware::Algorithm;
    std::vector<Prediction> rows;
    for (const auto& row : netsim::network_models().rows()) {
        const auto as_described = row.make(network);
        if (!as_described->traits().knows_algorithms) {
            const std::vector<Prediction> own =
                choices(collective, mesh, *as_described, row.name, candidates);
            rows.insert(rows.end(), own.begin(), own.end());
            continue;
        }
        rows.push_back(predict(collective, mesh, *as_described, row.name, "as described"));
        if (!rows.back().reason.empty()) continue;
        for (const Algorithm algorithm : {Algorithm::ring, Algorithm::direct, Algorithm::halving_doubling,
                                          Algorithm::double_binary_tree}) {
            const auto model = row.make(with_algorithm(network, mesh.ranks(), algorithm));
            rows.push_back(predict(collective, mesh, *model, row.name, hardware::name(algorithm)));
        }
    }
    return rows;
}

void print_rows(const std::vector<Prediction>& rows, const CollectiveOptions& options, Bytes size,
                double factor, const hardware::ClusterSpec& cluster) {
    std::cout << fitted_lines(fmt::format("{} of {} over {} ranks of {}\n", options.kind,
                                          human_bytes(size.value()), options.ranks, cluster.name));
    TextTable table;
    table.add_column("model", TextTable::Align::left);
    table.add_column("algorithm", TextTable::Align::left);
    table.add_column("time");
    table.add_column("algorithm bandwidth");
    table.add_column("bus bandwidth");
    if (options.candidates) table.add_column("expected");
    table.add_column("", TextTable::Align::left);
    for (const Prediction& row : rows) {
        const bool moved = row.reason.empty() && row.time > 0.0;
        const double rate = moved ? size.value() / row.time / 1e9 : 0.0;
        std::vector<std::string> cells{row.model, row.algorithm, human_seconds(row.time),
                                       moved ? fmt::format("{:.1f} GB/s", rate) : "",
                                       moved ? fmt::format("{:.1f} GB/s", rate * factor) : ""};
        if (options.candidates) {
            cells.push_back(std::isnan(row.expected) ? "" : human_seconds(row.expected));
        }
        cells.push_back(row.reason);
        table.add_row(cells);
    }
    std::cout << table.text(2);
}

Json to_json(const Prediction& row, Bytes size, double factor) {
    Json entry{{"model", row.model}, {"algorithm", row.algorithm}, {"time", row.time}};
    if (row.time > 0.0) {
        entry["algorithm_bandwidth"] = size.value() / row.time;
        entry["bus_bandwidth"] = size.value() * factor / row.time;
    }
    if (!std::isnan(row.expected)) entry["expected"] = row.expected;
    if (!row.reason.empty()) entry["reason"] = row.reason;
    return entry;
}

ExitCode collective(const CollectiveOptions& options) {
    const auto cluster = config::read_from_library<hardware::ClusterSpec>(
        config::Library::standard(""), "hardware/clusters", options.system, "command line");
    graph::Collective work;
    work.kind = kind_of(options.kind);
    work.axes = graph::MeshAxis::data;
    work.size = bytes_option(options.bytes);
    hardware::NetworkSpec plain = cluster.network;
    plain.collective.schedules.clear();
    std::vector<Prediction> rows = predict_all(work, mesh_of(options), plain, options.candidates);
    add_schedules(work, mesh_of(options), cluster.network, rows);
    const double factor = model::bus_factor(work.kind, options.ranks);
    if (!options.json) {
        print_rows(rows, options, work.size, factor, cluster);
        return ExitCode::ok;
    }
    Json json = json_object();
    json["system"] = cluster.name;
    json["bytes"] = work.size.value();
    json["ranks"] = options.ranks;
    json["rows"] = Json::array();
    for (const Prediction& row : rows) json["rows"].push_back(to_json(row, work.size, factor));
    print_json(json);
    return ExitCode::ok;
}

}  // namespace

Action declare_collective(CLI::App& app) {
    const auto options = std::make_shared<CollectiveOptions>();
    app.add_option("kind", options->kind,
                   "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, ring_shift")
        ->required()
        ->type_name("KIND");
    app.add_option("--bytes", options->bytes,
                   "size of the full buffer, with a unit: each rank's vector or, for an all-gather, the "
                   "gathered result")
        ->required()
        ->type_name("SIZE");
    app.add_option("--ranks", options->ranks, "number of participating devices")
        ->required()
        ->check(CLI::Range(1, 1 << 30))
        ->type_name("N");
    app.add_option("--stride", options->stride, "ranks between neighbours of the group (default 1)")
        ->check(CLI::Range(1, 1 << 30))
        ->type_name("N");
    app.add_option("--system", options->system, "a file of hardware/clusters (see dse list clusters)")
        ->required()
        ->type_name("NAME");
    app.add_flag("--candidates", options->candidates,
                 "show all candidates (algorithm and protocol) with the times that the library expects");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return collective(*options); };
}

}  // namespace dse::app
