// Also tests: template/block_state.cpp, template/stage_parameters.cpp, template/optimizer_step.cpp
// Also tests: template/resident_memory.cpp
#include "frontend/template/structure.hpp"

#include <map>

#include "small_structure.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MemoryKind;
using graph::MeshAxis;
using test::one_stage;
using test::SmallStructure;

const AxisSet tp{MeshAxis::tensor};
const AxisSet dp{MeshAxis::data};

// h 32, f 64, v 96: a layer has 32 + 2·32·64 = 4128 parameters, the table 96·32 = 3072.
constexpr double layer = 4128;
constexpr double table = 3072;

double resident(const Structure& structure, std::size_t stage, MemoryKind kind, const Numbers& numbers) {
    double bytes = 0;
    const auto& graph = structure.graph;
    for (const graph::BufferId id : graph.programs[graph.program_of[stage]].resident) {
        if (structure.buffers[id.index()].kind == kind)
            bytes += evaluate(structure.buffers[id.index()].size, numbers);
    }
    return bytes;
}

TEST(Structure, EqualStagesShareAProgram) {
    SmallStructure small;
    const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}}}, {{{1, 2}}}, {{{1, 2}, {2, 1}}}});
    EXPECT_EQ(structure.graph.programs.size(), 3U);
    EXPECT_EQ(structure.graph.program_of, (std::vector<std::uint32_t>{0, 1, 1, 2}));
    EXPECT_EQ(structure.graph.works.size(), structure.works.size());
    EXPECT_EQ(structure.graph.buffers.size(), structure.buffers.size());
}

TEST(Structure, ATiedParameterIsHeldOnceAStage) {
    SmallStructure one;
    const Structure together = one.build(one_stage(4));
    EXPECT_EQ(resident(together, 0, MemoryKind::parameters, one.numbers(together, 1, 1)),
              2 * (4 * layer + table));
    SmallStructure two;
    const Structure apart = two.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    const Numbers numbers = two.numbers(apart, 1, 1);
    EXPECT_EQ(resident(apart, 0, MemoryKind::parameters, numbers), 2 * (2 * layer + table));
    EXPECT_EQ(resident(apart, 1, MemoryKind::parameters, numbers), 2 * (2 * layer + table));
}

TEST(Structure, StatesAreSharedByZeroStage) {
    for (const std::int64_t zero : {0, 1, 2, 3}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = zero;
        const Structure structure = small.build(one_stage(2));
        const Numbers numbers = small.numbers(structure, 1, 4);
        const double all = 2 * layer + table;
        EXPECT_EQ(resident(structure, 0, MemoryKind::parameters, numbers), 2 * all / (zero >= 3 ? 4 : 1));
        EXPECT_EQ(resident(structure, 0, MemoryKind::gradients, numbers), 4 * all / (zero >= 2 ? 4 : 1));
        EXPECT_EQ(resident(structure, 0, MemoryKind::optimizer, numbers), 12 * all / (zero >= 1 ? 4 : 1));
    }
}

/// The update reads moments, master copy (12 B) and gradients (4 B), writes 12 B and the 2 B parameters.
TEST(Structure, TheUpdatePassesOverTheStates) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 1;
    const Structure structure = small.build(one_stage(2));
    const Numbers numbers = small.numbers(structure, 1, 4);
    const auto& program = structure.graph.programs[0];
    const auto work = [&](graph::RegionId region) {
        graph::Work result;
        evaluate(structure.works[structure.graph.regions[region.index()].items[0].work.index()], numbers,
                 result);
        return std::get<graph::Compute>(result);
    };
    const double share = (2 * layer + table) / 4;
    EXPECT_EQ(work(program.update).read.value(), 16 * share);
    EXPECT_EQ(work(program.update).written.value(), 14 * share);
    EXPECT_EQ(work(program.update).op_class, graph::OpClass::optimizer);
    EXPECT_EQ(work(program.finish).read.value(), 4 * share) << "the norm of the gradients that it has";
}

TEST(Structure, AnUnfusedUpdatePassesOverThemForEveryOperation) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 1;
    small.options.stack.fused_optimizer = false;
    const Structure structure = small.build(one_stage(2));
    const Numbers numbers = small.numbers(structure, 1, 4);
    graph::Work result;
    const graph::RegionId update = structure.graph.programs[0].update;
    evaluate(structure.works[structure.graph.regions[update.index()].items[0].work.index()], numbers, result);
    const auto& step = std::get<graph::Compute>(result);
    // Twelve operands read and eight results written, where one kernel reads four and writes three.
    const double share = (2 * layer + table) / 4;
    EXPECT_EQ(step.read.value(), 16 * share * 3);
    EXPECT_NEAR(step.written.value(), 14 * share * 8 / 3, 1) << "bytes are whole";
    // The roots of the second averages, in 32 bits, while it works.
    const graph::Item& item = structure.graph.regions[update.index()].items[0];
    ASSERT_EQ(item.allocates.size(), 1U);
    EXPECT_EQ(item.frees, item.allocates);
    const auto roots = [&](const Structure& of) {
        return evaluate(of.buffers[item.allocates.front().index()].size, numbers);
    };
    EXPECT_EQ(roots(structure), 4 * share);
    small.options.stack.optimizer_copies = 2;
    EXPECT_EQ(roots(small.build(one_stage(2))), 8 * share) << "and what follows from them";
}

/// Megatron-LM's buffer of gradients, which only ZeRO-2 shards.
TEST(Structure, ABufferOfGradientsIsSetToZero) {
    for (const std::int64_t zero : {1, 2}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = zero;
        small.options.stack.zeroed_gradients = true;
        const Structure structure = small.build(one_stage(2));
        const graph::Region& update = structure.graph.regions[structure.graph.programs[0].update.index()];
        ASSERT_EQ(structure.graph.names[update.items[1].name.index()], "zero gradients");
        graph::Work work;
        evaluate(structure.works[update.items[1].work.index()], small.numbers(structure, 1, 4), work);
        EXPECT_EQ(std::get<graph::Compute>(work).written.value(),
                  4 * (2 * layer + table) / (zero >= 2 ? 4 : 1));
        EXPECT_EQ(std::get<graph::Compute>(work).read.value(), 0);
    }
}

/// What ZeRO-1 gathers in the first tasks, the optimizer has updated.
TEST(Structure, GathersFollowTheUpdate) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 1;
    Structure structure = small.build(one_stage(2));
    const graph::Region& update = structure.graph.regions[structure.graph.programs[0].update.index()];
    ASSERT_EQ(update.items.size(), 2U);
    EXPECT_EQ(update.items[1].stream, structure.streams.of(dp));
    EXPECT_EQ(update.items[1].inputs, std::vector{graph::ValueRef::item(0)});
    small.options.stack.zero = 0;
    const Structure whole = small.build(one_stage(2));
    EXPECT_EQ(whole.graph.regions[whole.graph.programs[0].update.index()].items.size(), 1U);
}

/// A table, which the head shares, and three parameters a layer.
TEST(Structure, TheHostLaunchesTheUpdateOfEachParameter) {
    for (const AxisSet active : {AxisSet{}, dp, AxisSet{MeshAxis::replica}}) {
        SmallStructure small;
        small.options.active = active;
        small.options.stack.update_launches = 2;
        small.options.stack.reduction_launches = 0.5;
        const Structure structure = small.build(one_stage(2));
        const graph::RegionId update = structure.graph.programs[0].update;
        graph::Work result;
        evaluate(structure.works[structure.graph.regions[update.index()].items[1].work.index()],
                 small.numbers(structure, 1, 4), result);
        EXPECT_EQ(std::get<graph::Launch>(result).kernels, 7 * (active.empty() ? 2 : 2.5));
    }
}

TEST(Structure, MessagesHaveTheBoundarysSize) {
    SmallStructure small;
    small.options.active = tp | dp;
    const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    const Numbers numbers = small.numbers(structure, 2, 4);
    for (const graph::WorkId id : {structure.graph.send_forward, structure.graph.send_backward}) {
        graph::Work work;
        evaluate(structure.works[id.index()], numbers, work);
        // b/4 · s/2 · h in 16 bits.
        EXPECT_EQ(std::get<graph::Transfer>(work).size.value(), 2 * (8 / 4) * (16 / 2) * 32);
    }
}

/// Transformer Engine's delayed scaling: one all-reduce of a few numbers over tp and dp at the end of each
/// pass of a chunk, for which the device's next pass waits.
TEST(Structure, DelayedScalingReducesMaximaAfterEachPass) {
    SmallStructure small;
    small.options.active = tp | dp;
    small.options.stack.delayed_scaling = true;
    const auto reductions = [&] {
        const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
        const Numbers numbers = small.numbers(structure, 2, 4);
        std::vector<graph::Collective> found;
        for (const graph::StageProgram& program : structure.graph.programs) {
            const graph::ChunkProgram& chunk = program.chunks.front();
            for (const graph::RegionId id : {chunk.forward, chunk.backward}) {
                const graph::Region& region = structure.graph.regions[id.index()];
                for (const graph::Item& item : region.items) {
                    if (structure.graph.names[item.name.index()] != "all_reduce maxima") continue;
                    graph::Work work;
                    evaluate(structure.works[item.work.index()], numbers, work);
                    found.push_back(std::get<graph::Collective>(work));
                }
            }
        }
        return found;
    };
    EXPECT_TRUE(reductions().empty()) << "nothing has eight bits";
    small.options.stack.precision = graph::Precision::fp8;
    const std::vector<graph::Collective> found = reductions();
    ASSERT_EQ(found.size(), 4U);
    for (const graph::Collective& collective : found) {
        EXPECT_EQ(collective.kind, graph::CollectiveKind::all_reduce);
        EXPECT_EQ(collective.axes, tp | dp);
        EXPECT_EQ(collective.exposed, 1.0) << "whatever exposed_dp says";
        EXPECT_EQ(collective.size.value(), 4);
    }
    small.options.active = {};
    EXPECT_TRUE(reductions().empty()) << "one device a stage";
}

/// Three kernels for each reduction of maxima (concatenation, all-reduce, update), which a graph has
/// launched.
TEST(Structure, HostLaunchesTheReductionOfMaxima) {
    SmallStructure small;
    small.options.active = tp | dp;
    small.options.stack.delayed_scaling = true;
    small.options.stack.precision = graph::Precision::fp8;
    small.options.stack.launch_factor = 13.5;
    small.options.stack.cuda_graphs = false;
    const auto launches = [&] {
        const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
        const Numbers numbers = small.numbers(structure, 2, 4);
        std::vector<double> found;
        for (const graph::Region& region : structure.graph.regions) {
            for (const graph::Item& item : region.items) {
                if (structure.graph.names[item.name.index()] != "launch all_reduce maxima") continue;
                graph::Work work;
                evaluate(structure.works[item.work.index()], numbers, work);
                found.push_back(std::get<graph::Launch>(work).kernels);
            }
        }
        return found;
    };
    const std::vector<double> found = launches();
    EXPECT_FALSE(found.empty());
    for (const double kernels : found) EXPECT_DOUBLE_EQ(kernels, 3 * 13.5);
    small.options.stack.cuda_graphs = true;
    EXPECT_TRUE(launches().empty());
}

/// Of two stages, each pass has one end of a message, for which the host launches a kernel.
TEST(Structure, HostLaunchesBothEndsOfAMessage) {
    SmallStructure small;
    small.options.stack.launch_factor = 13.5;
    const auto launches = [&] {
        const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
        const Numbers numbers = small.numbers(structure, 1, 1);
        std::vector<double> found;
        for (const graph::StageProgram& program : structure.graph.programs) {
            const graph::ChunkProgram& chunk = program.chunks.front();
            for (const graph::RegionId id : {chunk.forward, chunk.backward}) {
                double kernels = 0.0;
                for (const graph::Item& item : structure.graph.regions[id.index()].items) {
                    if (item.kind == graph::Item::Kind::repeat) continue;
                    graph::Work work;
                    evaluate(structure.works[item.work.index()], numbers, work);
                    if (const auto* launch = std::get_if<graph::Launch>(&work)) kernels += launch->kernels;
                }
                found.push_back(kernels);
            }
        }
        return found;
    };
    small.options.stack.cuda_graphs = false;
    EXPECT_EQ(launches(), (std::vector<double>{13.5, 13.5, 13.5, 13.5}));
    small.options.stack.cuda_graphs = true;
    EXPECT_EQ(launches(), (std::vector<double>{0, 0, 0, 0}));
}

TEST(Structure, EachGroupHasAStream) {
    SmallStructure small;
    small.options.active = tp | dp;
    small.options.stack.zero = 1;
    // Gathers and reductions of dp share one; the barrier belongs to none.
    EXPECT_EQ(small.build(one_stage(2)).graph.streams, (std::vector<std::string>{"compute", "tp", "dp"}));
    EXPECT_FALSE(small.build(one_stage(2)).graph.message_stream.has_value());
}

TEST(Structure, AllCommunicationMayShareAStream) {
    SmallStructure small;
    small.options.active = tp | dp;
    small.options.stack.queues = graph::Queues::one;
    const graph::Graph graph = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}}).graph;
    EXPECT_EQ(graph.streams, (std::vector<std::string>{"compute", "communication", "host"}));
    EXPECT_EQ(graph.message_stream, graph::StreamId{1});
    // What both stages have of the table they add there, too, and then its norm is due.
    const graph::Region& finish = graph.regions[graph.programs[0].finish.index()];
    ASSERT_EQ(finish.items.size(), 2U);
    EXPECT_EQ(finish.items[0].stream, graph.message_stream);
    EXPECT_EQ(finish.items[1].inputs, (std::vector<graph::ValueRef>{graph::ValueRef::item(0)}));
}

/// The collectives over dp of a region and of the bodies that it repeats, by kind and bytes.
void add_over_dp(const Structure& structure, graph::RegionId region, const Numbers& numbers, double times,
                 std::map<graph::CollectiveKind, double>& bytes) {
    for (const graph::Item& item : structure.graph.regions[region.index()].items) {
        if (item.kind == graph::Item::Kind::repeat) {
            add_over_dp(structure, item.body, numbers, times, bytes);
            continue;
        }
        graph::Work work;
        evaluate(structure.works[item.work.index()], numbers, work);
        const auto* collective = std::get_if<graph::Collective>(&work);
        if (collective != nullptr && collective->axes == dp)
            bytes[collective->kind] += times * collective->size.value();
    }
}

/// Two stages of one layer and the table each, no ZeRO: gradients in fp32 are 4·(4128 + 3072) bytes a stage,
/// of which the exposed share waits for the stage's last task and the rest goes with its last backward pass.
TEST(Structure, InAPipelineTheExposedShareOfReductionsWaits) {
    constexpr double all = 4 * (layer + table);
    for (const double exposed : {0.0, 0.25, 1.0}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = 0;
        small.options.stack.exposed_dp = exposed;
        const Structure structure = small.build({{{{0, 1}, {1, 1}}}, {{{1, 1}, {2, 1}}}});
        Numbers numbers = small.numbers(structure, 1, 4);
        numbers.exposed_dp = exposed;
        for (const graph::StageProgram& program : structure.graph.programs) {
            std::map<graph::CollectiveKind, double> beside;
            std::map<graph::CollectiveKind, double> after;
            add_over_dp(structure, program.chunks[0].backward_last, numbers, 1, beside);
            add_over_dp(structure, program.finish, numbers, 1, after);
            EXPECT_EQ(beside[graph::CollectiveKind::all_reduce], (1 - exposed) * all) << exposed;
            EXPECT_EQ(after[graph::CollectiveKind::all_reduce], exposed * all) << exposed;
            const graph::Region& finish = structure.graph.regions[program.finish.index()];
            EXPECT_EQ(std::get<CollectiveFormula>(structure.works[finish.items[0].work.index()]).members,
                      graph::Members::ends)
                << "what both ends have comes first";
            EXPECT_EQ(finish.items.back().inputs.size(), finish.items.size() - 1) << "the norm waits for all";
        }
    }
}

/// Under ZeRO-1 the updated parameters, 2·(4128 + 3072) bytes, are gathered right after the update.
TEST(Structure, InAPipelineTheExposedShareOfGathersComesFirst) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 1;
    small.options.stack.exposed_dp = 1.0;
    const Structure structure = small.build({{{{0, 1}, {1, 1}}}, {{{1, 1}, {2, 1}}}});
    Numbers numbers = small.numbers(structure, 1, 4);
    numbers.exposed_dp = 1.0;
    for (const graph::StageProgram& program : structure.graph.programs) {
        std::map<graph::CollectiveKind, double> update;
        std::map<graph::CollectiveKind, double> forward;
        std::map<graph::CollectiveKind, double> finish;
        add_over_dp(structure, program.update, numbers, 1, update);
        add_over_dp(structure, program.chunks[0].forward_first, numbers, 1, forward);
        add_over_dp(structure, program.finish, numbers, 1, finish);
        EXPECT_EQ(update[graph::CollectiveKind::all_gather], 2 * (layer + table));
        EXPECT_TRUE(forward.empty());
        EXPECT_EQ(finish[graph::CollectiveKind::reduce_scatter], 4 * (layer + table));
    }
}

/// A layer's forward pass makes a and z, in 16 bits [8, 16, 32], u and g [8, 16, 64], and y.
TEST(Structure, ACachingAllocatorHasReservedWhatLayersMade) {
    SmallStructure small;
    const Structure plain = small.build(one_stage(2));
    const Numbers before = small.numbers(plain, 1, 1);
    EXPECT_EQ(resident(plain, 0, MemoryKind::workspace, before), 0);
    small.options.stack.cached_layers = 1.5;
    const Structure structure = small.build(one_stage(2));
    const Numbers numbers = small.numbers(structure, 1, 1);
    constexpr double made = 2.0 * 8 * 16 * (3 * 32 + 2 * 64);
    const double statistics = resident(structure, 0, MemoryKind::workspace, numbers) - 1.5 * made;
    // Besides, what the norm keeps of its rows, in fp32, and what enters.
    EXPECT_GE(statistics, 0);
    EXPECT_LE(statistics, 1.5 * (2.0 * 8 * 16 * 32 + 4.0 * 8 * 16));
}

/// The loss reads logits [8, 16, 96] in 16 bits; only the last stage has them.
TEST(Structure, ALoopMayKeepTheLogitsOfAMicrobatch) {
    SmallStructure small;
    small.options.stack.keeps_logits = true;
    const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    const Numbers numbers = small.numbers(structure, 1, 1);
    EXPECT_EQ(resident(structure, 0, MemoryKind::workspace, numbers), 0);
    EXPECT_EQ(resident(structure, 1, MemoryKind::workspace, numbers), 2.0 * 8 * 16 * 96);
    small.options.stack.loss = graph::LossKernel::unfused;  // of a copy in 32 bits
    const Structure cast = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    EXPECT_EQ(resident(cast, 1, MemoryKind::workspace, small.numbers(cast, 1, 1)), 4.0 * 8 * 16 * 96);
}

/// 2 bytes for the first microbatch's, and 4 for the second's, which lie in a block of 32 bits.
TEST(Structure, BuffersOfOutputsKeepTheLogitsOfTwoMicrobatches) {
    SmallStructure small;
    small.options.stack.keeps_logits = true;
    small.options.stack.keeps_outputs = true;
    small.options.stack.loss = graph::LossKernel::unfused;
    const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    const Numbers numbers = small.numbers(structure, 1, 1);
    EXPECT_EQ(resident(structure, 0, MemoryKind::workspace, numbers), 0);
    EXPECT_EQ(resident(structure, 1, MemoryKind::workspace, numbers), (2.0 + 4.0) * 8 * 16 * 96);
}

/// A layer launches five kernels, a gather and a scatter, which read and write two tensors [8, 16, 32] in 16
/// bits: of all four layers, or of those for which the queue has room.
TEST(Structure, TensorsOfCollectivesAreHeldWhileTheHostIsAhead) {
    for (const auto& [queue, layers] :
         {std::pair{0.0, 0.0}, std::pair{1000.0, 4.0}, std::pair{14.0, 2.0}, std::pair{3.5, 0.5}}) {
        SmallStructure small;
        small.options.active = tp;
        small.options.stack.launch_queue = queue;
        const Structure structure = small.build(one_stage(4));
        EXPECT_EQ(resident(structure, 0, MemoryKind::communication, small.numbers(structure, 2, 1)),
                  layers * 2 * (2.0 * 8 * 16 * 32))
            << queue;
    }
}

/// What the backward pass reads as it was gathered is kept, so that only the scatter's input is held.
TEST(Structure, WhatIsKeptIsNotHeldAsWell) {
    SmallStructure small;
    small.options.active = tp;
    small.options.stack.regather_inputs = false;
    small.options.stack.launch_queue = 1000;
    const Structure structure = small.build(one_stage(4));
    EXPECT_EQ(resident(structure, 0, MemoryKind::communication, small.numbers(structure, 2, 1)),
              4 * 2.0 * 8 * 16 * 32);
}

/// Under ZeRO-3, the gathered parameters of three layers, in 16 bits.
TEST(Structure, GatheredParametersAreHeldAsWell) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 3;
    small.options.stack.launch_queue = 1000;
    const Structure structure = small.build(one_stage(3));
    EXPECT_EQ(resident(structure, 0, MemoryKind::communication, small.numbers(structure, 1, 4)),
              3 * 2.0 * layer);
}

/// A stage's parameters in 16 bits, whole as the fp32 sums are.
TEST(Structure, NarrowGradientsMayStayBesideTheirSums) {
    for (const std::int64_t zero : {0, 1}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = zero;
        small.options.stack.keeps_narrow_gradients = true;
        const Structure structure = small.build(one_stage(2));
        const double all = 2 * layer + table;
        EXPECT_EQ(resident(structure, 0, MemoryKind::gradients, small.numbers(structure, 1, 4)),
                  (4 + 2) * all);
    }
}

/// Copies of a share in 16 and 32 bits; ZeRO-3's gradients are flat before.
TEST(Structure, AnUpdateMayFlattenTheGradientsOfAShare) {
    for (const std::int64_t zero : {0, 1, 2, 3}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = zero;
        small.options.stack.flat_update = true;
        const Structure structure = small.build(one_stage(2));
        const double share = (2 * layer + table) / 4;
        const double bytes = zero == 0 ? 0 : zero < 3 ? 2 + 4 : 4;
        EXPECT_EQ(resident(structure, 0, MemoryKind::workspace, small.numbers(structure, 1, 4)),
                  bytes * share);
        small.options.stack.offload = graph::Offload::optimizer;
        const Structure on_host = small.build(one_stage(2));
        EXPECT_EQ(resident(on_host, 0, MemoryKind::workspace, small.numbers(on_host, 1, 4)), 0);
    }
}

/// 1,000 gradients in 32 bits, whatever the model has; nothing is reduced on one device.
TEST(Structure, ReductionsMayHaveABucket) {
    SmallStructure small;
    small.options.stack.reduce_bucket = 1000;
    const Structure alone = small.build(one_stage(2));
    EXPECT_EQ(resident(alone, 0, MemoryKind::communication, small.numbers(alone, 1, 1)), 0);
    small.options.active = dp;
    const Structure structure = small.build(one_stage(2));
    EXPECT_EQ(resident(structure, 0, MemoryKind::communication, small.numbers(structure, 1, 4)), 4000);
}

TEST(Structure, GradientsMayStayWholeUntilTheyAreReduced) {
    for (const std::int64_t zero : {2, 3}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = zero;
        small.options.stack.accumulate_whole = true;
        const Structure structure = small.build(one_stage(2));
        const Numbers numbers = small.numbers(structure, 1, 4);
        const double all = 2 * layer + table;
        EXPECT_EQ(resident(structure, 0, MemoryKind::gradients, numbers), 4 * all);
        std::map<graph::CollectiveKind, double> each;
        std::map<graph::CollectiveKind, double> last;
        add_over_dp(structure, structure.graph.programs[0].chunks[0].backward, numbers, 1, each);
        add_over_dp(structure, structure.graph.programs[0].chunks[0].backward_last, numbers, 1, last);
        EXPECT_EQ(each[graph::CollectiveKind::reduce_scatter], 0);
        EXPECT_GT(last[graph::CollectiveKind::reduce_scatter], 0);
    }
}

/// Each device updates its shard alone, but gets all gradients: those of the table, and of a layer, whose
/// work repeats.
TEST(Structure, GradientsOfShardsMayBeReducedWhole) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 1;
    small.options.stack.reduce_whole = true;
    const Structure structure = small.build(one_stage(2));
    const Numbers numbers = small.numbers(structure, 1, 4);
    std::map<graph::CollectiveKind, double> last;
    add_over_dp(structure, structure.graph.programs[0].chunks[0].backward_last, numbers, 1, last);
    EXPECT_EQ(last[graph::CollectiveKind::reduce_scatter], 0);
    EXPECT_EQ(last[graph::CollectiveKind::all_reduce], 4 * (layer + table));
}

TEST(Structure, TheBarrierIsOverAllRanks) {
    SmallStructure small;
    small.options.active = tp | dp;
    const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    const auto& barrier = std::get<CollectiveFormula>(structure.works[structure.graph.barrier.index()]);
    EXPECT_EQ(barrier.axes, tp | dp | MeshAxis::pipeline);
    EXPECT_EQ(evaluate(barrier.size, small.numbers(structure, 2, 4)), 4) << "one number";
}

}  // namespace
}  // namespace dse::frontend
