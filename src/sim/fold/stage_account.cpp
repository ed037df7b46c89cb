#include "dse/sim/fold/stage_account.hpp"

#include <algorithm>
#include <optional>

namespace dse::sim::fold {

using workload::Peer;
using workload::RegionId;
using workload::Task;

namespace {

/// Writes nodes into a timeline.
class TimelineWriter final : public NodeObserver {
  public:
    explicit TimelineWriter(Timeline& timeline) : timeline_{timeline} {}

    void on_node(const workload::Item& node, RegionId region, double start, double end,
                 double hold_end) override {
        timeline_.spans.push_back({static_cast<std::uint32_t>(node.stream.index()), start, end, hold_end,
                                   node.work, region, task, phase});
    }

    Task task;
    Span::Phase phase{Span::Phase::update};

  private:
    Timeline& timeline_;
};

}  // namespace

Parts StageAccount::play(const workload::Graph& graph, const Durations& durations, std::uint32_t stage,
                         const RegionTable& table, const MessageView& sends, const MessageView& receives,
                         Timeline* timeline) {
    graph_ = &graph;
    durations_ = &durations;
    sends_ = &sends;
    receives_ = &receives;
    stage_ = stage;
    program_ = graph.program_of[stage];
    sent_ = 0;
    received_ = 0;
    timeline_ = timeline;

    parts_ = Parts{};
    streams_.assign(graph.streams.size(), Arrival{});
    send_stream_ = receive_stream_ = Arrival{};
    const workload::PipelineSchedule& schedule = graph.schedule;
    const std::size_t passes = std::size_t{schedule.chunks} * schedule.microbatches;
    if (saved_.size() < passes) saved_.resize(passes);
    for (std::size_t i = 0; i < passes; ++i) saved_[i].clear();
    local_.resize(schedule.stages == 1 ? 2 * passes : 0);

    std::optional<TimelineWriter> writer;
    observer_ = nullptr;
    if (timeline != nullptr) observer_ = &writer.emplace(*timeline);
    player_.reset(graph, durations, table, observer_);
    play_region(graph.programs[program_].update);
    for (const Task& task : schedule.tasks[stage]) {
        if (writer) writer->task = task, writer->phase = Span::Phase::task;
        play_task(task);
    }
    if (writer) writer->phase = Span::Phase::finish;
    play_region(graph.programs[program_].finish);

    const Arrival* last = &*std::max_element(
        streams_.begin(), streams_.end(), [](const Arrival& a, const Arrival& b) { return a.time < b.time; });
    if (send_stream_.time > last->time) last = &send_stream_;
    if (receive_stream_.time > last->time) last = &receive_stream_;
    charge_wait(parts_, streams_[workload::compute_stream.index()].time, *last);
    last_stream_ = last->time;
    return parts_;
}

void StageAccount::play_region(RegionId region) {
    player_.play(region, program_, streams_, {}, {}, parts_);
}

void StageAccount::play_task(const Task& task) {
    std::vector<Arrival>& saved =
        saved_[std::size_t{task.chunk} * graph_->schedule.microbatches + task.microbatch];
    ports_.assign(1, boundary_of(task));
    ports_.insert(ports_.end(), saved.begin(), saved.end());
    const RegionId region = workload::region_of(graph_->programs[program_], task, graph_->schedule);
    outputs_.resize(graph_->regions[region.index()].outputs.size());
    player_.play(region, program_, streams_, ports_, outputs_, parts_);
    saved.assign(outputs_.begin() + 1, outputs_.end());
    hand_on(task, outputs_[0]);
}

Arrival StageAccount::boundary_of(const Task& task) {
    const Peer source = workload::source_of(task, stage_, graph_->schedule);
    if (source.kind == Peer::Kind::none) return Arrival::none();
    if (source.kind == Peer::Kind::local) return local(source.task);
    const Transfer message = receives_->at(received_++);
    receive_stream_ = Arrival::of(message);
    record_transfer(message, task, graph_->streams.size() + 1);
    return receive_stream_;
}

void StageAccount::hand_on(const Task& task, const Arrival& value) {
    switch (workload::destination_of(task, stage_, graph_->schedule).kind) {
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
    const TransferTime& time =
        (task.pass == workload::Pass::forward ? durations_->forward : durations_->backward)[stage_];
    const Transfer message = sends_->at(sent_++);
    const Link peer{0, Cause::bubble()};
    Arrival last{message.start, {peer, peer, peer}};
    if (message.limit == TransferLimit::value) last = value;
    if (message.limit == TransferLimit::send_stream) last = send_stream_;
    send_stream_ = Arrival::after(last, message.end, Cause::transfer());
    record_transfer(message, task, graph_->streams.size());
    if (time.hold == 0) return;

    Arrival& compute = streams_[workload::compute_stream.index()];
    charge_wait(parts_, compute.time, last);
    const double from = later(compute.time, message.start);
    const double until = message.start + time.hold;
    if (until <= from) return;
    parts_.charge(Cause::transfer(), until - from);
    compute = Arrival{until, {}};
}

void StageAccount::record_transfer(const Transfer& transfer, const Task& task, std::size_t stream) {
    if (timeline_ == nullptr) return;
    const workload::WorkId work =
        task.pass == workload::Pass::forward ? graph_->send_forward : graph_->send_backward;
    timeline_->spans.push_back({static_cast<std::uint32_t>(stream), transfer.start, transfer.end,
                                transfer.start, work, workload::RegionId{}, task, Span::Phase::transfer});
}

Arrival& StageAccount::local(const Task& task) {
    const std::size_t direction = task.pass == workload::Pass::forward ? 0 : 1;
    const workload::PipelineSchedule& schedule = graph_->schedule;
    return local_[(direction * schedule.chunks + task.chunk) * schedule.microbatches + task.microbatch];
}

}  // namespace dse::sim::fold
