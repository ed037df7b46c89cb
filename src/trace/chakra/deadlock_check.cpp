#include "trace/chakra/deadlock_check.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/trace/chakra/trace_graph.hpp"
#include "trace/chakra/message_key.hpp"

namespace dse::trace::chakra {
namespace {

enum class Streams : std::uint8_t { by_dependencies, one_collective_after_the_other };

bool is_meeting(const TraceStep& step) {
    return step.type == NodeType::comm_coll && !step.is_cpu_op;
}

/// What waits for what inside a trace, the same for all ranks of a program.
class Program {
  public:
    Program(const Trace& trace, Streams streams) : before_in_stream_(trace.size()) {
        if (streams == Streams::one_collective_after_the_other) find_streams(trace);
        link(trace);
        // Ids and times of damaged traces may contradict dependencies: they say nothing of streams then.
        if (is_cyclic()) {
            before_in_stream_.assign(trace.size(), std::nullopt);
            link(trace);
        }
    }

    /// Number of nodes that each node waits for.
    [[nodiscard]] const std::vector<std::uint32_t>& waits() const { return waits_; }
    /// The nodes that wait for a node.
    [[nodiscard]] std::span<const NodeIndex> after(NodeIndex node) const {
        const std::size_t first = begins_[node.index()];
        return {later_.data() + first, begins_[node.index() + 1] - first};
    }
    /// The collective before a collective of the same stream.
    [[nodiscard]] std::optional<NodeIndex> before_in_stream(NodeIndex node) const {
        return before_in_stream_[node.index()];
    }

  private:
    void find_streams(const Trace& trace) {
        for (const LaneNodes& lane : nodes_by_lane(trace)) {
            if (lane.lane.place == Lane::Place::host || !lane.lane.number) continue;
            std::optional<NodeIndex> last;
            for (const NodeIndex node : lane.nodes) {
                if (!is_meeting(trace.step(node))) continue;
                before_in_stream_[node.index()] = last;
                last = node;
            }
        }
    }

    void link(const Trace& trace) {
        std::vector<std::pair<NodeIndex, NodeIndex>> edges;
        for (std::size_t n = 0; n < trace.size(); ++n) {
            for (const NodeIndex other : trace.dependencies(NodeIndex{n}))
                edges.emplace_back(other, NodeIndex{n});
            if (before_in_stream_[n]) edges.emplace_back(*before_in_stream_[n], NodeIndex{n});
        }
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        waits_.assign(trace.size(), 0);
        begins_.assign(trace.size() + 1, 0);
        later_.clear();
        for (const auto& [first, second] : edges) {
            ++waits_[second.index()];
            ++begins_[first.index() + 1];
            later_.push_back(second);
        }
        for (std::size_t n = 1; n < begins_.size(); ++n) begins_[n] += begins_[n - 1];
    }

    [[nodiscard]] bool is_cyclic() const {
        std::vector<std::uint32_t> left = waits_;
        std::vector<NodeIndex> ready;
        for (std::size_t n = 0; n < left.size(); ++n)
            if (left[n] == 0) ready.emplace_back(n);
        std::size_t ended = 0;
        for (; !ready.empty(); ++ended) {
            const NodeIndex node = ready.back();
            ready.pop_back();
            for (const NodeIndex next : after(node))
                if (--left[next.index()] == 0) ready.push_back(next);
        }
        return ended < left.size();
    }

    std::vector<std::optional<NodeIndex>> before_in_stream_;
    std::vector<std::uint32_t> waits_;
    std::vector<std::size_t> begins_;  ///< of each node in later_
    std::vector<NodeIndex> later_;
};

struct NodePlace {
    std::size_t rank{0};
    NodeIndex node;
    friend bool operator==(const NodePlace&, const NodePlace&) = default;
};

/// A collective as all its members name it: the n-th of its kind and size in its group.
struct MeetingKey {
    std::size_t group{0};  ///< numbered by first use
    CommType kind{CommType::all_reduce};
    std::int64_t size{0};
    std::uint64_t number{0};
    friend auto operator<=>(const MeetingKey&, const MeetingKey&) = default;
};

class Play {
  public:
    Play(const TraceSet& set, const Groups& groups, Streams streams) : set_{set} {
        programs_.reserve(set.programs);
        for (std::size_t rank = 0; rank < set.ranks.size(); ++rank) {
            if (set.program[rank] == programs_.size())
                programs_.emplace_back(*set.ranks[rank].trace, streams);
            left_.push_back(programs_[set.program[rank]].waits());
            has_ended_.emplace_back(left_.back().size(), false);
            find_meetings(rank, groups);
        }
        for (std::size_t rank = 0; rank < set.ranks.size(); ++rank) {
            for (std::size_t n = 0; n < left_[rank].size(); ++n) {
                if (left_[rank][n] == 0) begin({rank, NodeIndex{n}});
            }
        }
        while (!ended_.empty()) {
            const NodePlace place = ended_.back();
            ended_.pop_back();
            for (const NodeIndex next : programs_[set_.program[place.rank]].after(place.node)) {
                if (--left_[place.rank][next.index()] == 0) begin({place.rank, next});
            }
        }
    }

    /// Ranks that wait for each other: each place waits for the rank of the next one, and the last for the
    /// first. Empty if no two ranks do.
    [[nodiscard]] std::vector<NodePlace> cycle() const {
        for (std::size_t rank = 0; rank < left_.size(); ++rank) {
            for (std::size_t n = 0; n < left_[rank].size(); ++n) {
                if (!has_ended_[rank][n]) return cycle_from({rank, NodeIndex{n}});
            }
        }
        return {};
    }

  private:
    struct Meeting {
        std::vector<NodePlace> places;  ///< of all members
        std::size_t came{0};
        std::size_t members{0};
    };
    struct Channel {
        std::int64_t sent{0};
        std::vector<NodePlace> sends;
        std::map<std::uint64_t, NodePlace> waiting;  ///< receives that have begun, by id
    };

    void find_meetings(std::size_t rank, const Groups& groups) {
        const RankTrace& own = set_.ranks[rank];
        std::vector<std::pair<std::uint64_t, NodeIndex>> all;
        for (std::size_t n = 0; n < own.trace->size(); ++n) {
            const TraceStep& step = own.trace->step(NodeIndex{n});
            if (is_meeting(step)) all.emplace_back(step.id, NodeIndex{n});
            if (step.type == NodeType::comm_send)
                channels_[key_of({rank, NodeIndex{n}})].sends.push_back({rank, NodeIndex{n}});
        }
        std::sort(all.begin(), all.end());
        meeting_of_.emplace_back(own.trace->size(), nullptr);
        std::map<MeetingKey, std::uint64_t> numbers;
        for (const auto& [id, node] : all) {
            const Communication& communication = own.trace->communication(node);
            const std::string_view group = own.group(communication);
            MeetingKey key{number_of(group), communication.type, communication.size, 0};
            key.number = numbers[key]++;
            Meeting& meeting = meetings_[key];
            const auto* members = groups.find(group);
            meeting.members = members == nullptr ? 1 : members->size();
            meeting.places.push_back({rank, node});
            meeting_of_.back()[node.index()] = &meeting;
        }
    }

    std::size_t number_of(std::string_view group) {
        const auto found = groups_.find(group);
        if (found != groups_.end()) return found->second;
        return groups_.emplace(std::string{group}, groups_.size()).first->second;
    }

    [[nodiscard]] Meeting* meeting_of(const NodePlace& place) const {
        return meeting_of_[place.rank][place.node.index()];
    }

    [[nodiscard]] MessageKey key_of(const NodePlace& place) const {
        const RankTrace& own = set_.ranks[place.rank];
        const Communication& communication = own.trace->communication(place.node);
        const bool sends = own.trace->step(place.node).type == NodeType::comm_send;
        const auto self = static_cast<std::int64_t>(place.rank);
        return {sends ? self : own.source(communication).value_or(-1),
                sends ? own.destination(communication).value_or(-1) : self,
                own.tag(communication).value_or(0), communication.size};
    }

    void end(const NodePlace& place) {
        has_ended_[place.rank][place.node.index()] = true;
        ended_.push_back(place);
    }

    void begin(const NodePlace& place) {
        const TraceStep& step = set_.ranks[place.rank].trace->step(place.node);
        if (is_meeting(step)) {
            Meeting& meeting = *meeting_of(place);
            if (++meeting.came < meeting.members) return;
            for (const NodePlace& each : meeting.places) end(each);
        } else if (step.type == NodeType::comm_recv) {
            Channel& channel = channels_[key_of(place)];
            channel.waiting.emplace(step.id, place);
            deliver(channel);
        } else {
            end(place);
            if (step.type != NodeType::comm_send) return;
            Channel& channel = channels_[key_of(place)];
            ++channel.sent;
            deliver(channel);
        }
    }

    /// Messages arrive in the order in which they are sent: the first is for the first of the receives.
    void deliver(Channel& channel) {
        for (; channel.sent > 0 && !channel.waiting.empty(); --channel.sent) {
            end(channel.waiting.begin()->second);
            channel.waiting.erase(channel.waiting.begin());
        }
    }

    /// A node that has begun and waits for other ranks, and for which this node waits, if it does not wait
    /// itself.
    [[nodiscard]] NodePlace awaited(NodePlace place) const {
        const Trace& trace = *set_.ranks[place.rank].trace;
        while (left_[place.rank][place.node.index()] > 0) {
            std::optional<NodeIndex> before;
            for (const NodeIndex other : trace.dependencies(place.node)) {
                if (!has_ended_[place.rank][other.index()]) before = other;
            }
            if (!before) before = programs_[set_.program[place.rank]].before_in_stream(place.node);
            if (!before) break;
            place.node = *before;
        }
        return place;
    }

    /// What a waiting node waits for on another rank.
    [[nodiscard]] std::optional<NodePlace> missing(const NodePlace& place) const {
        const auto lacks = [&](const NodePlace& each) { return left_[each.rank][each.node.index()] > 0; };
        if (const Meeting* meeting = meeting_of(place)) {
            const auto& places = meeting->places;
            const auto found = std::find_if(places.begin(), places.end(), lacks);
            return found == places.end() ? std::nullopt : std::optional{*found};
        }
        if (set_.ranks[place.rank].trace->step(place.node).type != NodeType::comm_recv) return std::nullopt;
        const auto& sends = channels_.at(key_of(place)).sends;
        const auto found = std::find_if(sends.begin(), sends.end(), lacks);
        return found == sends.end() ? std::nullopt : std::optional{*found};
    }

    [[nodiscard]] std::vector<NodePlace> cycle_from(NodePlace place) const {
        std::vector<NodePlace> path;
        for (;;) {
            place = awaited(place);
            const auto seen = std::find(path.begin(), path.end(), place);
            if (seen != path.end()) {
                path.erase(path.begin(), seen);
                return path.size() > 1 ? path : std::vector<NodePlace>{};
            }
            path.push_back(place);
            const auto next = missing(place);
            if (!next) return {};
            place = *next;
        }
    }

    const TraceSet& set_;
    std::vector<Program> programs_;
    std::vector<std::vector<std::uint32_t>> left_;  ///< by rank and node: nodes that it still waits for
    std::vector<std::vector<bool>> has_ended_;
    std::map<MeetingKey, Meeting> meetings_;
    std::vector<std::vector<Meeting*>> meeting_of_;  ///< by rank and node; nullptr: it is none
    std::map<std::string, std::size_t, std::less<>> groups_;
    std::map<MessageKey, Channel> channels_;
    std::vector<NodePlace> ended_;  ///< whose followers do not know yet
};

std::string text_of(const std::vector<NodePlace>& cycle, const TraceSet& set) {
    constexpr std::size_t most = 6;
    std::vector<std::string> waits;
    for (std::size_t i = 0; i < std::min(most, cycle.size()); ++i) {
        const NodePlace& place = cycle[i];
        waits.push_back(fmt::format("rank {} waits in {} for rank {}", place.rank,
                                    set.ranks[place.rank].place(place.node),
                                    cycle[(i + 1) % cycle.size()].rank));
    }
    if (cycle.size() > most) waits.push_back(fmt::format("{} more", cycle.size() - most));
    return fmt::format("{}", fmt::join(waits, ", "));
}

}  // namespace

void check_deadlock(const TraceSet& set, const Groups& groups, Findings& findings) {
    for (const Streams streams : {Streams::by_dependencies, Streams::one_collective_after_the_other}) {
        const std::vector<NodePlace> cycle = Play{set, groups, streams}.cycle();
        if (cycle.empty()) continue;
        const bool by_streams = streams == Streams::one_collective_after_the_other;
        findings.add(FindingKind::deadlock,
                     text_of(cycle, set) + (by_streams ? " (collectives of a stream run one by one)" : ""));
        return;
    }
}

}  // namespace dse::trace::chakra
