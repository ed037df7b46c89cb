#include "trace/chakra/trace_builder.hpp"

#include <array>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/hash.hpp"
#include "trace/chakra/node_index.hpp"
#include "trace/chakra/process_groups.hpp"

namespace dse::trace::chakra {
namespace {

constexpr std::size_t most_entries = std::numeric_limits<std::uint32_t>::max();

std::uint64_t packed(std::uint32_t high, std::uint32_t low) {
    return (std::uint64_t{high} << 32U) | low;
}

std::array<std::uint64_t, 9> members_of(const TraceStep& step) {
    return {
        step.id,
        step.start_micros,
        step.duration_micros,
        static_cast<std::uint64_t>(step.num_ops),
        static_cast<std::uint64_t>(step.tensor_size),
        packed(step.name, step.first_control),
        packed(step.first_data, step.communication),
        packed(static_cast<std::uint32_t>(step.stream), static_cast<std::uint32_t>(step.thread)),
        packed(step.present.bits(), static_cast<std::uint32_t>(step.type) * 2U + (step.is_cpu_op ? 1U : 0U))};
}

std::array<std::uint64_t, 5> members_of(const Communication& communication) {
    return {static_cast<std::uint64_t>(communication.size), packed(communication.group, communication.source),
            packed(communication.destination, communication.tag),
            packed(static_cast<std::uint32_t>(communication.priority), communication.involved),
            packed(communication.dimensions, static_cast<std::uint32_t>(communication.type))};
}

template <class T>
void add(RunningChecksum& sum, const std::vector<T>& values) {
    sum.add(std::as_bytes(std::span{values}));
}

/// Adds the fields of values with padding bytes, in batches.
template <class T>
void add_fields(RunningChecksum& sum, const std::vector<T>& values) {
    constexpr std::size_t batch = 256;
    std::vector<decltype(members_of(values.front()))> fields;
    fields.reserve(batch);
    for (const T& value : values) {
        fields.push_back(members_of(value));
        if (fields.size() < batch) continue;
        add(sum, fields);
        fields.clear();
    }
    add(sum, fields);
}

}  // namespace

TraceBuilder::TraceBuilder(TraceFaults& faults) : faults_{faults} {}

void TraceBuilder::add(DecodedNode& node) {
    const std::size_t index = trace_.steps_.size();
    if (ids_.size() + node.control.size() + node.data.size() >= most_entries)
        throw InputError("a trace of more than 4 billion dependencies");
    TraceStep& step = trace_.steps_.emplace_back(node.step);
    step.name = names_.add(node.name);
    step.first_control = static_cast<std::uint32_t>(ids_.size());
    ids_.insert(ids_.end(), node.control.begin(), node.control.end());
    step.first_data = static_cast<std::uint32_t>(ids_.size());
    ids_.insert(ids_.end(), node.data.begin(), node.data.end());
    if (node.communicates || step.type >= NodeType::comm_send) add_communication(node, step);
    if (step.type == NodeType::metadata && node.name.find(process_group_node) != std::string_view::npos &&
        !node.input_values.empty() && !read_process_groups(node.input_values, declared_))
        node.wrong(TraceFault::Kind::bad_group, "its process groups cannot be read");
    for (const auto& [kind, text] : node.faults) tell(kind, index, text);
}

void TraceBuilder::add_communication(const DecodedNode& node, TraceStep& step) {
    step.communication = static_cast<std::uint32_t>(trace_.communications_.size());
    Communication& communication = trace_.communications_.emplace_back(node.communication);
    const FieldSet& has = step.present;
    if (has.contains(TraceField::pg_name)) communication.group = groups_.add(std::string{node.group});
    if (has.contains(TraceField::comm_src)) communication.source = ranks_.add(node.source);
    if (has.contains(TraceField::comm_dst)) communication.destination = ranks_.add(node.destination);
    if (has.contains(TraceField::comm_tag)) communication.tag = tags_.add(node.tag);
}

void TraceBuilder::tell(TraceFault::Kind kind, std::size_t node, std::string_view text) {
    if (++faults_.count > TraceFaults::most) return;
    const TraceStep& step = trace_.steps_[node];
    const std::string place = place_of(NodeIndex{node}, step.id, names_[step.name]);
    faults_.all.push_back({kind, NodeIndex{node}, fmt::format("{}: {}", place, text)});
}

void TraceBuilder::resolve_dependencies() {
    const NodesById nodes{trace_.steps_};
    for (const std::uint32_t node : nodes.duplicates())
        tell(TraceFault::Kind::duplicate_id, node, "an earlier node has this id");
    trace_.dependencies_.reserve(ids_.size());
    const auto resolve = [&](std::size_t node, std::size_t first, std::size_t last, std::string_view by) {
        const auto begin = static_cast<std::uint32_t>(trace_.dependencies_.size());
        for (std::size_t d = first; d < last; ++d) {
            const std::uint32_t found = nodes.find(ids_[d]);
            if (found == NodesById::none) {
                tell(TraceFault::Kind::unknown_dependency, node,
                     fmt::format("it depends by {} on node {}, which is not there", by, ids_[d]));
            } else {
                trace_.dependencies_.emplace_back(found);
            }
        }
        return begin;
    };
    for (std::size_t node = 0; node < trace_.steps_.size(); ++node) {
        TraceStep& step = trace_.steps_[node];
        const std::size_t end =
            node + 1 < trace_.steps_.size() ? trace_.steps_[node + 1].first_control : ids_.size();
        const std::size_t middle = step.first_data;
        step.first_control = resolve(node, step.first_control, middle, "control");
        step.first_data = resolve(node, middle, end, "data");
    }
}

std::uint64_t TraceBuilder::checksum() const {
    RunningChecksum sum;
    add_fields(sum, trace_.steps_);
    add_fields(sum, trace_.communications_);
    dse::trace::chakra::add(sum, trace_.dependencies_);
    dse::trace::chakra::add(sum, trace_.name_begins_);
    sum.add(std::as_bytes(std::span{trace_.names_}));
    return sum.value();
}

RankTrace TraceBuilder::finish() {
    resolve_dependencies();
    ids_ = {};
    std::tie(trace_.names_, trace_.name_begins_) = names_.take();
    trace_.steps_.shrink_to_fit();
    trace_.communications_.shrink_to_fit();
    trace_.dependencies_.shrink_to_fit();
    trace_.name_begins_.shrink_to_fit();
    trace_.names_.shrink_to_fit();
    trace_.checksum_ = checksum();
    RankTrace result;
    result.trace = std::make_shared<const Trace>(std::move(trace_));
    result.groups = groups_.take();
    result.ranks = ranks_.take();
    result.tags = tags_.take();
    result.declared = std::move(declared_);
    return result;
}

}  // namespace dse::trace::chakra
