#include "dse/synth/family.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"
#include "dse/base/hash.hpp"

namespace dse::synth {
namespace {

using nlohmann::json;

constexpr std::string_view magic = "dse-synth ";

Card card_of(const Corpus& corpus, const std::string& kind) {
    Card card;
    card.model = kind;
    card.graphs = corpus.graphs.size();
    card.fewest_devices = corpus.graphs.front().conditions.devices;
    const double share = 1.0 / static_cast<double>(corpus.graphs.size());
    for (const SmallGraph& graph : corpus.graphs) {
        card.nodes += share * static_cast<double>(graph.nodes.size());
        card.layers += share * static_cast<double>(graph.layers());
        card.edges += share * static_cast<double>(graph.edges());
        card.fewest_devices = std::min(card.fewest_devices, graph.conditions.devices);
        card.most_devices = std::max(card.most_devices, graph.conditions.devices);
    }
    return card;
}

json json_of(const Card& card) {
    return {{"model", card.model},
            {"data", card.data},
            {"license", card.license},
            {"graphs", card.graphs},
            {"nodes", card.nodes},
            {"layers", card.layers},
            {"edges", card.edges},
            {"fewest_devices", card.fewest_devices},
            {"most_devices", card.most_devices}};
}

Card card_in(const json& object) {
    Card card;
    object.at("model").get_to(card.model);
    object.at("data").get_to(card.data);
    object.at("license").get_to(card.license);
    object.at("graphs").get_to(card.graphs);
    object.at("nodes").get_to(card.nodes);
    object.at("layers").get_to(card.layers);
    object.at("edges").get_to(card.edges);
    object.at("fewest_devices").get_to(card.fewest_devices);
    object.at("most_devices").get_to(card.most_devices);
    return card;
}

json json_of(const Vocabulary& labels) {
    json rows = json::array();
    for (std::size_t i = 0; i < labels.size(); ++i)
        rows.push_back(
            {static_cast<int>(labels[i].kind), static_cast<int>(labels[i].role), labels[i].operation});
    return rows;
}

Vocabulary labels_in(const json& rows) {
    Vocabulary labels;
    for (const json& row : rows) {
        const int kind = row.at(0).get<int>();
        const int role = row.at(1).get<int>();
        if (kind < 0 || kind > static_cast<int>(Kind::store) || role < 0 ||
            role > static_cast<int>(Role::all))
            throw InputError("it has an operator of a kind that there is not");
        labels.add({static_cast<Kind>(kind), static_cast<Role>(role), row.at(2).get<std::string>()});
    }
    if (labels.size() != rows.size() || labels.size() == 0)
        throw InputError("its operators are missing, or listed twice");
    return labels;
}

/// The text after the first line, verified against that line. \throws InputError with the reason only
std::string_view checked_body(std::string_view text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (end == std::string_view::npos || !line.starts_with(magic))
        throw InputError("not a family of synthetic workloads (`dse synth fit` writes one)");
    int version = 0;
    const std::string_view rest = line.substr(magic.size());
    const auto [behind, error] = std::from_chars(rest.data(), rest.data() + rest.size(), version);
    if (error != std::errc{}) throw InputError("its first line is damaged");
    if (version != family_version)
        throw InputError(fmt::format("is a family of version {}, and this program reads version {}", version,
                                     family_version));
    const std::string_view sum = rest.substr(static_cast<std::size_t>(behind - rest.data()));
    const std::string_view body = text.substr(end + 1);
    if (sum != fmt::format(" {}", to_string(digest(body))))
        throw InputError("damaged: its content is not what its checksum says");
    return body;
}

Family family_in(std::string_view text) {
    const json object = json::parse(checked_body(text));
    Family family;
    family.card = card_in(object.at("card"));
    family.labels = labels_in(object.at("labels"));
    family.model = model_kind(family.card.model).read(object.at("model"), family.labels.size());
    return family;
}

}  // namespace

Family fit_family(const Corpus& corpus, const std::string& kind, const std::string& data,
                  const std::string& license, const std::string& nets) {
    if (corpus.graphs.empty()) throw InputError("there is no graph to learn from");
    const ModelKind& row = model_kind(kind);
    Family family;
    family.card = card_of(corpus, row.name);
    family.card.data = data;
    family.card.license = license;
    family.labels = corpus.labels;
    family.model = row.fit(corpus, nets);
    return family;
}

void write_family(const Family& family, const std::string& path, Existing existing) {
    const std::string body = json{{"card", json_of(family.card)},
                                  {"labels", json_of(family.labels)},
                                  {"model", family.model->to_json()}}
                                 .dump() +
                             "\n";
    if (body.size() > most_family_bytes)
        throw InputError(
            fmt::format("the family takes {} bytes, and a file of one at most {}: learn from fewer "
                        "graphs, or from more equal ones",
                        body.size(), most_family_bytes));
    OutputFile file{path, existing};
    file.stream() << magic << family_version << ' ' << to_string(digest(body)) << '\n' << body;
    file.close();
}

Family read_family(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) throw InputError(fmt::format("'{}': cannot be read", path));
    std::string text(most_family_bytes + 1024, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    try {
        return family_in(text);
    } catch (const json::exception& error) {
        throw InputError(fmt::format("'{}' is not a family of synthetic workloads: {}", path, error.what()));
    } catch (const InputError& error) {
        throw InputError(fmt::format("'{}': {}", path, error.what()));
    }
}

}  // namespace dse::synth
