#include "dse/trace/chakra/trace.hpp"

#include <fmt/format.h>

namespace dse::trace::chakra {
namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
    return values.capacity() * sizeof(T);
}

std::optional<std::int64_t> at(const std::vector<std::int64_t>& values, std::uint32_t slot) {
    if (slot == TraceStep::none) return std::nullopt;
    return values[slot];
}

}  // namespace

std::string place_of(NodeIndex node, std::uint64_t id, std::string_view name) {
    constexpr std::size_t records_before = 2;
    constexpr std::size_t most = 72;
    return fmt::format("record {} (node {} '{}{}')", node.index() + records_before, id, name.substr(0, most),
                       name.size() > most ? "…" : "");
}

std::string_view Trace::name(NodeIndex node) const {
    const std::uint32_t slot = step(node).name;
    return std::string_view{names_}.substr(name_begins_[slot], name_begins_[slot + 1] - name_begins_[slot]);
}

std::uint32_t Trace::end_of_dependencies(std::size_t node) const {
    return node + 1 < steps_.size() ? steps_[node + 1].first_control
                                    : static_cast<std::uint32_t>(dependencies_.size());
}

std::span<const NodeIndex> Trace::control(NodeIndex node) const {
    return dependencies(step(node).first_control, step(node).first_data);
}

std::span<const NodeIndex> Trace::data(NodeIndex node) const {
    return dependencies(step(node).first_data, end_of_dependencies(node.index()));
}

std::span<const NodeIndex> Trace::dependencies(NodeIndex node) const {
    return dependencies(step(node).first_control, end_of_dependencies(node.index()));
}

std::size_t Trace::memory() const {
    return sizeof(Trace) + bytes_of(steps_) + bytes_of(dependencies_) + bytes_of(communications_) +
           bytes_of(name_begins_) + names_.capacity();
}

bool operator==(const Trace& a, const Trace& b) {
    return a.checksum_ == b.checksum_ && a.steps_ == b.steps_ && a.dependencies_ == b.dependencies_ &&
           a.communications_ == b.communications_ && a.name_begins_ == b.name_begins_ && a.names_ == b.names_;
}

std::string_view RankTrace::group(const Communication& communication) const {
    if (communication.group == TraceStep::none) return {};
    return groups[communication.group];
}

std::optional<std::int64_t> RankTrace::source(const Communication& communication) const {
    return at(ranks, communication.source);
}

std::optional<std::int64_t> RankTrace::destination(const Communication& communication) const {
    return at(ranks, communication.destination);
}

std::optional<std::int64_t> RankTrace::tag(const Communication& communication) const {
    return at(tags, communication.tag);
}

std::string RankTrace::place(NodeIndex node) const {
    return place_of(node, trace->step(node).id, trace->name(node));
}

}  // namespace dse::trace::chakra
