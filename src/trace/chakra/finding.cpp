#include <algorithm>
#include <array>
#include <utility>

#include "dse/trace/chakra/trace_check.hpp"

namespace dse::trace::chakra {
namespace {

struct Description {
    FindingKind kind;
    Severity severity;
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array descriptions{
    Description{FindingKind::bad_record, Severity::error, "bad record",
                "simulators stop here, wait for ever, or take a zero"},
    Description{FindingKind::cycle, Severity::error, "cycle", "none of these nodes can ever start"},
    Description{FindingKind::invalid_node, Severity::error, "invalid node",
                "a node without a type: its operation is unknown"},
    Description{FindingKind::missing_attribute, Severity::error, "missing attribute",
                "simulators take a zero for it, or what memory held before"},
    Description{FindingKind::unknown_group, Severity::error, "unknown group",
                "who meets in the collective is not known"},
    Description{FindingKind::not_a_member, Severity::error, "not a member",
                "the rank waits in a group that is not its own"},
    Description{FindingKind::members_disagree, Severity::error, "members disagree",
                "a collective that not all members enter never ends"},
    Description{FindingKind::bad_peer, Severity::error, "bad peer", "the message has no such end"},
    Description{FindingKind::unmatched_send, Severity::error, "send without receive",
                "no rank receives the message: its sender may wait for ever"},
    Description{FindingKind::unmatched_receive, Severity::error, "receive without send",
                "the receiver waits for ever"},
    Description{FindingKind::deadlock, Severity::error, "deadlock",
                "ranks wait for each other, and none of them ever goes on"},
    Description{FindingKind::zero_bytes, Severity::warning, "zero bytes",
                "communication of nothing costs latency at most: was its size lost?"},
    Description{
        FindingKind::no_time, Severity::warning, "no time",
        "a kernel with neither a duration nor operations and bytes takes no time; ASTRA-sim never goes "
        "on after one without bytes"},
    Description{
        FindingKind::unordered_lane, Severity::warning, "unordered stream",
        "a simulator may run these side by side, or the other way around, though they shared a stream"},
    Description{FindingKind::nothing_waits, Severity::warning, "nothing waits",
                "device nodes whose end holds nothing up: was what waited for them lost?"},
    Description{FindingKind::counted_in_elements, Severity::warning, "counted in elements",
                "simulators take the sizes for bytes: communication and memory traffic come out too small"},
    Description{FindingKind::other_order, Severity::note, "other order",
                "by their ids, members of a group meet in different orders: only dependencies keep them from "
                "waiting for each other"},
    Description{FindingKind::untimed, Severity::note, "no duration",
                "others have a recorded duration: these are wrappers, or their kernels were not matched"},
    Description{FindingKind::no_streams, Severity::note, "no streams",
                "the order of what could run next is the simulator's choice"},
};

const Description& description(FindingKind kind) {
    return descriptions[static_cast<std::size_t>(kind)];
}

}  // namespace

Severity severity(FindingKind kind) {
    return description(kind).severity;
}

std::string_view name(Severity severity) {
    constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
    return names[static_cast<std::size_t>(severity)];
}

std::string_view name(FindingKind kind) {
    return description(kind).name;
}

std::string_view meaning(FindingKind kind) {
    return description(kind).meaning;
}

void Findings::add(FindingKind kind, std::string example, std::uint64_t count) {
    const auto place = std::lower_bound(findings_.begin(), findings_.end(), kind,
                                        [](const Finding& f, FindingKind k) { return f.kind < k; });
    const bool is_new = place == findings_.end() || place->kind != kind;
    Finding& finding = is_new ? *findings_.insert(place, Finding{kind, 0, {}}) : *place;
    finding.count += count;
    if (finding.examples.size() < Finding::most_examples) finding.examples.push_back(std::move(example));
}

const Finding* Findings::find(FindingKind kind) const {
    const auto found =
        std::find_if(findings_.begin(), findings_.end(), [kind](const Finding& f) { return f.kind == kind; });
    return found == findings_.end() ? nullptr : &*found;
}

bool Findings::ok() const {
    return std::none_of(findings_.begin(), findings_.end(),
                        [](const Finding& f) { return severity(f.kind) == Severity::error; });
}

}  // namespace dse::trace::chakra
