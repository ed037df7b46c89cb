#include "frame.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::frontend {

using graph::Item;
using graph::ValueRef;
using Source = ValueRef::Source;

namespace {

constexpr std::size_t most_numbered = std::numeric_limits<std::uint16_t>::max();

}  // namespace

std::size_t Frame::add(Item item) {
    if (region_.items.size() >= most_numbered)
        throw ModelError(fmt::format("'{}' has more than {} operations in a row (loops are not counted out)",
                                     region_.name, most_numbered));
    if (item.kind == Item::Kind::node && item.stream == graph::compute_stream)
        last_kernel_ = ValueRef::item(region_.items.size());
    region_.items.push_back(std::move(item));
    return region_.items.size() - 1;
}

ValueRef Frame::candidate(const Leaf& init) {
    if (candidates_.size() >= most_numbered)
        throw ModelError(fmt::format("'{}' carries more than {} values", region_.name, most_numbered));
    const ValueRef self = ValueRef::port(candidates_.size());
    candidates_.push_back({init, {self, level_, 0, init.memory}});
    return self;
}

ValueRef Frame::captured(const Leaf& init) {
    for (const std::size_t i : captured_) {
        if (candidates_[i].init.ref == init.ref) return ValueRef::port(i);
    }
    captured_.push_back(candidates_.size());
    return candidate(init);
}

void Frame::output(std::size_t candidate, const Leaf& value) {
    candidates_[candidate].next = value;
}

std::vector<ValueRef> Frame::take_waits() {
    return std::exchange(waits_, {});
}

bool Frame::is_unchanged(std::size_t i) const {
    const ValueRef next = candidates_[i].next.ref;
    return next.source == Source::port && next.index == i;
}

/// Finds the streams that may produce each candidate, in any iteration.
void Frame::find_streams() {
    for (Candidate& candidate : candidates_) {
        candidate.streams = candidate.init.streams;
        if (candidate.next.ref.source == Source::item) candidate.streams |= candidate.next.streams;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (Candidate& candidate : candidates_) {
            if (candidate.next.ref.source != Source::port) continue;
            const StreamSet more = candidate.streams | candidates_[candidate.next.ref.index].streams;
            changed = changed || more != candidate.streams;
            candidate.streams = more;
        }
    }
}

/// Marks the candidates that need a port for a use of a value.
/// \param user  streams of the user; they need no port for values that they produced themselves
void Frame::require(ValueRef value, StreamSet user) {
    while (value.source == Source::port) {
        Candidate& candidate = candidates_[value.index];
        if (candidate.needed || (candidate.streams & ~user) == 0) return;
        candidate.needed = true;
        value = candidate.next.ref;
        user = 0;
    }
}

void Frame::find_needed() {
    for (const Item& item : region_.items) {
        const StreamSet user = item.kind == Item::Kind::node ? only(item.stream) : 0;
        for (const ValueRef input : item.inputs) require(input, user);
    }
    // Values that leave the loop and that not only kernels produce may be used after it.
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const bool by_others = (candidates_[i].streams & ~only(graph::compute_stream)) != 0;
        if (!is_unchanged(i) && by_others) require(ValueRef::port(i), 0);
    }
}

graph::Region Frame::finish_entry() {
    DSE_REQUIRE(candidates_.empty());
    return std::move(region_);
}

FinishedFrame Frame::finish_body() {
    find_streams();
    find_needed();
    FinishedFrame result;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const Candidate& candidate = candidates_[i];
        PortFate fate{std::nullopt, is_unchanged(i)};
        if (candidate.needed) {
            fate.port = static_cast<std::uint16_t>(result.inputs.size());
            result.inputs.push_back(candidate.init);
            result.streams.push_back(candidate.streams);
        }
        result.fates.push_back(fate);
    }
    const auto renumbered = [&](ValueRef value) {
        if (value.source != Source::port) return value;
        const auto& port = result.fates[value.index].port;
        return port ? ValueRef::port(*port) : ValueRef::none();
    };
    for (Item& item : region_.items) {
        for (ValueRef& input : item.inputs) input = renumbered(input);
        // A repeat needs a value for every port, so that none may be removed there.
        if (item.kind == Item::Kind::node) std::erase(item.inputs, ValueRef::none());
    }
    for (const Candidate& candidate : candidates_) {
        if (candidate.needed) region_.outputs.push_back(renumbered(candidate.next.ref));
    }
    if (last_kernel_) {
        result.kernels_done = static_cast<std::uint16_t>(result.inputs.size());
        result.inputs.emplace_back();
        result.streams.push_back(only(graph::compute_stream));
        region_.outputs.push_back(renumbered(*last_kernel_));
    }
    if (result.inputs.size() > graph::most_values)
        throw ModelError(
            fmt::format("'{}' carries {} values that other streams wait for; at most {} can be played",
                        region_.name, result.inputs.size(), graph::most_values));
    region_.ports = static_cast<std::uint16_t>(result.inputs.size());
    result.region = std::move(region_);
    return result;
}

}  // namespace dse::frontend
