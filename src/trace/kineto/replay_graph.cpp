#include "dse/trace/kineto/replay_graph.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dse/trace/kineto/joint_replay.hpp"
#include "trace/kineto/collective_kernel.hpp"
#include "trace/kineto/host_timeline.hpp"

namespace dse::trace::kineto {
namespace {

using Node = std::uint32_t;

/// Indexes of a profile's lists.
struct Index {
    explicit Index(const Profile& profile) {
        for (std::size_t w = 0; w < profile.device.size(); ++w)
            work[profile.device[w].correlation].push_back(w);
        for (std::size_t s = 0; s < profile.syncs.size(); ++s) sync.emplace(profile.syncs[s].correlation, s);
        for (std::size_t c = 0; c < profile.calls.size(); ++c) call.emplace(profile.calls[c].correlation, c);
        for (std::size_t h = 0; h < profile.host.size(); ++h) {
            const HostSpan& span = profile.host[h];
            if (span.is_annotation && span.collective) notes[span.thread].push_back(h);
        }
    }
    std::unordered_map<std::int64_t, std::vector<std::size_t>> work;  ///< device work, by correlation
    std::unordered_map<std::int64_t, std::size_t> sync;               ///< by correlation
    std::unordered_map<std::int64_t, std::size_t> call;               ///< by correlation
    std::map<std::int64_t, std::vector<std::size_t>> notes;           ///< collectives' annotations, by thread
};

/// Goes through the calls of all threads by start time and creates the nodes.
class GraphMaker {
  public:
    explicit GraphMaker(const Profile& profile) : profile_{profile}, index_{profile} {}

    ReplayGraph run() {
        for (const RuntimeCall& call : profile_.calls) take(call);
        adopt_orphans();
        chain_streams();
        const auto busy = busy_spans(profile_);
        end_threads(busy);
        for (const HandOff& hand_off : hand_offs(busy)) connect(hand_off);
        time_pauses();
        time_the_host();
        for (const ReplayNode& node : graph_.nodes) graph_.recorded = std::max(graph_.recorded, node.end);
        return std::move(graph_);
    }

  private:
    struct Launched {
        Node node{0};
        std::int64_t at{0};
    };
    /// A wait of a stream for an event, which applies to the next work on that stream.
    struct Wait {
        std::int64_t at{0};
        std::optional<SyncNote> note;
    };
    struct Thread {
        std::vector<Node> nodes;
        std::size_t waits_seen{0};  ///< number of entries of waits_ already applied
        std::optional<std::int64_t> last_stream;
    };

    void take(const RuntimeCall& call) {
        const auto work = index_.work.find(call.correlation);
        if (work != index_.work.end() && call.correlation != 0) return launch(call, work->second);
        if (call.name.find("Synchronize") != std::string::npos) return synchronise(call);
        if (call.name.find("StreamWaitEvent") != std::string::npos) wait(call);
    }

    /// A stream waits from here on: the one that is named, or else each that next gets work from a thread.
    void wait(const RuntimeCall& call) {
        const Wait wait{call.span.start, note_of(call)};
        if (wait.note && wait.note->stream && wait.note->waits_on_stream) {
            named_[*wait.note->stream].push_back(wait);
        } else {
            waits_.push_back(wait);
            ++graph_.unnamed_waits;
        }
    }

    [[nodiscard]] std::optional<SyncNote> note_of(const RuntimeCall& call) const {
        const auto found = index_.sync.find(call.correlation);
        if (found == index_.sync.end() || call.correlation == 0) return std::nullopt;
        return profile_.syncs[found->second];
    }

    Node add(ReplayNode node) {
        graph_.nodes.push_back(std::move(node));
        return static_cast<Node>(graph_.nodes.size() - 1);
    }

    /// Adds a host node ending at `end`; it starts where the thread's previous node ended.
    Node add_host(std::int64_t thread, std::string name, std::int64_t end) {
        Thread& own = threads_[thread];
        ReplayNode node;
        node.name = std::move(name);
        node.place = ReplayNode::Place::host;
        node.lane = thread;
        if (!own.nodes.empty()) {
            node.before = own.nodes.back();
            node.start = graph_.nodes[own.nodes.back()].end;
        }
        node.end = std::max(end, node.start);
        own.nodes.push_back(add(std::move(node)));
        return own.nodes.back();
    }

    void launch(const RuntimeCall& call, const std::vector<std::size_t>& work) {
        std::int64_t began = call.span.end;
        std::int64_t ended = 0;
        for (const std::size_t w : work) {
            began = std::min(began, profile_.device[w].span.start);
            ended = std::max(ended, profile_.device[w].span.end);
        }
        const Node host = add_host(call.thread, call.name, std::max(began, call.span.start));
        std::vector<Node> launched;
        for (const std::size_t w : work) launched.push_back(add_device(profile_.device[w], &call, host));
        if (launched.size() > 1) order_graph(launched);
        // A call that outlasts its work has waited for it, such as a copy to pageable memory.
        const bool blocks = ended <= call.span.end && call.name.find("Async") == std::string::npos &&
                            profile_.device[work.front()].kind == DeviceWork::Kind::copy;
        if (!blocks) return;
        const Node after = add_host(call.thread, call.name + " (wait)", call.span.end);
        graph_.nodes[after].data = launched;
    }

    /// Orders the work of one call by start time: each waits for the work of the call that had ended last by
    /// then.
    void order_graph(const std::vector<Node>& launched) {
        std::vector<Node> running;
        std::optional<Node> last;
        for (const Node node : launched) {
            const std::int64_t now = graph_.nodes[node].start;
            std::vector<Node> still;
            for (const Node other : running) {
                const std::int64_t end = graph_.nodes[other].end;
                if (end > now)
                    still.push_back(other);
                else if (!last || end > graph_.nodes[*last].end)
                    last = other;
            }
            running = std::move(still);
            running.push_back(node);
            if (last) wait_for(last, now, graph_.nodes[node]);
        }
        in_graphs_.insert(in_graphs_.end(), launched.begin(), launched.end());
    }

    Node add_device(const DeviceWork& work, const RuntimeCall* call, Node launch) {
        ReplayNode node;
        node.name = work.name;
        node.lane = work.stream;
        node.start = work.span.start;
        node.end = work.span.end;
        node.duration = work.span.duration();
        if (call != nullptr) {
            node.data.push_back(launch);
            wait_for_events(work, threads_[call->thread], node);
        }
        if (work.kind == DeviceWork::Kind::kernel && is_collective_kernel(work.name))
            node.collective = collective_work(work, call != nullptr ? note_around(*call) : nullptr);
        const Node added = add(std::move(node));
        streams_[work.stream].push_back({added, call != nullptr ? call->span.start : work.span.start});
        if (call != nullptr) threads_[call->thread].last_stream = work.stream;
        placed_.insert(&work);
        return added;
    }

    /// The innermost collective annotation around the call.
    [[nodiscard]] const CollectiveNote* note_around(const RuntimeCall& call) const {
        const auto notes = index_.notes.find(call.thread);
        if (notes == index_.notes.end()) return nullptr;
        for (auto note = notes->second.rbegin(); note != notes->second.rend(); ++note) {
            const HostSpan& span = profile_.host[*note];
            if (span.span.start <= call.span.start && call.span.start <= span.span.end)
                return &*span.collective;
        }
        return nullptr;
    }

    /// The last work on a stream that was launched before `at`.
    [[nodiscard]] std::optional<Node> last_on(std::int64_t stream, std::int64_t at) const {
        const auto found = streams_.find(stream);
        if (found == streams_.end()) return std::nullopt;
        const auto& launched = found->second;
        const auto behind = std::partition_point(launched.begin(), launched.end(),
                                                 [at](const Launched& l) { return l.at < at; });
        if (behind == launched.begin()) return std::nullopt;
        return std::prev(behind)->node;
    }

    void wait_for(std::optional<Node> other, std::int64_t before, ReplayNode& node) const {
        if (!other || graph_.nodes[*other].end > before) return;
        if (std::find(node.data.begin(), node.data.end(), *other) == node.data.end())
            node.data.push_back(*other);
    }

    void wait_for_events(const DeviceWork& work, Thread& thread, ReplayNode& node) {
        for (const Wait& wait : named_[work.stream])
            wait_for(last_on(*wait.note->waits_on_stream, recorded_at(wait)), work.span.start, node);
        named_[work.stream].clear();
        // A backward pass may wait on its own thread for what the optimizer then uses on another.
        for (; thread.waits_seen < waits_.size(); ++thread.waits_seen) {
            for (const auto& [stream, launched] : streams_) {
                if (stream != work.stream)
                    wait_for(last_on(stream, waits_[thread.waits_seen].at), work.span.start, node);
            }
        }
    }

    /// When the awaited event was recorded.
    [[nodiscard]] std::int64_t recorded_at(const Wait& wait) const {
        if (!wait.note->event_correlation) return wait.at;
        const auto call = index_.call.find(*wait.note->event_correlation);
        return call == index_.call.end() ? wait.at : profile_.calls[call->second].span.start;
    }

    void synchronise(const RuntimeCall& call) {
        const std::optional<SyncNote> note = note_of(call);
        const Thread& thread = threads_[call.thread];
        std::vector<std::int64_t> streams;
        if (call.name.find("Device") == std::string::npos) {
            if (note && note->waits_on_stream) {
                streams.push_back(*note->waits_on_stream);
            } else if (note && note->stream) {
                streams.push_back(*note->stream);
            } else if (thread.last_stream && call.name.find("Stream") != std::string::npos) {
                streams.push_back(*thread.last_stream);
            }
        }
        const bool all = streams.empty();
        if (all) {
            for (const auto& [stream, launched] : streams_) streams.push_back(stream);
        }
        const std::int64_t at =
            note && note->event_correlation ? recorded_at({call.span.start, note}) : call.span.start;
        const Node node = add_host(call.thread, call.name, call.span.end);
        for (const std::int64_t stream : streams)
            wait_for(last_on(stream, at), call.span.end, graph_.nodes[node]);
    }

    /// Device work whose launch is not in the profile: it waits for the last host node that ended before it
    /// or, if there is none, starts at its recorded time; it keeps the pause behind that and behind its
    /// stream.
    void adopt_orphans() {
        std::vector<Node> host;
        for (const auto& [thread, own] : threads_)
            host.insert(host.end(), own.nodes.begin(), own.nodes.end());
        std::sort(host.begin(), host.end(),
                  [this](Node a, Node b) { return graph_.nodes[a].end < graph_.nodes[b].end; });
        for (const DeviceWork& work : profile_.device) {
            if (placed_.contains(&work)) continue;
            ++graph_.orphans;
            const Node node = add_device(work, nullptr, 0);
            const auto behind = std::partition_point(
                host.begin(), host.end(), [&](Node h) { return graph_.nodes[h].end <= work.span.start; });
            const bool is_first = behind == host.begin();
            const Node launch =
                is_first ? add_host(outside, "before the profile", work.span.start) : *std::prev(behind);
            graph_.nodes[node].data.push_back(launch);
            orphans_.push_back(node);
        }
    }

    /// Chains each stream in the order of the launches. Recorded starts are unreliable for this, since host
    /// and device have separate clocks.
    void chain_streams() {
        for (auto& [stream, launched] : streams_) {
            std::stable_sort(launched.begin(), launched.end(),
                             [](const Launched& a, const Launched& b) { return a.at < b.at; });
            for (std::size_t n = 1; n < launched.size(); ++n)
                graph_.nodes[launched[n].node].before = launched[n - 1].node;
        }
    }

    /// Adds what each thread does after its last call.
    void end_threads(const std::map<std::int64_t, std::vector<Span>>& busy) {
        for (const auto& [thread, spans] : busy) {
            const Thread& own = threads_[thread];
            const std::int64_t end = spans.back().end;
            if (own.nodes.empty() || graph_.nodes[own.nodes.back()].end < end) add_host(thread, "host", end);
        }
    }

    void connect(const HandOff& hand_off) {
        const auto& caller = threads_[hand_off.caller].nodes;
        const auto& worker = threads_[hand_off.worker].nodes;
        const auto ends_by = [this](std::int64_t time) {
            return [this, time](Node node) { return graph_.nodes[node].end <= time; };
        };
        const auto resumes = std::partition_point(caller.begin(), caller.end(), ends_by(hand_off.gap.start));
        const auto begins = std::partition_point(worker.begin(), worker.end(), ends_by(hand_off.work.start));
        const auto ends = std::partition_point(worker.begin(), worker.end(), ends_by(hand_off.gap.end));
        if (resumes != caller.begin() && begins != worker.end())
            graph_.nodes[*begins].data.push_back(*std::prev(resumes));
        if (resumes != caller.end() && ends != worker.begin() &&
            graph_.nodes[*resumes].end >= hand_off.gap.end)
            graph_.nodes[*resumes].data.push_back(*std::prev(ends));
    }

    /// When everything that a node waits for had ended.
    [[nodiscard]] std::int64_t ready(const ReplayNode& node) const {
        std::int64_t ready = node.before ? graph_.nodes[*node.before].end : 0;
        for (const Node other : node.data) ready = std::max(ready, graph_.nodes[other].end);
        return ready;
    }

    /// Sets the pauses of work that the device starts by itself, of work whose launch is unknown, and of the
    /// first work on each stream, which may have been busy with work from before the recording.
    void time_pauses() {
        const auto pause = [this](ReplayNode& work) {
            work.pause = std::max<std::int64_t>(0, work.start - ready(work));
        };
        for (const Node node : in_graphs_) pause(graph_.nodes[node]);
        for (const Node node : orphans_) pause(graph_.nodes[node]);
        for (ReplayNode& node : graph_.nodes)
            if (node.place != ReplayNode::Place::host && !node.before) pause(node);
    }

    /// Sets the host's own share of its nodes' time: from the end of the last thing that each waits for.
    void time_the_host() {
        for (ReplayNode& node : graph_.nodes) {
            if (node.place != ReplayNode::Place::host) continue;
            node.duration = std::max<std::int64_t>(0, node.end - ready(node));
        }
    }

    /// Pseudo thread for what happened before the profile began.
    static constexpr std::int64_t outside = -1;

    const Profile& profile_;
    Index index_;
    ReplayGraph graph_;
    std::vector<Wait> waits_;                          ///< waits that do not name their streams
    std::map<std::int64_t, std::vector<Wait>> named_;  ///< by waiting stream
    std::map<std::int64_t, Thread> threads_;
    std::map<std::int64_t, std::vector<Launched>> streams_;  ///< by stream, in launch order
    std::unordered_set<const DeviceWork*> placed_;
    std::vector<Node> in_graphs_;
    std::vector<Node> orphans_;  ///< device work whose launch is not in the profile
};

}  // namespace

ReplayGraph replay_graph(const Profile& profile) {
    return GraphMaker{profile}.run();
}

std::int64_t replay_time(const ReplayGraph& graph) {
    const ReplayRank alone{&graph, 0};
    return replay_together({&alone, 1}).front();
}

}  // namespace dse::trace::kineto
