#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"

namespace dse::test {

/// A graph and what its works take.
struct TimedGraph {
    graph::Graph graph;
    sim::Durations durations;
};

/// Limits of what a random graph holds.
struct RandomShape {
    std::uint32_t stages{4};
    std::uint32_t chunks{3};
    std::uint32_t microbatches{12};
    std::size_t nodes{10};  ///< of a body
    std::int64_t count{7};  ///< of a repeat
    std::int64_t group{2};  ///< size of each mesh axis but the pipeline's
};

/// Graphs of all kinds, valid by construction: bodies with ports that cross up to three iterations, nested
/// repeats, up to four streams of unequal rates, one of which may carry the messages between stages as well,
/// holds, losses, values that are visible early, stages with programs of their own, all schedules (split
/// backward, overlapped passes and one stage with several chunks included), saved values, transfers, buffers.
/// Half of them have durations of a few coarse ticks, so that ties abound.
class RandomGraph {
  public:
    RandomGraph(std::uint64_t seed, const RandomShape& shape) : random_{seed}, losses_{seed}, shape_{shape} {}

    TimedGraph make() {
        coarse_ = coin();
        const std::size_t streams = integer<std::size_t>(1, 4);
        for (std::size_t s = 0; s < streams; ++s) graph().streams.push_back("stream" + std::to_string(s));
        make_schedule();
        make_mesh();
        const std::uint32_t programs = integer(1U, graph().schedule.stages);
        for (std::uint32_t p = 0; p < programs; ++p) make_program();
        for (std::uint32_t i = 0; i < graph().schedule.stages; ++i) {
            graph().program_of.push_back(integer(0U, programs - 1));
        }
        make_transfers();
        if (streams > 1 && coin(0.4))
            graph().message_stream = graph::StreamId{integer<std::size_t>(1, streams - 1)};
        return result_;
    }

  private:
    using Item = graph::Item;
    using ValueRef = graph::ValueRef;

    graph::Graph& graph() { return result_.graph; }

    template <class T>
    T integer(T least, T most) {
        return std::uniform_int_distribution<T>{least, most}(random_);
    }
    bool coin(double chance = 0.5) { return std::bernoulli_distribution{chance}(random_); }

    double duration() {
        if (coin(0.1)) return 0;
        if (coarse_) return 0x1p-10 * integer(1, 4);
        return sim::quantise(std::uniform_real_distribution<double>{0, 1e-3}(random_));
    }
    double part_of(double whole) {
        if (coin()) return whole;
        return coarse_ ? whole / 2
                       : sim::quantise(whole * std::uniform_real_distribution<double>{0, 1}(random_));
    }

    /// From random numbers of its own, so that all else in a graph stays as it was without losses.
    double loss_of(double whole) {
        const int kind = std::uniform_int_distribution<int>{0, 3}(losses_);
        if (kind < 2) return 0;
        if (kind == 2 || coarse_) return kind == 2 ? whole : whole / 2;
        return sim::quantise(whole * std::uniform_real_distribution<double>{0, 1}(losses_));
    }

    void make_schedule() {
        using graph::ScheduleKind;
        const std::uint32_t stages = integer(1U, shape_.stages);
        const std::uint32_t microbatches = integer(1U, shape_.microbatches);
        graph::PipelineSchedule& schedule = graph().schedule;
        switch (integer(0, 5)) {
            case 4:
                graph::make_schedule(ScheduleKind::zb_v, stages, microbatches, 2, schedule);
                break;
            case 5:
                if (stages == 1) {
                    make_chunks_of_one_stage(microbatches);
                } else {
                    make_dual_pipe(stages / 2 * 2);
                }
                break;
            case 0:
                graph::make_schedule(ScheduleKind::gpipe, stages, microbatches, 1, schedule);
                break;
            case 1:
            case 2:
                graph::make_schedule(coin() ? ScheduleKind::one_f_one_b : ScheduleKind::zb_h1, stages,
                                     microbatches, 1, schedule);
                break;
            default:
                if (stages == 1) {
                    graph::make_schedule(ScheduleKind::one_f_one_b, 1, microbatches, 1, schedule);
                } else {
                    const std::uint32_t turns = integer(1U, std::max(1U, microbatches / stages));
                    graph::make_schedule(ScheduleKind::interleaved, stages, stages * turns,
                                         integer(1U, shape_.chunks), schedule);
                }
        }
        splits_ = schedule.splits_backward;
        if (splits_ || !coin(0.3)) return;
        splits_ = true;
        split_backward();
    }

    /// With as many microbatches as it needs, if those of the shape are fewer.
    void make_dual_pipe(std::uint32_t stages) {
        const std::uint32_t pairs = integer(stages, std::max(stages, shape_.microbatches / 2));
        graph::make_schedule(graph::ScheduleKind::dualpipe, stages, 2 * pairs, 2, graph().schedule);
    }

    /// Breadth first: each chunk takes all microbatches.
    void make_chunks_of_one_stage(std::uint32_t microbatches) {
        graph::PipelineSchedule& schedule = graph().schedule;
        schedule = {1, integer(1U, shape_.chunks), microbatches, {}, {}};
        auto& tasks = schedule.tasks.emplace_back();
        const auto chunks = static_cast<std::uint16_t>(schedule.chunks);
        for (std::uint16_t c = 0; c < chunks; ++c) {
            for (std::uint32_t m = 0; m < microbatches; ++m) tasks.push_back({graph::Pass::forward, c, m});
        }
        for (std::uint16_t c = chunks; c-- > 0;) {
            for (std::uint32_t m = 0; m < microbatches; ++m) tasks.push_back({graph::Pass::backward, c, m});
        }
    }

    /// Weight gradients a few tasks after their backward.
    void split_backward() {
        graph::PipelineSchedule& schedule = graph().schedule;
        schedule.steady.rounds = 0;
        schedule.splits_backward = true;
        for (auto& tasks : schedule.tasks) {
            const std::size_t delay = integer<std::size_t>(0, 3);
            std::vector<graph::Task> split;
            std::vector<graph::Task> waiting;
            std::size_t given = 0;
            for (const graph::Task& task : tasks) {
                split.push_back(task);
                if (task.pass == graph::Pass::backward) {
                    waiting.push_back({graph::Pass::weight, task.chunk, task.microbatch});
                    if (waiting.size() - given > delay) split.push_back(waiting[given++]);
                }
            }
            for (; given < waiting.size(); ++given) split.push_back(waiting[given]);
            tasks = split;
        }
    }

    void make_mesh() {
        using graph::MeshAxis;
        std::array attention{MeshAxis::tensor, MeshAxis::context, MeshAxis::data, MeshAxis::replica,
                             MeshAxis::pipeline};
        std::array experts{MeshAxis::expert_tensor, MeshAxis::expert, MeshAxis::expert_data};
        std::shuffle(attention.begin(), attention.end(), random_);
        std::shuffle(experts.begin(), experts.end(), random_);
        // Each axis of the experts beside one of the attention's of its size: both foldings then have the
        // same ranks in each stage, wherever the pipeline axis stands.
        graph::Mesh& mesh = graph().mesh;
        auto next = mesh.order.begin();
        auto expert = experts.begin();
        for (const MeshAxis axis : attention) {
            *next++ = axis;
            const bool stages = axis == MeshAxis::pipeline;
            const auto degree = stages ? graph().schedule.stages : integer<std::int64_t>(1, shape_.group);
            mesh.set_degree(axis, degree);
            if (stages || axis == MeshAxis::replica) continue;  // axes of both foldings
            mesh.set_degree(*expert, degree);
            *next++ = *expert++;
        }
    }

    graph::WorkId make_work(graph::StreamId stream) {
        sim::NodeTime time;
        time.duration = time.visible = duration();
        graph::Work work;
        const int kind = stream == graph::compute_stream ? (coin(0.8) ? 0 : integer(1, 2)) : integer(0, 3);
        if (kind == 0) {
            work = graph::Compute{};
            std::get<graph::Compute>(work).op_class = static_cast<graph::OpClass>(integer(0, 7));
        } else if (kind == 1) {
            work = graph::Copy{Bytes{4096}};
        } else {
            graph::AxisSet axes;
            const graph::AxisSet folding = coin() ? graph::attention_axes : graph::expert_axes;
            for (const auto axis : graph().mesh.order) {
                const bool has = folding.contains(axis) || axis == graph::MeshAxis::replica;
                if (has && coin()) axes = axes | axis;
            }
            work = graph::Collective{graph::CollectiveKind::all_gather, axes, Bytes{1024}, 1.0};
        }
        if (kind != 0) time.visible = part_of(time.duration);
        if (kind != 0 && coin()) time.hold = part_of(time.duration);
        if (kind != 0 && time.hold == 0) time.lost = loss_of(time.duration);
        graph().works.push_back(work);
        result_.durations.of_work.push_back(time);
        return graph::WorkId{graph().works.size() - 1};
    }

    graph::BufferId make_buffer() {
        graph().buffers.push_back(
            {static_cast<graph::MemoryKind>(integer(0, 5)), Bytes{static_cast<double>(integer(0, 1000))}});
        return graph::BufferId{graph().buffers.size() - 1};
    }

    ValueRef any_value(const graph::Region& region) {
        const std::size_t choices = 1 + region.ports + region.items.size();
        const std::size_t choice = integer<std::size_t>(0, choices - 1);
        if (choice == 0) return ValueRef::none();
        if (choice <= region.ports) return ValueRef::port(choice - 1);
        const std::size_t item = choice - 1 - region.ports;
        if (region.items[item].kind == Item::Kind::node) return ValueRef::item(item);
        const std::size_t outputs = region.items[item].inputs.size();
        return outputs == 0 ? ValueRef::none() : ValueRef::item(item, integer<std::size_t>(0, outputs - 1));
    }

    Item make_node(const graph::Region& region) {
        Item item;
        item.stream = graph::StreamId{coin() ? 0 : integer<std::size_t>(0, graph().streams.size() - 1)};
        item.work = make_work(item.stream);
        const int inputs = integer(0, 3);
        for (int i = 0; i < inputs; ++i) item.inputs.push_back(any_value(region));
        if (coin(0.3)) {
            const graph::BufferId buffer = make_buffer();
            item.allocates.push_back(buffer);
            live_.push_back(buffer);
        }
        if (coin(0.3) && !live_.empty()) {
            item.frees.push_back(live_.back());
            live_.pop_back();
        }
        return item;
    }

    Item make_repeat(const graph::Region& region, graph::StageProgram& program, int depth) {
        Item item;
        item.kind = Item::Kind::repeat;
        item.body = make_region(integer<std::uint16_t>(0, 3), -1, program, depth + 1);
        item.count = graph::CountId{program.counts.size()};
        program.counts.push_back(integer<std::int64_t>(0, shape_.count));
        const std::size_t ports = graph().regions[item.body.index()].ports;
        for (std::size_t k = 0; k < ports; ++k) item.inputs.push_back(any_value(region));
        return item;
    }

    /// \param outputs  -1: a body, with outputs that are its next iteration's ports
    graph::RegionId make_region(std::uint16_t ports, int outputs, graph::StageProgram& program, int depth = 0,
                                std::vector<Item> begin = {}) {
        graph::Region region;
        region.name = "region";
        region.ports = ports;
        region.items = std::move(begin);
        const std::size_t items = integer<std::size_t>(depth == 0 ? 0 : 2, depth == 0 ? 4 : shape_.nodes);
        for (std::size_t i = 0; i < items; ++i) {
            const bool repeats = depth < 2 && coin(depth == 0 ? 0.5 : 0.1);
            // The item is made first: it may add regions, and looks at the ones before it.
            Item item = repeats ? make_repeat(region, program, depth) : make_node(region);
            region.items.push_back(std::move(item));
        }
        const std::size_t wanted = outputs < 0 ? ports : static_cast<std::size_t>(outputs);
        for (std::size_t k = 0; k < wanted; ++k) {
            const bool shifts = outputs < 0 && k + 1 < ports && coin(0.6);
            region.outputs.push_back(shifts ? ValueRef::port(k + 1) : any_value(region));
        }
        graph().regions.push_back(std::move(region));
        return graph::RegionId{graph().regions.size() - 1};
    }

    /// Whole backwards, and pairs of overlapped passes. \param saved  values of each chunk's forward
    void make_joined_regions(const std::vector<std::uint16_t>& saved, graph::StageProgram& program) {
        for (std::size_t c = 0; c < 2; ++c) {
            const std::size_t other = 1 - c;
            graph::ChunkProgram& chunk = program.chunks[c];
            const auto ports = static_cast<std::uint16_t>(1 + saved[c]);
            const auto both = static_cast<std::uint16_t>(2 + saved[other]);
            chunk.whole = make_region(ports, 1, program);
            chunk.whole_last = coin() ? chunk.whole : make_region(ports, 1, program);
            chunk.overlapped = make_region(both, 2 + saved[c], program);
        }
    }

    /// What stages that mirror each other reduce between them, in half of the graphs that have two copies.
    std::vector<Item> make_meeting() {
        if (graph().programs.empty() && graph().schedule.placement == graph::Placement::mirrored && coin()) {
            graph().works.emplace_back(graph::Collective{graph::CollectiveKind::all_reduce,
                                                         graph::MeshAxis::pipeline, Bytes{64}, 1.0,
                                                         graph::Members::mirrors});
            meeting_ = graph::WorkId{graph().works.size() - 1};
            const double time = duration();
            result_.durations.of_work.push_back({time, part_of(time), 0.0});
            meeting_stream_ = graph::StreamId{integer<std::size_t>(0, graph().streams.size() - 1)};
        }
        if (!meeting_) return {};
        Item item;
        item.work = *meeting_;
        item.stream = meeting_stream_;
        return {item};
    }

    void make_program() {
        graph::StageProgram program;
        std::vector<std::uint16_t> all_saved;
        for (std::uint32_t c = 0; c < graph().schedule.chunks; ++c) {
            const auto saved = integer<std::uint16_t>(0, 3);
            const auto kept = static_cast<std::uint16_t>(splits_ ? integer(0, 2) : 0);
            const auto ports = static_cast<std::uint16_t>(1 + saved);
            const auto later_ports = static_cast<std::uint16_t>(1 + kept);
            graph::ChunkProgram chunk;
            chunk.forward = make_region(1, 1 + saved, program);
            chunk.forward_first = coin() ? chunk.forward : make_region(1, 1 + saved, program);
            chunk.backward = make_region(ports, 1 + kept, program);
            chunk.backward_last = coin() ? chunk.backward : make_region(ports, 1 + kept, program);
            chunk.weight = make_region(later_ports, 1, program);
            chunk.weight_last = coin() ? chunk.weight : make_region(later_ports, 1, program);
            program.chunks.push_back(chunk);
            all_saved.push_back(saved);
        }
        if (graph().schedule.placement == graph::Placement::mirrored) make_joined_regions(all_saved, program);
        program.update = make_region(0, 0, program);
        program.finish = make_region(0, 0, program, 0, make_meeting());
        for (int i = integer(0, 3); i > 0; --i) program.resident.push_back(make_buffer());
        graph().programs.push_back(std::move(program));
    }

    void make_transfers() {
        graph().works.emplace_back(graph::Transfer{Bytes{1}, 0.0});
        graph().send_forward = graph::WorkId{graph().works.size() - 1};
        graph().works.emplace_back(graph::Transfer{Bytes{1}, 0.0});
        graph().send_backward = graph::WorkId{graph().works.size() - 1};
        const graph::AxisSet everyone = graph::folding_of(graph::attention_axes);
        graph().works.emplace_back(
            graph::Collective{graph::CollectiveKind::all_reduce, everyone, Bytes{4}, 1.0});
        graph().barrier = graph::WorkId{graph().works.size() - 1};
        sim::Durations& durations = result_.durations;
        durations.of_work.resize(graph().works.size());
        durations.barrier = duration();
        const bool holds = coin(0.3);
        const graph::PipelineSchedule& schedule = graph().schedule;
        for (std::uint32_t i = 0; i < graph::lanes_of(schedule) * schedule.stages; ++i) {
            for (auto* transfers : {&durations.forward, &durations.backward}) {
                const double time = duration();
                transfers->push_back({time, holds ? part_of(time) : 0.0});
            }
        }
    }

    std::mt19937_64 random_;
    std::mt19937_64 losses_;
    RandomShape shape_;
    TimedGraph result_;
    bool coarse_{false};
    bool splits_{false};
    std::optional<graph::WorkId> meeting_;
    graph::StreamId meeting_stream_;
    std::vector<graph::BufferId> live_;
};

}  // namespace dse::test
