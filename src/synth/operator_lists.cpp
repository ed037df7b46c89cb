#include "dse/synth/operator_lists.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::synth {
namespace {

using nlohmann::json;

struct Listed {
    std::vector<int> operators;
    std::vector<std::vector<std::uint32_t>> parents;
    std::vector<std::vector<std::uint32_t>> children;
};

/// \throws an exception of the JSON library, or InputError with the reason only
Listed parse_line(std::string_view line) {
    const json object = json::parse(line);
    Listed listed;
    listed.operators = object.at("nodes").get<std::vector<int>>();
    const std::size_t count = listed.operators.size();
    if (count == 0) throw InputError("it has no nodes");
    listed.parents.resize(count);
    listed.children.resize(count);
    for (const auto& [from, to] :
         object.at("edges").get<std::vector<std::pair<std::size_t, std::size_t>>>()) {
        if (from >= count || to >= count || from == to)
            throw InputError(fmt::format("an edge goes from {} to {}, of {} nodes", from, to, count));
        listed.parents[to].push_back(static_cast<std::uint32_t>(from));
        listed.children[from].push_back(static_cast<std::uint32_t>(to));
    }
    return listed;
}

/// Nodes in topological order.
std::vector<std::uint32_t> order_of(const Listed& listed) {
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> waits;
    for (std::size_t n = 0; n < listed.parents.size(); ++n) {
        waits.push_back(listed.parents[n].size());
        if (waits.back() == 0) order.push_back(static_cast<std::uint32_t>(n));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const std::uint32_t child : listed.children[order[i]]) {
            if (--waits[child] == 0) order.push_back(child);
        }
    }
    if (order.size() != listed.parents.size()) throw InputError("its edges make a cycle");
    return order;
}

SmallGraph graph_of(const Listed& listed, Vocabulary& labels) {
    const std::vector<std::uint32_t> order = order_of(listed);
    std::vector<std::uint32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);
    std::vector<Node> nodes;
    for (const std::uint32_t n : order) {
        Node node;
        node.label = labels.add({Kind::compute, Role::none, fmt::format("{}", listed.operators[n])});
        for (const std::uint32_t parent : listed.parents[n]) node.parents.push_back(place[parent]);
        nodes.push_back(std::move(node));
    }
    return layered({}, std::move(nodes), std::vector<std::int64_t>(order.size(), 1));
}

}  // namespace

void read_operator_lists(const std::string& path, Corpus& corpus) {
    const ir::Source source = ir::Source::file(path);
    std::string_view text = source.text();
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        try {
            corpus.graphs.push_back(graph_of(parse_line(line), corpus.labels));
        } catch (const json::exception& error) {
            throw InputError(fmt::format("{}:{}: no graph of operators: {}", path, number, error.what()));
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}:{}: {}", path, number, error.what()));
        }
        corpus.names.push_back(fmt::format("{}:{}", path, number));
    }
}

bool is_operator_list(const std::string& path) {
    return path.ends_with(".jsonl") || path.ends_with(".jsonl.gz");
}

}  // namespace dse::synth
