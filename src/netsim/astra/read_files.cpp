#include "dse/netsim/astra/read_files.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/field.hpp"
#include "dse/config/node.hpp"

namespace dse::netsim {
namespace {

using config::Diagnostics;
using config::Node;

/// Where each key of the three files stands; one that is left out, where its file begins.
using KeyPlaces = std::map<std::string, config::Location, std::less<>>;

/// Reads a file key by key; finish() warns about the keys that were not read.
class KeyReader {
  public:
    KeyReader(const Node& map, KeyPlaces& places, Diagnostics& diagnostics)
        : map_{map}, places_{places}, diagnostics_{diagnostics} {
        if (!map.is_map() && !map.unreadable()) fail(map, "a map is needed");
    }
    KeyReader(const KeyReader&) = delete;
    KeyReader& operator=(const KeyReader&) = delete;
    ~KeyReader() = default;

    void read(const char* key, double& target) {
        if (const Node* node = take(key)) value(*node, target);
    }
    void read(const char* key, std::int64_t& target) {
        if (const Node* node = take(key)) value(*node, target);
    }
    void read(const char* key, std::string& target) {
        if (const Node* node = take(key)) value(*node, target);
    }
    /// Accepts 0 and 1, or false and true.
    void read(const char* key, bool& target) {
        const Node* node = take(key);
        if (node == nullptr) return;
        if (node->text() == "true" || node->text() == "false") {
            target = node->text() == "true";
            return;
        }
        double number = 0.0;
        value(*node, number);
        target = number != 0.0;
    }
    template <class T>
    void read(const char* key, std::vector<T>& target) {
        const Node* node = take(key);
        if (node == nullptr) return;
        if (!node->is_sequence()) fail(*node, fmt::format("a list is needed, not {}", node->describe()));
        for (const Node& item : node->items()) value(item, target.emplace_back());
    }
    void required_lists(std::initializer_list<const char*> keys) {
        for (const char* key : keys) {
            if (map_.is_map() && map_.find(key) == nullptr)
                diagnostics_.error(map_.location(), key, "missing (it has no default)");
        }
    }
    /// Reports that the value of this key is wrong.
    void fail_at(const char* key, const char* why) { fail(*map_.find(key), why); }
    void warn(const char* key, const char* why) {
        const Node* node = take(key);
        if (node != nullptr && node->text() != "0" && node->text() != "false")
            diagnostics_.warning(node->location(), key, why);
    }
    /// A known key without any effect.
    void skip(const char* key) { take(key); }

    void finish() {
        for (const Node::Entry& entry : map_.entries()) {
            if (std::ranges::count(known_, entry.key) > 0) continue;
            const auto near = nearest(entry.key, known_);
            diagnostics_.warning(entry.location, entry.key,
                                 fmt::format("ASTRA-sim does not read this key{}",
                                             near ? fmt::format(" (did you mean '{}'?)", *near) : ""));
        }
    }

  private:
    const Node* take(const char* key) {
        known_.emplace_back(key);
        const Node* node = map_.find(key);
        places_.insert_or_assign(key, node != nullptr ? node->location() : map_.location());
        return node;
    }
    void fail(const Node& node, std::string why) {
        diagnostics_.error(node.location(), node.path(), std::move(why));
    }

    template <class T>
    void value(const Node& node, T& target) {
        if constexpr (std::is_same_v<T, std::string>) {
            if (!node.is_scalar()) fail(node, fmt::format("text is needed, not {}", node.describe()));
            target = node.text();
        } else {
            const auto info = config::detail::info_of<T>(node.path(), "");
            if (const auto parsed = config::parse_value(node, info, diagnostics_))
                config::detail::store(target, *parsed);
        }
    }

    const Node& map_;
    KeyPlaces& places_;
    Diagnostics& diagnostics_;
    std::vector<std::string> known_;
};

void read_network(const Node& map, AstraFiles& files, KeyPlaces& places, Diagnostics& diagnostics) {
    if (map.is_map() && map.find("logical-dims") != nullptr)
        return diagnostics.error(
            map.location(), "logical-dims",
            "a file of ASTRA-sim's ns-3 network: only its analytical network is simulated "
            "(topology, npus_count, bandwidth, latency)");
    KeyReader reader{map, places, diagnostics};
    reader.required_lists({"topology", "npus_count", "bandwidth", "latency"});
    reader.read("topology", files.topology);
    reader.read("npus_count", files.npus_count);
    reader.read("bandwidth", files.bandwidth);
    reader.read("latency", files.latency);
    reader.finish();
}

void read_collectives(KeyReader& reader, AstraFiles& files) {
    using graph::CollectiveKind;
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                      CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
        std::string name{graph::name(kind)};
        std::ranges::replace(name, '_', '-');
        const std::string key = name + "-implementation";
        reader.read(key.c_str(), files.implementation[static_cast<std::size_t>(kind)]);
        std::vector<std::string> custom;
        reader.read((key + "-custom").c_str(), custom);
        if (custom.size() > 1)
            reader.fail_at((key + "-custom").c_str(), "one prefix covers all dimensions; more are named");
        if (custom.size() == 1) files.custom[static_cast<std::size_t>(kind)] = custom[0];
    }
    reader.read("collective-optimization", files.collective_optimization);
    reader.read("scheduling-policy", files.scheduling_policy);
    reader.read("preferred-dataset-splits", files.preferred_dataset_splits);
    reader.read("active-chunks-per-dimension", files.active_chunks_per_dimension);
    reader.read("endpoint-delay", files.endpoint_delay);
}

/// Reads the map from node ID to prefix.
void read_per_node(KeyReader& reader, AstraFiles& files, Diagnostics& diagnostics) {
    std::string path;
    reader.read("per-node-custom-implementation", path);
    if (path.empty()) return;
    const Node map = config::load_yaml(path, diagnostics);
    if (!map.is_map() && !map.unreadable())
        diagnostics.error(map.location(), path, "a map of node ids to prefixes is needed");
    for (const Node::Entry& entry : map.entries()) {
        std::int32_t id = 0;
        const char* end = entry.key.data() + entry.key.size();
        const auto [rest, error] = std::from_chars(entry.key.data(), end, id);
        if (error != std::errc{} || rest != end || !entry.value.is_scalar()) {
            diagnostics.error(entry.location, entry.key, "node ids are integers, and each has a prefix");
        } else {
            files.per_node_custom[id] = entry.value.text();
        }
    }
}

void read_system(const Node& map, AstraFiles& files, KeyPlaces& places, Diagnostics& diagnostics) {
    KeyReader reader{map, places, diagnostics};
    read_collectives(reader, files);
    read_per_node(reader, files, diagnostics);
    reader.read("local-mem-bw", files.local_mem_bw);
    reader.read("peak-perf", files.peak_perf);
    reader.read("roofline-enabled", files.roofline_enabled);
    reader.read("replay-only", files.replay_only);
    reader.read("model-shared-bus", files.model_shared_bus);
    reader.read("L", files.bus.latency);
    reader.read("o", files.bus.overhead);
    reader.read("g", files.bus.gap);
    reader.read("G", files.bus.per_byte);
    reader.read("local-reduction-delay", files.bus.local_reduction);
    reader.skip("trace-enabled");
    reader.warn("track-local-mem", "the use of local memory is not written");
    reader.skip("local-mem-trace-filename");
    reader.finish();
}

void read_memory(const Node& map, AstraFiles& files, KeyPlaces& places, Diagnostics& diagnostics) {
    KeyReader reader{map, places, diagnostics};
    reader.read("memory-type", files.memory_type);
    reader.read("remote-mem-latency", files.remote_mem_latency);
    reader.read("remote-mem-bw", files.remote_mem_bw);
    reader.read("num-nodes", files.num_nodes);
    reader.read("num-npus-per-node", files.num_npus_per_node);
    reader.finish();
}

/// Reads the schedules of each prefix once.
AstraSchedules read_schedules(const AstraFiles& files) {
    std::map<std::string, AstraSchedules::One> by_prefix;
    const auto read = [&](const std::string& prefix) {
        if (prefix.empty()) return AstraSchedules::One{};
        AstraSchedules::One& one = by_prefix[prefix];
        if (!one) one = std::make_shared<const AstraSchedule>(read_schedule(prefix));
        return one;
    };
    AstraSchedules schedules;
    for (std::size_t kind = 0; kind < files.custom.size(); ++kind)
        schedules.of_kind[kind] = read(files.custom[kind]);
    for (const auto& [node, prefix] : files.per_node_custom) schedules.of_node[node] = read(prefix);
    return schedules;
}

AstraFiles read_files(const AstraPaths& paths, KeyPlaces& places, Diagnostics& diagnostics) {
    AstraFiles files;
    read_network(config::load_yaml(paths.network, diagnostics), files, places, diagnostics);
    read_system(config::load_yaml(paths.system, diagnostics), files, places, diagnostics);
    read_memory(config::load_yaml(paths.memory, diagnostics), files, places, diagnostics);
    return files;
}

/// Reports an error, "key: why", where the key stands.
[[noreturn]] void fail_at_key(const InputError& error, const KeyPlaces& places, Diagnostics& diagnostics) {
    const std::string_view text = error.what();
    const std::size_t end = text.find(": ");
    const auto place = places.find(text.substr(0, end));
    if (end == std::string_view::npos || place == places.end()) throw error;
    diagnostics.error(place->second, place->first, std::string{text.substr(end + 2)});
    diagnostics.throw_if_any();
    throw error;
}

/// ASTRA-sim, too, runs collectives over as many dimensions as have an algorithm, and says nothing of it.
void warn_of_dimensions_left_out(const AstraFiles& files, const KeyPlaces& places, Diagnostics& diagnostics) {
    for (std::size_t kind = 0; kind < files.implementation.size(); ++kind) {
        const std::vector<std::string>& names = files.implementation[kind];
        const bool spans_all = !names.empty() && names.front().starts_with("one");
        if (names.empty() || spans_all || names.size() >= files.topology.size() ||
            !files.custom[kind].empty())
            continue;
        std::string key{graph::name(static_cast<graph::CollectiveKind>(kind))};
        std::ranges::replace(key, '_', '-');
        key += "-implementation";
        diagnostics.warning(places.at(key), key,
                            fmt::format("names {} of {} dimensions: collectives of all devices leave the "
                                        "others out, as in ASTRA-sim",
                                        names.size(), files.topology.size()));
    }
}

}  // namespace

AstraFiles read_astra_files(const AstraPaths& paths, Diagnostics& diagnostics) {
    KeyPlaces places;
    return read_files(paths, places, diagnostics);
}

AstraMachine read_astra_machine(const AstraPaths& paths, Diagnostics& diagnostics) {
    KeyPlaces places;
    const AstraFiles files = read_files(paths, places, diagnostics);
    diagnostics.throw_if_any();
    AstraMachine machine;
    try {
        machine = astra_machine(files);
    } catch (const InputError& error) {
        fail_at_key(error, places, diagnostics);
    }
    warn_of_dimensions_left_out(files, places, diagnostics);
    machine.schedules = read_schedules(files);
    return machine;
}

}  // namespace dse::netsim
