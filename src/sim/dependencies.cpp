#include "dse/sim/dependencies.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/graph/program_cursor.hpp"

namespace dse::sim {
namespace {

using graph::Item;
using graph::Peer;
using graph::Task;

/// A value inside a stage's program: the index of the span that produces it, plus 1; 0 if there is none.
using Value = std::uint32_t;

}  // namespace

/// Issues a stage's program along with its timeline, whose spans have the same order.
class Dependencies::Replay final : public graph::ProgramBoundary<Value> {
  public:
    Replay(Dependencies& all, const Durations& durations, std::uint32_t number)
        : all_{all},
          durations_{durations},
          timeline_{all.timelines_[number]},
          number_{number},
          stage_{all.stages_[number]},
          last_on_(timeline_.streams.size(), SpanRef::nobody) {}

    void run() {
        stage_.last.assign(timeline_.spans.size(), SpanRef::nobody);
        stage_.occupants.clear();
        stage_.meets = SpanRef::nobody;
        graph::ProgramCursor<Value> cursor{*all_.graph_, timeline_.stage};
        const bool may_meet = std::min(timeline_.stage, all_.graph_->schedule.stages - 1 - timeline_.stage) <
                              graph::meeting_pairs(*all_.graph_);
        while (const Item* item = cursor.next(*this)) {
            const bool meets = may_meet && stage_.meets == SpanRef::nobody &&
                               timeline_.spans[next_].phase == Span::Phase::finish;
            if (meets) stage_.meets = next_;
            const Value value = next_ + 1;
            play(*item, cursor.inputs());
            cursor.yield(value);
        }
        DSE_ENSURE(next_ == timeline_.spans.size());
        close();
    }

    Value receive(const Task& task, const Peer& from) override {
        if (from.kind == Peer::Kind::none) return 0;
        const std::uint32_t span = next_++;
        std::uint32_t& before = last_on_[timeline_.spans[span].stream];
        all_.received_before_[all_.place_of(timeline_.stage, task)] = before;
        before = span;
        return span + 1;
    }

    void send(const Task& task, const Peer& to, const Value& value) override {
        if (to.kind == Peer::Kind::none) return;
        const std::uint32_t index = next_++;
        const Span& span = timeline_.spans[index];
        all_.sent_[all_.place_of(timeline_.stage, task)] = index;
        std::uint32_t& before = last_on_[span.stream];
        std::uint32_t& last = stage_.last[index];
        if (value != 0 && arrival(value - 1) == span.start) {
            last = value - 1;
        } else if (before != SpanRef::nobody && timeline_.spans[before].end == span.start) {
            last = before;
        }
        before = index;
        if (span.hold_end > std::max(span.start, compute_free_))
            occupy(index, last, span.start, span.hold_end);
    }

  private:
    /// The order of the candidates decides ties: see Parts.
    void play(const Item& item, std::span<const Value> inputs) {
        const std::uint32_t index = next_++;
        const Span& span = timeline_.spans[index];
        DSE_EXPECT(span.work == item.work && span.stream == item.stream.index());
        const bool on_compute = item.stream == graph::compute_stream;
        const bool holds = !on_compute && durations_.of_work[item.work.index()].hold > 0;

        std::uint32_t& last = stage_.last[index];
        double time = 0;
        const auto consider = [&](std::uint32_t who, double when) {
            if (who == SpanRef::nobody || when <= time) return;
            last = who;
            time = when;
        };
        if (on_compute) {
            consider(occupant_, compute_free_);
        } else if (const std::uint32_t before = last_on_[span.stream]; before != SpanRef::nobody) {
            consider(before, timeline_.spans[before].end);
        }
        for (const Value input : inputs) {
            if (input != 0) consider(input - 1, arrival(input - 1));
        }
        if (holds) consider(occupant_, compute_free_);
        if (index == stage_.meets) consider_all_streams(consider);
        DSE_ENSURE(time == span.start || index == stage_.meets);
        last_on_[span.stream] = index;
        if (on_compute) occupy(index, last, span.start, span.end);
        if (holds) occupy(index, last, span.start, span.hold_end);
        if (lost_of(durations_.of_work[item.work.index()], item.stream) > 0) lose();
    }

    /// The time that kernels lose beside a node has a span of its own, which waits for the stream alone.
    void lose() {
        const std::uint32_t index = next_++;
        const Span& span = timeline_.spans[index];
        DSE_EXPECT(span.is_loss && span.start == compute_free_);
        stage_.last[index] = occupant_;
        last_on_[span.stream] = index;
        occupy(index, occupant_, span.start, span.end);
    }

    template <class Consider>
    void consider_all_streams(Consider consider) const {
        consider(occupant_, compute_free_);
        for (std::size_t s = 1; s < all_.graph_->streams.size(); ++s) {
            if (last_on_[s] != SpanRef::nobody) consider(last_on_[s], timeline_.spans[last_on_[s]].end);
        }
    }

    void occupy(std::uint32_t who, std::uint32_t last, double ready, double until) {
        add({{number_, who}, ref(last), compute_free_, ready, until});
        occupant_ = who;
        compute_free_ = until;
    }

    /// Finds the stage's last stream: the first of those that end last.
    void close() {
        double time = compute_free_;
        stage_.end = occupant_;
        const std::size_t queues =
            all_.graph_->message_stream ? all_.graph_->streams.size() : last_on_.size();
        for (std::size_t stream = 0; stream < queues; ++stream) {
            const std::uint32_t who = last_on_[stream];
            if (who == SpanRef::nobody || timeline_.spans[who].end <= time) continue;
            time = timeline_.spans[who].end;
            stage_.end = who;
        }
        DSE_ENSURE(time == timeline_.end);
        add({{}, ref(stage_.end), compute_free_, time, time});
    }

    void add(const Occupant& occupant) {
        if (all_.occupants_ == Occupants::kept) stage_.occupants.push_back(occupant);
    }

    /// When the value that a span produces is ready.
    [[nodiscard]] double arrival(std::uint32_t index) const {
        const Span& span = timeline_.spans[index];
        if (span.phase == Span::Phase::transfer) return span.end;
        return span.start + durations_.of_work[span.work.index()].visible;
    }

    [[nodiscard]] SpanRef ref(std::uint32_t span) const { return {number_, span}; }

    Dependencies& all_;
    const Durations& durations_;
    const Timeline& timeline_;
    std::uint32_t number_;
    Stage& stage_;
    std::uint32_t next_{0};
    std::vector<std::uint32_t> last_on_;       // by stream
    std::uint32_t occupant_{SpanRef::nobody};  // of the compute stream; may run on another stream
    double compute_free_{0};
};

void Dependencies::read(const graph::Graph& graph, const Durations& durations,
                        std::span<const Timeline> timelines, Occupants occupants) {
    graph_ = &graph;
    timelines_ = timelines;
    occupants_ = occupants;
    if (stages_.size() < timelines.size()) stages_.resize(timelines.size());
    constexpr std::size_t passes = 3;
    const graph::PipelineSchedule& schedule = graph.schedule;
    const std::size_t tasks = passes * schedule.stages * schedule.chunks * schedule.microbatches;
    sent_.assign(tasks, SpanRef::nobody);
    received_before_.assign(tasks, SpanRef::nobody);
    for (std::uint32_t i = 0; i < timelines.size(); ++i) {
        DSE_EXPECT(timelines[i].stage == i);
        Replay{*this, durations, i}.run();
    }
}

std::size_t Dependencies::place_of(std::uint32_t stage, const Task& task) const {
    const graph::PipelineSchedule& schedule = graph_->schedule;
    const std::size_t pass = static_cast<std::size_t>(task.pass) * schedule.stages + stage;
    const std::size_t place = (pass * schedule.chunks + task.chunk) * schedule.microbatches + task.microbatch;
    DSE_EXPECT(place < sent_.size());
    return place;
}

SpanRef Dependencies::last_of(SpanRef ref) const {
    const Span& span = at(ref);
    if (span.phase == Span::Phase::transfer) {
        const Task& task = span.task;
        if (!is_received(span, *graph_)) return last_of_message(ref);
        const Peer from = graph::source_of(task, ref.timeline, graph_->schedule);
        return {from.stage, sent_[place_of(from.stage, from.task)]};
    }
    const Stage& stage = stages_[ref.timeline];
    const std::uint32_t own = stage.last[ref.span];
    if (ref.span != stage.meets) return {ref.timeline, own};
    // For a collective between two stages: the last arrival of the later stage.
    const std::uint32_t other = graph_->schedule.stages - 1 - ref.timeline;
    const Stage& mirror = stages_[other];
    const auto free = [this](std::uint32_t timeline, std::uint32_t index) {
        return index == SpanRef::nobody ? 0.0 : timelines_[timeline].spans[index].end;
    };
    if (free(other, mirror.last[mirror.meets]) > free(ref.timeline, own))
        return {other, mirror.last[mirror.meets]};
    return {ref.timeline, own};
}

SpanRef Dependencies::own_last(SpanRef ref) const {
    if (at(ref).stream == graph::compute_stream.index()) return {};
    return {ref.timeline, stages_[ref.timeline].last[ref.span]};
}

/// A message waits for its value, for the previous one, or for its receiver to have received the previous
/// one.
SpanRef Dependencies::last_of_message(SpanRef sent) const {
    const std::uint32_t own = stages_[sent.timeline].last[sent.span];
    if (own != SpanRef::nobody || graph_->message_stream) return {sent.timeline, own};
    const Task& task = at(sent).task;
    const Peer to = graph::destination_of(task, sent.timeline, graph_->schedule);
    const std::uint32_t before = received_before_[place_of(to.stage, to.task)];
    if (before == SpanRef::nobody) return {sent.timeline, SpanRef::nobody};
    const SpanRef ref{to.stage, before};
    return at(ref).end == at(sent).start ? ref : SpanRef{sent.timeline, SpanRef::nobody};
}

SpanRef Dependencies::end_of(std::uint32_t timeline) const {
    return {timeline, stages_[timeline].end};
}

}  // namespace dse::sim
