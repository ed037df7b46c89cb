#include "dse/sim/fold/stage_account.hpp"

#include <algorithm>
#include <optional>

namespace dse::sim::fold {

using graph::Peer;
using graph::RegionId;
using graph::Task;

namespace {

/// Writes nodes into a timeline.
class TimelineWriter final : public NodeObserver {
  public:
    explicit TimelineWriter(Timeline& timeline) : timeline_{timeline} {}

    void on_node(const graph::Item& node, RegionId region, double start, double end,
                 double hold_end) override {
        timeline_.spans.push_back({static_cast<std::uint32_t>(node.stream.index()), start, end, hold_end,
                                   node.work, region, task, phase, node.name});
    }

    void on_loss(const graph::Item& node, RegionId region, double start, double end) override {
        timeline_.spans.push_back({static_cast<std::uint32_t>(graph::compute_stream.index()), start, end,
                                   start, node.work, region, task, phase, node.name, true});
    }

    Task task;
    Span::Phase phase{Span::Phase::update};

  private:
    Timeline& timeline_;
};

}  // namespace

Parts StageAccount::play(const graph::Graph& graph, const Durations& durations, std::uint32_t stage,
                         const RegionTable& table, const MessageView& messages, Timeline* timeline,
                         Waits* waits) {
    graph_ = &graph;
    durations_ = &durations;
    messages_ = &messages;
    stage_ = stage;
    program_ = graph.program_of[stage];
    timeline_ = timeline;
    waits_ = waits;
    start();

    std::optional<TimelineWriter> writer;
    if (timeline != nullptr) writer.emplace(*timeline);
    player_.reset(graph, durations, table, writer ? &*writer : nullptr, waits);
    play_region(graph.programs[program_].update);
    const std::vector<Task>& tasks = graph.schedule.tasks[stage];
    if (writer) {
        writer->phase = Span::Phase::task;
        for (std::size_t t = 0; t < tasks.size(); t += graph::played_together(tasks[t])) {
            writer->task = tasks[t];
            play_task(t);
        }
        writer->phase = Span::Phase::finish;
    } else {
        std::size_t next = 0;
        for (const Jump& jump : messages.jump().jumps()) {
            const MessageView::Passage passage = messages.passage(jump, stage);
            if (!passage.is_uniform) continue;
            play_tasks(next, passage.position - passage.tasks);
            next = pass(passage);
        }
        play_tasks(next, tasks.size());
    }
    meet(messages.player().meets_at(stage));
    play_region(graph.programs[program_].finish);
    close();
    return parts_;
}

void StageAccount::start() {
    const graph::PipelineSchedule& schedule = graph_->schedule;
    sent_.fill(0);
    parts_ = Parts{};
    streams_.assign(graph_->streams.size(), Arrival{});
    send_stream_.fill(Arrival{});
    receive_stream_.fill(Arrival{});
    const std::size_t passes = std::size_t{schedule.chunks} * schedule.microbatches;
    if (saved_.size() < passes) saved_.resize(passes);
    local_.resize(graph::hands_over_locally(schedule) ? 2 * passes : 0);
    done_.assign(std::size_t{2} * schedule.chunks, 0);
}

/// The stream of the collective between two stages waits for the other streams of its stage and then, if the
/// other stage is later, for that one.
void StageAccount::meet(double time) {
    if (time == 0) return;
    const graph::StreamId on = graph::meeting_stream(*graph_);
    Arrival& stream = streams_[on.index()];
    const Arrival* own = &stream;
    for (const Arrival& other : streams_) {
        if (other.time > own->time) own = &other;
    }
    const Arrival last = time > own->time ? Arrival::after(*own, time, Cause::imbalance()) : *own;
    if (on == graph::compute_stream) {
        charge_wait(stream.time, last, parts_, waits_);
        stream = Arrival{time, {}};
    } else {
        stream = last;
    }
}

void StageAccount::close() {
    const Arrival* last = &*std::max_element(
        streams_.begin(), streams_.end(), [](const Arrival& a, const Arrival& b) { return a.time < b.time; });
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        if (send_stream_[lane].time > last->time) last = &send_stream_[lane];
        if (receive_stream_[lane].time > last->time) last = &receive_stream_[lane];
    }
    charge_wait(streams_[graph::compute_stream.index()].time, *last, parts_, waits_);
    last_stream_ = last->time;
}

void StageAccount::play_tasks(std::size_t begin, std::size_t end) {
    const std::vector<Task>& tasks = graph_->schedule.tasks[stage_];
    for (std::size_t t = begin; t < end; t += graph::played_together(tasks[t])) play_task(t);
}

/// Simulates the last period before a jump and continues to the end of the jump. Once two consecutive periods
/// start in the same state, in everything that matters here, the remaining periods repeat the last one and
/// are skipped.
/// \return position after the jump
std::size_t StageAccount::pass(const MessageView::Passage& passage) {
    std::size_t position = passage.position - passage.tasks;
    mark(passage);
    for (std::uint32_t left = passage.periods + 1; left > 0;) {
        play_tasks(position, position + passage.tasks);
        position += passage.tasks;
        --left;
        std::swap(mark_, mark_before_);
        mark(passage);
        if (mark_.state != mark_before_.state) continue;
        parts_.add(mark_.parts, left);
        parts_.add(mark_before_.parts, -static_cast<double>(left));
        if (waits_ != nullptr) waits_->repeat(mark_before_.compute_free, mark_.compute_free, left);
        shift(passage, left);
        return position + std::size_t{left} * passage.tasks;
    }
    return position;
}

/// Visits the state at the start of a period: moving streams, and values saved for their next pass.
template <class Visit>
void StageAccount::visit_state(const MessageView::Passage& passage, Visit visit) {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
        if ((passage.moving >> s & 1U) != 0) visit(streams_[s]);
    }
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        if (passage.sent[lane] > 0) visit(send_stream_[lane]);
        if (passage.received[lane] > 0) visit(receive_stream_[lane]);
    }
    const graph::PipelineSchedule& schedule = graph_->schedule;
    for (std::size_t c = 0; c < schedule.chunks; ++c) {
        for (std::uint32_t m = done_[2 * c + 1]; m < done_[2 * c]; ++m) {
            for (Arrival& value : saved_[c * schedule.microbatches + m]) visit(value);
        }
    }
}

void StageAccount::mark(const MessageView::Passage& passage) {
    const double now = streams_[graph::compute_stream.index()].time;
    mark_.parts = parts_;
    mark_.compute_free = now;
    mark_.state.clear();
    visit_state(passage,
                [this, now](const Arrival& arrival) { mark_.state.push_back(as_seen_from(now, arrival)); });
}

void StageAccount::shift(const MessageView::Passage& passage, std::uint32_t periods) {
    const double by = periods * passage.rate;
    visit_state(passage, [by](Arrival& arrival) { arrival = shifted(arrival, by); });
    const graph::PipelineSchedule& schedule = graph_->schedule;
    const std::uint32_t microbatches = periods * passage.microbatches;
    for (std::size_t c = 0; c < schedule.chunks; ++c) {
        std::vector<Arrival>* const saved = saved_.data() + c * schedule.microbatches;
        for (std::uint32_t m = done_[2 * c]; m-- > done_[2 * c + 1];) saved[m + microbatches].swap(saved[m]);
        done_[2 * c] += microbatches;
        done_[2 * c + 1] += microbatches;
    }
    for (std::size_t lane = 0; lane < graph::most_lanes; ++lane) sent_[lane] += periods * passage.sent[lane];
}

void StageAccount::play_region(RegionId region) {
    player_.play(region, program_, streams_, {}, {}, parts_);
}

void StageAccount::play_task(std::size_t position) {
    const Task& task = graph_->schedule.tasks[stage_][position];
    if (task.form == graph::Form::overlapped) return play_pair(position);
    std::vector<Arrival>& saved = saved_of(task);
    ports_.assign(1, boundary_of(task, position));
    // Before a forward pass, `saved` still has values of an earlier iteration.
    if (task.pass != graph::Pass::forward) ports_.insert(ports_.end(), saved.begin(), saved.end());
    play_ports(task);
    saved.assign(outputs_.begin() + 1, outputs_.end());
    count_done(task);
    hand_on(task, outputs_[0]);
}

/// A forward pass and the unsplit backward pass after it.
void StageAccount::play_pair(std::size_t position) {
    const Task* const tasks = graph_->schedule.tasks[stage_].data() + position;
    const std::vector<Arrival>& taken = saved_of(tasks[1]);
    ports_.assign(1, boundary_of(tasks[0], position));
    ports_.push_back(boundary_of(tasks[1], position + 1));
    ports_.insert(ports_.end(), taken.begin(), taken.end());
    play_ports(tasks[0]);
    saved_of(tasks[0]).assign(outputs_.begin() + 2, outputs_.end());
    for (std::size_t k = 0; k < 2; ++k) {
        count_done(tasks[k]);
        hand_on(tasks[k], outputs_[k]);
    }
}

void StageAccount::play_ports(const Task& task) {
    const RegionId region = graph::region_of(graph_->programs[program_], task, graph_->schedule);
    outputs_.resize(graph_->regions[region.index()].outputs.size());
    player_.play(region, program_, streams_, ports_, outputs_, parts_);
}

void StageAccount::count_done(const Task& task) {
    const bool split = graph_->schedule.splits_backward && task.form != graph::Form::whole;
    const graph::Pass last = split ? graph::Pass::weight : graph::Pass::backward;
    if (task.pass == graph::Pass::forward) ++done_[task.chunk * std::size_t{2}];
    if (task.pass == last) ++done_[task.chunk * 2U + 1];
}

Arrival StageAccount::boundary_of(const Task& task, std::size_t position) {
    const Peer source = graph::source_of(task, stage_, graph_->schedule);
    if (source.kind == Peer::Kind::none) return Arrival::none();
    if (source.kind == Peer::Kind::local) return local(source.task);
    const Message message =
        messages_->at(lane_end(source.stage, task), messages_->player().program().incoming(stage_, position));
    const std::size_t lane = lane_of(task);
    record_transfer(message, task, graph_->streams.size() + 2 * lane + 1, 0.0);
    return receive_stream_[lane] = Arrival::of(message);
}

void StageAccount::hand_on(const Task& task, const Arrival& value) {
    switch (graph::destination_of(task, stage_, graph_->schedule).kind) {
        case Peer::Kind::none:
            break;
        case Peer::Kind::local:
            local(task) = value;
            break;
        case Peer::Kind::stage:
            send(task, value);
            break;
    }
}

void StageAccount::send(const Task& task, const Arrival& value) {
    const std::uint32_t end = lane_end(stage_, task);
    const std::size_t lane = lane_of(task);
    const TransferTime& time =
        (task.pass == graph::Pass::forward ? durations_->forward : durations_->backward)[end];
    const Message message = messages_->at(end, messages_->player().program().first_slot(end) + sent_[lane]++);
    const std::size_t stream =
        graph_->message_stream ? graph_->message_stream->index() : graph_->streams.size() + 2 * lane;
    Arrival& queue = graph_->message_stream ? streams_[stream] : send_stream_[lane];
    const Link peer{0, Cause::bubble()};
    // The message waited for its value, for the previous message, or for its receiver.
    Arrival last{message.start, {peer, peer, peer}};
    if (message.start == message.ready) {
        last = value;
    } else if (message.start == queue.time) {
        last = queue;
    }
    queue = Arrival::after(last, message.end, Cause::message());
    record_transfer(message, task, stream, time.hold);
    if (time.hold == 0) return;

    Arrival& compute = streams_[graph::compute_stream.index()];
    charge_wait(compute.time, last, parts_, waits_);
    const double from = later(compute.time, message.start);
    const double until = message.start + time.hold;
    if (until <= from) return;
    parts_.charge(Cause::message(), until - from);
    compute = Arrival{until, {}};
}

void StageAccount::record_transfer(const Message& message, const Task& task, std::size_t stream,
                                   double hold) {
    if (timeline_ == nullptr) return;
    const graph::WorkId work = graph::message_of(*graph_, task.pass, stage_);
    timeline_->spans.push_back({static_cast<std::uint32_t>(stream),
                                message.start,
                                message.end,
                                message.start + hold,
                                work,
                                graph::RegionId{},
                                task,
                                Span::Phase::transfer,
                                {}});
}

Arrival& StageAccount::local(const Task& task) {
    const std::size_t direction = task.pass == graph::Pass::forward ? 0 : 1;
    const graph::PipelineSchedule& schedule = graph_->schedule;
    return local_[(direction * schedule.chunks + task.chunk) * schedule.microbatches + task.microbatch];
}

}  // namespace dse::sim::fold
