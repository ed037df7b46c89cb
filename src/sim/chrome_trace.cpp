#include "dse/sim/chrome_trace.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/chrome_events.hpp"

namespace dse::sim {
namespace {

/// False for nodes that take no time, which only mark a place in the program.
bool is_shown(const Span& span) {
    return span.end > span.start || span.phase == Span::Phase::transfer;
}

/// Thread numbers are unique across stages and never 0 or the number of their process, which viewers treat
/// specially. The thread of the tasks comes first.
std::size_t task_thread(std::uint32_t stage) {
    constexpr std::size_t of_a_stage = 100;
    static_assert(of_a_stage > graph::most_values + 2 * graph::most_lanes);
    return of_a_stage * (std::size_t{stage} + 1);
}
std::size_t thread(std::uint32_t stage, std::size_t stream) {
    return task_thread(stage) + 1 + stream;
}

bool is_task(const Span& span) {
    return span.phase == Span::Phase::task;
}

/// "forward 5.1": pass, microbatch, chunk.
std::string describe_task(const Span& span) {
    if (span.phase == Span::Phase::update) return "update";
    if (span.phase == Span::Phase::finish) return "finish";
    constexpr std::array<std::string_view, 3> passes{"forward", "backward", "weight"};
    const bool is_pair = span.task.form == graph::Form::overlapped && is_task(span);
    const std::string_view what = is_pair ? "overlapped" : passes[static_cast<std::size_t>(span.task.pass)];
    return fmt::format("{} {}.{}", what, span.task.microbatch, span.task.chunk);
}

std::string_view category(const graph::Work& work) {
    constexpr std::array<std::string_view, 6> categories{"compute", "collective", "copy",
                                                         "message", "launch",     "host"};
    return categories[work.index()];
}

/// Name of one of Chrome's colours; other viewers use their own.
std::string_view colour(const graph::Work& work, bool is_critical) {
    constexpr std::array<std::string_view, 6> quiet{
        "thread_state_running", "thread_state_iowait", "thread_state_runnable", "rail_response", "grey",
        "rail_animation"};
    return is_critical ? "terrible" : quiet[work.index()];
}

/// Writes the events.
class Writer {
  public:
    Writer(std::span<const Timeline> timelines, const graph::Graph& graph, const TraceMarks& marks)
        : timelines_{timelines}, graph_{graph}, marks_{marks}, events_{marks.unit} {
        for (const PathStep& step : marks.path) critical_.emplace(step.who.timeline, step.who.span);
        for (const std::string& name : graph.names) names_.push_back(json_text(name));
        for (const graph::Work& work : graph.works) works_.push_back(json_text(describe(work)));
        for (const graph::Region& region : graph.regions) regions_.push_back(json_text(region.name));
    }

    std::string write() {
        for (std::uint32_t t = 0; t < timelines_.size(); ++t) write_timeline(t);
        for (std::size_t i = 0; i < marks_.arrows.size(); ++i) write_arrow(marks_.arrows[i], i);
        for (const Track& track : marks_.tracks) write_track(track);
        return events_.finish();
    }

  private:
    void write_timeline(std::uint32_t number) {
        const Timeline& timeline = timelines_[number];
        events_.label("process_name", timeline.stage, task_thread(timeline.stage),
                      json_text(fmt::format("stage {}", timeline.stage)));
        events_.sort_process(timeline.stage, timeline.stage);
        const std::size_t tasks = task_thread(timeline.stage);
        for (std::size_t s = 0; s < timeline.streams.size(); ++s)
            events_.label("thread_name", timeline.stage, thread(timeline.stage, s),
                          json_text(timeline.streams[s]));
        events_.label("thread_name", timeline.stage, tasks, R"("tasks")");
        events_.add(
            R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":-1}}}},)",
            timeline.stage, tasks);
        for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
            if (is_shown(timeline.spans[i])) write_span({number, i});
        }
        write_tasks(timeline, tasks);
    }

    void write_span(SpanRef ref) {
        const Timeline& timeline = timelines_[ref.timeline];
        const Span& span = timeline.spans[ref.span];
        const graph::Work& work = graph_.works[span.work.index()];
        const bool is_critical = critical_.contains({ref.timeline, ref.span});
        const bool is_message = span.phase == Span::Phase::transfer;
        const bool has_name = span.name.index() < names_.size() && span.name.index() > 0;
        std::string name = is_message ? json_text(describe_task(span))
                           : has_name ? names_[span.name.index()]
                                      : works_[span.work.index()];
        if (span.is_loss) name.insert(1, "lost to ");
        events_.add(
            R"({{"ph":"X","name":{},"cat":"{}","cname":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"task":"{}","is":{})",
            name, category(work), colour(work, is_critical), timeline.stage,
            thread(timeline.stage, span.stream), events_.micro(span.start),
            events_.micro(span.start, span.end), describe_task(span), works_[span.work.index()]);
        if (!is_message) events_.add(R"(,"region":{})", regions_[span.region.index()]);
        if (const double bytes = bytes_of(work); bytes > 0.0) events_.add(R"(,"bytes":{})", bytes);
        if (span.hold_end > span.start)
            events_.add(R"(,"holds_compute_us":{})", events_.micro(span.start, span.hold_end));
        if (is_critical) events_.add(R"(,"critical":true)");
        events_.add("}}}},");
    }

    /// One event per task, which covers its work on the compute stream.
    void write_tasks(const Timeline& timeline, std::size_t thread) {
        const Span* first = nullptr;
        const Span* last = nullptr;
        const auto flush = [&] {
            if (first == nullptr) return;
            events_.add(R"({{"ph":"X","name":"{}","cat":"task","pid":{},"tid":{},"ts":{},"dur":{}}},)",
                        describe_task(*first), timeline.stage, thread, events_.micro(first->start),
                        events_.micro(first->start, last->end));
        };
        for (const Span& span : timeline.spans) {
            if (span.stream != graph::compute_stream.index()) continue;
            const bool goes_on = first != nullptr && first->phase == span.phase && first->task == span.task;
            if (!goes_on) {
                flush();
                first = &span;
            }
            last = &span;
        }
        flush();
    }

    /// A flow from the start of one event to the start of another.
    void write_arrow(const Arrow& arrow, std::size_t id) {
        const bool is_message = arrow.kind == Arrow::Kind::message;
        const std::string_view name = is_message ? "message" : "critical path";
        const std::string_view kind = is_message ? "message_flow" : "critical_path";
        const Span& from = timelines_[arrow.from.timeline].spans[arrow.from.span];
        const Span& to = timelines_[arrow.to.timeline].spans[arrow.to.span];
        constexpr std::string_view end =
            R"({{"ph":"{}","name":"{}","cat":"{}","id":{},"pid":{},"tid":{},"ts":{}{}}},)";
        // Both ends lie inside their events, because a flow binds to the event that encloses it.
        events_.add(end, "s", name, kind, id, timelines_[arrow.from.timeline].stage,
                    thread(timelines_[arrow.from.timeline].stage, from.stream), events_.micro(from.start),
                    "");
        events_.add(end, "f", name, kind, id, timelines_[arrow.to.timeline].stage,
                    thread(timelines_[arrow.to.timeline].stage, to.stream),
                    events_.micro(std::max(to.start, from.start)), R"(,"bp":"e")");
    }

    void write_track(const Track& track) {
        for (const Track::Sample& sample : track.samples) {
            events_.add(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{{}:{}}}}},)", json_text(track.name),
                        track.stage, events_.micro(sample.time), json_text(track.unit), sample.value);
        }
    }

    std::span<const Timeline> timelines_;
    const graph::Graph& graph_;
    const TraceMarks& marks_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> critical_;
    // Quoted names by NameId, WorkId, RegionId.
    std::vector<std::string> names_;
    std::vector<std::string> works_;
    std::vector<std::string> regions_;
    ChromeEvents events_;
};

}  // namespace

std::vector<Arrow> arrows_of(const Dependencies& dependencies, std::span<const Timeline> timelines,
                             const std::vector<PathStep>& path) {
    std::vector<Arrow> arrows;
    for (std::uint32_t t = 0; t < timelines.size(); ++t) {
        for (std::uint32_t i = 0; i < timelines[t].spans.size(); ++i) {
            if (timelines[t].spans[i].phase != Span::Phase::transfer) continue;
            const SpanRef from = dependencies.last_of({t, i});
            if (from.is_none() || from.timeline == t) continue;
            // Only for incoming messages; an outgoing one may wait for its receiver.
            const Span& other = dependencies.at(from);
            if (other.start == timelines[t].spans[i].start)
                arrows.push_back({from, {t, i}, Arrow::Kind::message});
        }
    }
    SpanRef before;
    for (const PathStep& step : path) {
        const Span& to = dependencies.at(step.who);
        if (!is_shown(to)) continue;
        const bool stays = !before.is_none() && before.timeline == step.who.timeline &&
                           dependencies.at(before).stream == to.stream;
        if (!before.is_none() && !stays) arrows.push_back({before, step.who, Arrow::Kind::critical_path});
        before = step.who;
    }
    return arrows;
}

std::string to_chrome_trace(std::span<const Timeline> timelines, const graph::Graph& graph,
                            const TraceMarks& marks) {
    return Writer{timelines, graph, marks}.write();
}

}  // namespace dse::sim
