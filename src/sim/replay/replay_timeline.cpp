#include "dse/sim/replay/replay_timeline.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "sim/chrome_events.hpp"
#include "sim/replay/lane_table.hpp"

namespace dse::sim::replay {
namespace {

using trace::chakra::Communication;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::RankTrace;
using trace::chakra::Trace;
using trace::chakra::TraceStep;

bool is_message(const TraceStep& step) {
    return step.type == NodeType::comm_send || step.type == NodeType::comm_recv;
}

/// False for nodes that take no time, which only mark a place in the program.
bool is_shown(const TraceStep& step, const NodeSpan& span) {
    return span.end > span.start || is_message(step);
}

std::string_view category(const TraceStep& step) {
    if (step.is_cpu_op) return "host";
    constexpr std::array<std::string_view, trace::chakra::node_type_count> categories{
        "other", "other", "copy", "copy", "compute", "message", "message", "collective"};
    return categories[static_cast<std::size_t>(step.type)];
}

std::string thread_name(const RankTrace& rank, NodeIndex node, const std::optional<LaneKey>& lane) {
    if (!lane) return is_message(rank.trace->step(node)) ? "receives" : "other";
    const auto said = [&]() -> const Communication& { return rank.trace->communication(node); };
    switch (lane->kind) {
        case LaneKey::Kind::host:
            return fmt::format("host {}", lane->number);
        case LaneKey::Kind::stream:
            return fmt::format("stream {}", lane->number);
        case LaneKey::Kind::compute:
            return "kernels";
        case LaneKey::Kind::communicator: {
            const std::string_view group = rank.group(said());
            return group.empty() ? "all ranks" : fmt::format("group {}", group);
        }
        case LaneKey::Kind::messages:
            return fmt::format("to rank {}", rank.destination(said()).value_or(-1));
        case LaneKey::Kind::copies:
            break;
    }
    return rank.trace->step(node).type == NodeType::mem_load ? "copies from memory" : "copies to memory";
}

/// Where an event is drawn.
struct Place {
    std::size_t process;
    std::size_t thread;
    double start;
};
/// Sender, receiver, tag, bytes.
using Channel = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

/// The last numbers of processes, threads and arrows.
struct Numbers {
    std::size_t process{0};
    std::size_t thread{0};
    std::size_t arrow{0};
};

/// Draws one job.
class JobWriter {
  public:
    /// \param last  numbers in use
    JobWriter(const ReplayedJob& job, ChromeEvents& events, Numbers& last)
        : job_{job}, events_{events}, last_{last} {}

    void write() {
        std::map<std::int64_t, std::vector<const NodeSpan*>> by_rank;
        for (const NodeSpan& span : job_.spans) by_rank[span.rank].push_back(&span);
        for (auto& [rank, spans] : by_rank) {
            std::ranges::stable_sort(spans, {}, [](const NodeSpan* span) { return span->start.value(); });
            write_rank(rank, spans);
        }
        write_arrows();
    }

  private:
    /// Events on one line, which follow each other.
    struct Thread {
        std::size_t number;
        Seconds free;
    };

    void write_rank(std::int64_t rank, const std::vector<const NodeSpan*>& spans) {
        const std::size_t process = ++last_.process;
        const std::string name = fmt::format("{}{}rank {}", job_.name, job_.name.empty() ? "" : " ", rank);
        events_.label("process_name", process, last_.thread + 1, json_text(name));
        events_.sort_process(process, process);
        const RankTrace& trace = job_.ranks[static_cast<std::size_t>(rank)];
        std::map<std::optional<LaneKey>, std::vector<Thread>> lanes;
        for (const NodeSpan* span : spans) {
            if (!is_shown(trace.trace->step(span->node), *span)) continue;
            const auto lane = lane_key(*trace.trace, span->node);
            std::vector<Thread>& threads = lanes[lane];
            auto thread =
                std::ranges::find_if(threads, [&](const Thread& each) { return each.free <= span->start; });
            if (thread == threads.end()) {
                threads.push_back({++last_.thread, {}});
                thread = threads.end() - 1;
                events_.label("thread_name", process, thread->number,
                              json_text(thread_name(trace, span->node, lane)));
            }
            thread->free = span->end;
            write_span(trace, *span, {process, thread->number, span->start.value()});
        }
    }

    void write_span(const RankTrace& rank, const NodeSpan& span, const Place& place) {
        const Trace& trace = *rank.trace;
        const TraceStep& step = trace.step(span.node);
        events_.add(
            R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"node":{})",
            json_text(trace.name(span.node)), category(step), place.process, place.thread,
            events_.micro(place.start), events_.micro(place.start, span.end.value()), step.id);
        if (step.num_ops > 0) events_.add(R"(,"operations":{})", step.num_ops);
        if (trace.communicates(span.node)) {
            note_communication(rank, trace.communication(span.node), step, span, place);
        } else if (step.tensor_size > 0) {
            events_.add(R"(,"bytes":{})", step.tensor_size);
        }
        if (span.met > span.start)
            events_.add(R"(,"waits_us":{})", events_.micro(place.start, span.met.value()));
        events_.add("}}}},");
    }

    void note_communication(const RankTrace& rank, const Communication& said, const TraceStep& step,
                            const NodeSpan& span, const Place& place) {
        events_.add(R"(,"bytes":{})", said.size);
        if (step.type == NodeType::comm_coll)
            events_.add(R"(,"collective":"{}","group":{})", name(said.type), json_text(rank.group(said)));
        if (!is_message(step)) return;
        const bool sends = step.type == NodeType::comm_send;
        const std::int64_t peer = (sends ? rank.destination(said) : rank.source(said)).value_or(-1);
        const std::int64_t tag = rank.tag(said).value_or(0);
        events_.add(R"(,"peer":{},"tag":{})", peer, tag);
        const Channel channel{sends ? span.rank : peer, sends ? peer : span.rank, tag, said.size};
        (sends ? sent_ : received_)[channel].push_back(place);
    }

    /// A flow from the start of one event to the other. Both ends lie inside their events, because a flow
    /// binds to the event that encloses it.
    void write_arrows() {
        for (const auto& [channel, senders] : sent_) {
            const auto found = received_.find(channel);
            if (found == received_.end()) continue;
            for (std::size_t m = 0; m < std::min(senders.size(), found->second.size()); ++m)
                write_arrow(senders[m], found->second[m]);
        }
    }

    void write_arrow(const Place& from, const Place& to) {
        const std::size_t id = ++last_.arrow;
        events_.add(
            R"({{"ph":"s","name":"message","cat":"message_flow","id":{},"pid":{},"tid":{},"ts":{}}},)", id,
            from.process, from.thread, events_.micro(from.start));
        events_.add(
            R"({{"ph":"f","bp":"e","name":"message","cat":"message_flow","id":{},"pid":{},"tid":{},"ts":{}}},)",
            id, to.process, to.thread, events_.micro(std::max(from.start, to.start)));
    }

    const ReplayedJob& job_;
    ChromeEvents& events_;
    Numbers& last_;
    std::map<Channel, std::vector<Place>> sent_;
    std::map<Channel, std::vector<Place>> received_;
};

}  // namespace

std::string to_chrome_trace(std::span<const ReplayedJob> jobs) {
    ChromeEvents events{1.0};
    Numbers last;
    // Viewers treat a thread with the number of its process specially.
    for (const ReplayedJob& job : jobs) last.thread += job.ranks.size();
    for (const ReplayedJob& job : jobs) JobWriter{job, events, last}.write();
    return events.finish();
}

}  // namespace dse::sim::replay
