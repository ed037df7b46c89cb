#include "rank_program.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_graph.hpp"
#include "dse/trace/chakra/trace_reader.hpp"

namespace dse::synth {
namespace {

namespace chakra = trace::chakra;
using chakra::NodeIndex;
using chakra::NodeType;
using chakra::TraceStep;

/// Assumed traffic of a kernel of which only the duration is known: 1 TB/s.
constexpr double bytes_a_microsecond = 1e6;

/// Limits what a node inherits from dropped parents, which may have many dependencies; the latest are kept.
constexpr std::size_t most_inherited = 8;

bool is_left_out(const TraceStep& step) {
    return step.type == NodeType::invalid || step.type == NodeType::metadata || step.is_cpu_op;
}

Kind kind_of(NodeType type) {
    switch (type) {
        case NodeType::mem_load:
            return Kind::load;
        case NodeType::mem_store:
            return Kind::store;
        case NodeType::comm_send:
            return Kind::send;
        case NodeType::comm_recv:
            return Kind::receive;
        case NodeType::comm_coll:
            return Kind::collective;
        default:
            return Kind::compute;
    }
}

/// The attribute op_type of each node; empty if the file has none.
std::vector<std::string> operator_types(const std::string& path, std::size_t nodes) {
    std::vector<std::string> types(nodes);
    try {
        chakra::TraceReader reader{path};
        chakra::TraceNode node;
        for (std::size_t n = 0; n < nodes && reader.next(node); ++n) types[n] = node.text("op_type");
    } catch (const InputError&) {
        // MLCommons' JSON traces are not files of records and have no such attribute.
    }
    return types;
}

class Reading {
  public:
    Reading(const chakra::RankTrace& rank_trace, std::int64_t rank, const chakra::Groups& groups,
            Vocabulary& labels)
        : trace_{*rank_trace.trace},
          rank_trace_{rank_trace},
          rank_{rank},
          groups_{groups},
          labels_{labels},
          waits_{chakra::find_cycle(trace_).empty() ? chakra::Waits::for_all : chakra::Waits::for_data} {}

    RankProgram run() {
        const auto order = chakra::dependency_order(trace_, waits_);
        if (!order)
            throw InputError(fmt::format("'{}': its data dependencies are a cycle (dse et check tells more)",
                                         rank_trace_.path));
        types_ = operator_types(rank_trace_.path, trace_.size());
        stands_for_.resize(trace_.size());
        for (const NodeIndex node : *order) add(node);
        return std::move(program_);
    }

  private:
    void add(NodeIndex node);
    [[nodiscard]] std::vector<std::uint32_t> parents_of(NodeIndex node) const;
    [[nodiscard]] Label label_of(NodeIndex node);
    [[nodiscard]] Role role_of(const chakra::Communication& communication);
    [[nodiscard]] Role message_role(const chakra::Communication& communication, bool sends);
    [[nodiscard]] Volumes volumes_of(NodeIndex node) const;

    const chakra::Trace& trace_;
    const chakra::RankTrace& rank_trace_;
    std::int64_t rank_;
    const chakra::Groups& groups_;
    Vocabulary& labels_;
    chakra::Waits waits_;
    std::vector<std::string> types_;
    /// By node of the trace: its node of the program or, if it is dropped, the nodes it waits for.
    std::vector<std::vector<std::uint32_t>> stands_for_;
    RankProgram program_;
};

/// The representatives of its data dependencies or, if it has none, of its control dependencies.
std::vector<std::uint32_t> Reading::parents_of(NodeIndex node) const {
    std::vector<std::uint32_t> parents;
    const auto take = [&](std::span<const NodeIndex> from) {
        for (const NodeIndex other : from) {
            const auto& stand = stands_for_[other.index()];
            parents.insert(parents.end(), stand.begin(), stand.end());
        }
    };
    take(trace_.data(node));
    if (parents.empty() && waits_ == chakra::Waits::for_all) take(trace_.control(node));
    std::sort(parents.begin(), parents.end());
    parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
    return parents;
}

void Reading::add(NodeIndex node) {
    std::vector<std::uint32_t> parents = parents_of(node);
    if (is_left_out(trace_.step(node))) {
        if (parents.size() > most_inherited) parents.erase(parents.begin(), parents.end() - most_inherited);
        stands_for_[node.index()] = std::move(parents);
        return;
    }
    stands_for_[node.index()] = {static_cast<std::uint32_t>(program_.nodes.size())};
    program_.nodes.push_back({labels_.add(label_of(node)), volumes_of(node), std::move(parents)});
}

Label Reading::label_of(NodeIndex node) {
    const TraceStep& step = trace_.step(node);
    const Kind kind = kind_of(step.type);
    if (kind == Kind::compute) {
        const std::string& type = types_[node.index()];
        return {kind, Role::none, type.empty() ? operator_in(trace_.name(node)) : type};
    }
    if (!trace_.communicates(node)) return {kind, Role::none, ""};
    const chakra::Communication& communication = trace_.communication(node);
    if (kind == Kind::collective)
        return {kind, role_of(communication), std::string{name(communication.type)}};
    if (kind == Kind::send || kind == Kind::receive)
        return {kind, message_role(communication, kind == Kind::send), ""};
    return {kind, Role::none, ""};
}

Role Reading::role_of(const chakra::Communication& communication) {
    std::vector<std::int64_t> members = groups_.members(rank_trace_.group(communication));
    std::sort(members.begin(), members.end());
    const auto size = static_cast<std::int64_t>(members.size());
    const bool neighbours = size > 1 && members.back() - members.front() == size - 1;
    if (size >= groups_.ranks()) return Role::all;
    if (!neighbours) return Role::far;
    program_.near = std::max(program_.near, size);
    return Role::near;
}

Role Reading::message_role(const chakra::Communication& communication, bool sends) {
    const auto other = sends ? rank_trace_.destination(communication) : rank_trace_.source(communication);
    const std::int64_t stride = other ? std::abs(*other - rank_) : 0;
    if (stride > 0 && groups_.ranks() % stride == 0)
        program_.ring = std::max(program_.ring, groups_.ranks() / stride);
    return Role::ring;
}

Volumes Reading::volumes_of(NodeIndex node) const {
    const TraceStep& step = trace_.step(node);
    Volumes volumes{};
    if (trace_.communicates(node) && kind_of(step.type) != Kind::compute)
        volumes[static_cast<std::size_t>(Quantity::message)] =
            static_cast<double>(trace_.communication(node).size);
    else
        volumes[static_cast<std::size_t>(Quantity::bytes)] = static_cast<double>(step.tensor_size);
    if (step.type != NodeType::comp) return volumes;
    volumes[static_cast<std::size_t>(Quantity::flops)] = static_cast<double>(step.num_ops);
    if (step.num_ops <= 1 && step.tensor_size <= 1)
        volumes[static_cast<std::size_t>(Quantity::bytes)] =
            static_cast<double>(step.duration_micros) * bytes_a_microsecond;
    return volumes;
}

}  // namespace

RankProgram program_of(const chakra::RankTrace& trace, std::int64_t rank, const chakra::Groups& groups,
                       Vocabulary& labels) {
    return Reading{trace, rank, groups, labels}.run();
}

std::string operator_in(std::string_view node_name) {
    constexpr std::size_t longest = 32;
    const std::size_t slash = node_name.rfind('/');
    if (slash != std::string_view::npos) node_name.remove_prefix(slash + 1);
    std::string_view word = node_name.substr(0, node_name.find_first_of(".[(<# \t0123456789"));
    while (word.ends_with('_') || word.ends_with(':')) word.remove_suffix(1);
    return std::string{word.substr(0, longest)};
}

}  // namespace dse::synth
