#include "trace/chakra/meeting_check.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "trace/chakra/message_key.hpp"

namespace dse::trace::chakra {
namespace {

/// A collective as all its members must see it.
struct Meeting {
    CommType kind{CommType::all_reduce};
    std::int64_t size{0};
    friend auto operator<=>(const Meeting&, const Meeting&) = default;
};

/// The collectives of a rank in a group, in order of their ids.
using Meetings = std::vector<Meeting>;

std::string text_of(const Meeting& meeting) {
    return fmt::format("{} of {} bytes", name(meeting.kind), meeting.size);
}

class MeetingCheck {
  public:
    MeetingCheck(const TraceSet& set, const Groups& groups, Coverage coverage, Findings& findings)
        : set_{set}, groups_{groups}, coverage_{coverage}, findings_{findings} {}

    void run() {
        for (std::size_t rank = 0; rank < set_.ranks.size(); ++rank) collect(rank);
        if (coverage_ == Coverage::some_ranks) return;
        for (const auto& [group, by_rank] : meetings_) compare(group, by_rank);
    }

  private:
    void collect(std::size_t rank) {
        const RankTrace& own = set_.ranks[rank];
        const Trace& trace = *own.trace;
        std::vector<std::pair<std::uint64_t, NodeIndex>> collectives;
        for (std::size_t n = 0; n < trace.size(); ++n) {
            const TraceStep& step = trace.step(NodeIndex{n});
            if (step.type == NodeType::comm_coll && !step.is_cpu_op)
                collectives.emplace_back(step.id, NodeIndex{n});
        }
        std::sort(collectives.begin(), collectives.end());
        for (const auto& [id, node] : collectives) {
            const Communication& communication = trace.communication(node);
            const std::string group{own.group(communication)};
            if (is_there(group, rank, node))
                meetings_[group][rank].push_back({communication.type, communication.size});
        }
    }

    /// Whether the group is known and contains the rank.
    bool is_there(const std::string& group, std::size_t rank, NodeIndex node) {
        const RankTrace& own = set_.ranks[rank];
        const auto* members = groups_.find(group);
        if (members == nullptr) {
            findings_.add(FindingKind::unknown_group,
                          fmt::format("{}: {}: group '{}'", own.path, own.place(node), group));
            return false;
        }
        if (coverage_ == Coverage::some_ranks) return true;
        if (std::find(members->begin(), members->end(), static_cast<std::int64_t>(rank)) != members->end())
            return true;
        findings_.add(FindingKind::not_a_member, fmt::format("{}: {}: rank {} is not in group '{}'", own.path,
                                                             own.place(node), rank, group));
        return false;
    }

    void compare(const std::string& group, const std::map<std::size_t, Meetings>& by_rank) {
        const auto& [first_rank, first] = *by_rank.begin();
        Meetings sorted = first;
        std::sort(sorted.begin(), sorted.end());
        for (const std::int64_t member : *groups_.find(group)) {
            const auto found = by_rank.find(static_cast<std::size_t>(member));
            if (found == by_rank.end()) {
                findings_.add(FindingKind::members_disagree,
                              fmt::format("group '{}': rank {} has none of the {} collectives of rank {}",
                                          group, member, first.size(), first_rank));
                continue;
            }
            if (found->second == first) continue;
            Meetings other = found->second;
            std::sort(other.begin(), other.end());
            if (other == sorted) {
                findings_.add(FindingKind::other_order,
                              fmt::format("group '{}': ranks {} and {}", group, first_rank, member));
            } else {
                findings_.add(
                    FindingKind::members_disagree,
                    fmt::format("group '{}': {}", group, difference(first_rank, sorted, member, other)));
            }
        }
    }

    static std::string difference(std::size_t first_rank, const Meetings& first, std::int64_t member,
                                  const Meetings& other) {
        const auto count = [](const Meetings& meetings, const Meeting& meeting) {
            return std::count(meetings.begin(), meetings.end(), meeting);
        };
        const auto [a, b] = std::mismatch(first.begin(), first.end(), other.begin(), other.end());
        const Meeting& odd = b == other.end() || (a != first.end() && *a < *b) ? *a : *b;
        return fmt::format("rank {} has {} {}, rank {} has {}", first_rank, count(first, odd), text_of(odd),
                           member, count(other, odd));
    }

    const TraceSet& set_;
    const Groups& groups_;
    Coverage coverage_;
    Findings& findings_;
    std::map<std::string, std::map<std::size_t, Meetings>> meetings_;  ///< by group and rank
};

struct Ends {
    std::int64_t surplus{0};  ///< sends minus receives
    std::size_t rank{0};      ///< of one of them
    NodeIndex node;
};

class MessageCheck {
  public:
    MessageCheck(const TraceSet& set, Findings& findings) : set_{set}, findings_{findings} {}

    void run() {
        for (std::size_t rank = 0; rank < set_.ranks.size(); ++rank) {
            const Trace& trace = *set_.ranks[rank].trace;
            for (std::size_t n = 0; n < trace.size(); ++n) {
                const NodeType type = trace.step(NodeIndex{n}).type;
                if (type == NodeType::comm_send || type == NodeType::comm_recv) add(rank, NodeIndex{n});
            }
        }
        for (const auto& [key, ends] : ends_) {
            if (ends.surplus != 0) tell(key, ends);
        }
    }

  private:
    void add(std::size_t rank, NodeIndex node) {
        const RankTrace& own = set_.ranks[rank];
        const Communication& communication = own.trace->communication(node);
        const bool sends = own.trace->step(node).type == NodeType::comm_send;
        const auto self = static_cast<std::int64_t>(rank);
        const std::int64_t source = sends ? self : own.source(communication).value_or(-1);
        const std::int64_t destination = sends ? own.destination(communication).value_or(-1) : self;
        const std::int64_t peer = sends ? destination : source;
        if (peer < 0 || peer >= static_cast<std::int64_t>(set_.ranks.size()) || peer == self) {
            findings_.add(FindingKind::bad_peer,
                          fmt::format("{}: {}: its other end is rank {}, of {} ranks", own.path,
                                      own.place(node), peer, set_.ranks.size()));
            return;
        }
        Ends& ends = ends_[{source, destination, own.tag(communication).value_or(0), communication.size}];
        ends.surplus += sends ? 1 : -1;
        ends.rank = rank;
        ends.node = node;
    }

    void tell(const MessageKey& key, const Ends& ends) {
        const bool sends = ends.surplus > 0;
        const auto count = static_cast<std::uint64_t>(sends ? ends.surplus : -ends.surplus);
        findings_.add(sends ? FindingKind::unmatched_send : FindingKind::unmatched_receive,
                      fmt::format("{} of {} bytes from rank {} to rank {} with tag {} (as {} of {})", count,
                                  key.size, key.source, key.destination, key.tag,
                                  set_.ranks[ends.rank].place(ends.node), set_.ranks[ends.rank].path),
                      count);
    }

    const TraceSet& set_;
    Findings& findings_;
    std::map<MessageKey, Ends> ends_;
};

}  // namespace

void check_meetings(const TraceSet& set, const Groups& groups, Coverage coverage, Findings& findings) {
    MeetingCheck{set, groups, coverage, findings}.run();
}

void check_messages(const TraceSet& set, Findings& findings) {
    MessageCheck{set, findings}.run();
}

}  // namespace dse::trace::chakra
