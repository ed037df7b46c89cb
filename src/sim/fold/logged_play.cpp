#include "dse/sim/fold/logged_play.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

graph::RegionId LoggedPlay::region_of(std::uint32_t stage, std::size_t piece) const {
    const graph::StageProgram& program = graph_->programs[graph_->program_of[stage]];
    if (piece == 0) return program.update;
    if (piece > tasks(stage).size()) return program.finish;
    return graph::region_of(program, tasks(stage)[piece - 1], graph_->schedule);
}

bool LoggedPlay::meets(std::uint32_t stage, std::size_t piece) const {
    return piece > tasks(stage).size() && record_->meets_at(stage) > 0;
}

/// \param piece  not the update, before which everything is free at 0
void LoggedPlay::read_log(std::uint32_t stage, std::size_t piece, std::span<double> inputs) const {
    record_->read_task(stage, piece - 1, inputs);
}

void LoggedPlay::read_streams_at_end(std::uint32_t stage, std::vector<double>& streams) const {
    streams.resize(graph_->streams.size());
    read_log(stage, tasks(stage).size() + 1, streams);
}

double LoggedPlay::compute_free(std::uint32_t stage, std::size_t piece) const {
    if (piece == 0) return 0.0;
    if (piece > tasks(stage).size() + 1) return record_->stream_free(stage, graph::compute_stream.index());
    double free = 0.0;
    static_assert(graph::compute_stream.index() == 0);
    read_log(stage, piece, {&free, 1});
    return free;
}

graph::RegionId LoggedPlay::read_inputs(std::uint32_t stage, std::size_t piece,
                                        std::vector<double>& inputs) const {
    const graph::RegionId region = region_of(stage, piece);
    inputs.resize(graph_->streams.size() + graph_->regions[region.index()].ports);
    if (piece > 0) {
        read_log(stage, piece, inputs);
    } else {
        std::fill(inputs.begin(), inputs.end(), 0.0);
    }
    if (meets(stage, piece)) inputs[graph::meeting_stream(*graph_).index()] = record_->meets_at(stage);
    return region;
}

const RegionPath& LoggedPlay::path_to(const PieceExit& exit, std::vector<double>& inputs) const {
    const graph::RegionId region = read_inputs(exit.stage, exit.piece, inputs);
    return paths_->find(region, graph_->program_of[exit.stage], exit.number, inputs);
}

bool LoggedPlay::waited_for_compute_only(const PieceExit& exit, std::vector<double>& inputs) const {
    const graph::RegionId region = read_inputs(exit.stage, exit.piece, inputs);
    return paths_->last_inputs(region, graph_->program_of[exit.stage], exit.number, inputs)
        .is_only(graph::compute_stream.index());
}

std::size_t LoggedPlay::last_stream(std::uint32_t stage) const {
    static_assert(graph::compute_stream.index() == 0);
    std::size_t last = graph::compute_stream.index();
    for (std::size_t s = 1; s < graph_->streams.size(); ++s) {
        if (record_->stream_free(stage, s) > record_->stream_free(stage, last)) last = s;
    }
    return last;
}

PieceExit LoggedPlay::saved_by(std::uint32_t stage, std::size_t piece, std::size_t port) const {
    const std::span<const graph::Task> all = tasks(stage);
    const graph::Task& task = all[piece - 1];
    std::size_t position = piece - 1;
    do {
        DSE_EXPECT(position > 0);
        --position;
    } while (all[position].chunk != task.chunk || all[position].microbatch != task.microbatch);
    return {stage, position + 1, graph_->streams.size() + port};
}

std::size_t LoggedPlay::position_of(std::uint32_t stage, const graph::Task& task, std::size_t near) const {
    const std::span<const graph::Task> all = tasks(stage);
    const std::size_t reached = std::min(near, all.size());
    for (std::size_t position = reached; position-- > 0;) {
        if (all[position] == task) return position;
    }
    const auto found = std::find(all.begin() + static_cast<std::ptrdiff_t>(reached), all.end(), task);
    DSE_ENSURE(found != all.end());
    return static_cast<std::size_t>(found - all.begin());
}

std::size_t LoggedPlay::sent_before(std::uint32_t stage, std::size_t position, std::uint32_t lane_end) const {
    const graph::PipelineSchedule& schedule = graph_->schedule;
    const auto sends = [&](const graph::Task& task) {
        return graph::destination_of(task, stage, schedule).kind == graph::Peer::Kind::stage &&
               graph::lane_end(stage, graph::lane_of(task, schedule), schedule) == lane_end;
    };
    do {
        DSE_EXPECT(position > 0);
        --position;
    } while (!sends(tasks(stage)[position]));
    return position;
}

LoggedPlay::Arriving LoggedPlay::arriving(std::uint32_t stage, std::size_t position) const {
    const graph::PipelineSchedule& schedule = graph_->schedule;
    Arriving message;
    message.stage = stage;
    message.task = tasks(stage)[position];
    message.sender = graph::source_of(message.task, stage, schedule);
    message.lane_end =
        graph::lane_end(message.sender.stage, graph::lane_of(message.sender.task, schedule), schedule);
    message.slot = record_->program().incoming(stage, position);
    message.times = record_->message(message.lane_end, message.slot);
    return message;
}

}  // namespace dse::sim::fold
