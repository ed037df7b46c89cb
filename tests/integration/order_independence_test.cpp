// The same point gives the same graph, whatever points came before it.
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/config/range.hpp"
#include "small_models.hpp"

namespace dse {
namespace {

using graph::Graph;

/// Everything of a graph, in words.
class GraphText {
  public:
    explicit GraphText(const Graph& graph) {
        for (const graph::Work& work : graph.works) add(work);
        for (const graph::Buffer& buffer : graph.buffers)
            text_ += fmt::format("{} {}\n", graph::name(buffer.kind), buffer.size.value());
        for (const graph::Region& region : graph.regions) add(region);
        for (const graph::StageProgram& program : graph.programs) add(program);
        for (const auto& tasks : graph.schedule.tasks) text_ += fmt::format("{} ", tasks.size());
        text_ += fmt::format("{} {} {} {} {}", graph.schedule.stages, graph.schedule.chunks,
                             graph.schedule.microbatches, graph.send_forward.index(), graph.barrier.index());
    }
    [[nodiscard]] const std::string& get() const { return text_; }

  private:
    void add(const graph::Work& work) {
        if (const auto* c = std::get_if<graph::Compute>(&work)) {
            text_ += fmt::format("compute {} {} {} {} {} {} {} {} {} {} {} {} {}\n", graph::name(c->op_class),
                                 static_cast<int>(c->precision), c->gemm.batch, c->gemm.m, c->gemm.n,
                                 c->gemm.k, c->model_flop.value(), c->executed_flop.value(), c->read.value(),
                                 c->written.value(), c->kernels, c->efficiency, work.index());
        } else if (const auto* collective = std::get_if<graph::Collective>(&work)) {
            text_ += fmt::format("{} {} {} {}\n", graph::name(collective->kind), collective->axes.bits(),
                                 collective->size.value(), collective->exposed);
        } else if (const auto* transfer = std::get_if<graph::Transfer>(&work)) {
            text_ += fmt::format("transfer {} {}\n", transfer->size.value(), transfer->exposed);
        } else if (const auto* launch = std::get_if<graph::Launch>(&work)) {
            text_ += fmt::format("launch {}\n", launch->kernels);
        }
    }
    void add(const graph::Region& region) {
        text_ += fmt::format("{} {}:\n", region.name, region.ports);
        for (const graph::Item& item : region.items) {
            const bool node = item.kind == graph::Item::Kind::node;
            text_ += node ? fmt::format("work {} on {}", item.work.index(), item.stream.index())
                          : fmt::format("{} times region {}", item.count.index(), item.body.index());
            for (const graph::ValueRef& value : item.inputs)
                text_ += fmt::format(" {}.{}.{}", static_cast<int>(value.source), value.index, value.output);
            for (const graph::BufferId id : item.allocates) text_ += fmt::format(" +{}", id.index());
            for (const graph::BufferId id : item.frees) text_ += fmt::format(" -{}", id.index());
            text_ += '\n';
        }
    }
    void add(const graph::StageProgram& program) {
        for (const std::int64_t count : program.counts) text_ += fmt::format("{} ", count);
        for (const auto& chunk : program.chunks)
            text_ += fmt::format("{} {} {} {} ", chunk.forward.index(), chunk.forward_first.index(),
                                 chunk.backward.index(), chunk.backward_last.index());
        text_ += '\n';
    }

    std::string text_;
};

/// Sets every field of a described struct to one of its values, by the stream of a seed.
class Shuffle {
  public:
    explicit Shuffle(std::mt19937_64& random) : random_{random} {}

    template <class Value>
    void optional(std::string_view name, Value& value, std::string_view) {
        if constexpr (std::is_enum_v<Value>) {
            value = static_cast<Value>(random_() % choice_names(Value{}).size());
        } else if constexpr (std::is_same_v<Value, bool>) {
            value = random_() % 2 == 0;
        } else if constexpr (std::is_same_v<Value, double>) {
            value = static_cast<double>(random_() % 3) / 2;
        } else {
            value = static_cast<Value>(random_() % 4);
        }
        names_.emplace_back(name);
    }
    template <class Value>
    void optional(std::string_view name, Value& value, config::Range, std::string_view help) {
        optional(name, value, help);
    }
    void renamed(std::string_view, std::string_view, std::string_view) {}
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::mt19937_64& random_;
    std::vector<std::string> names_;
};

graph::WorkloadSpec random_point(std::mt19937_64& random) {
    const auto pick = [&](std::initializer_list<std::int64_t> from) {
        return *(from.begin() + random() % from.size());
    };
    graph::WorkloadSpec spec;
    spec.model = pick({0, 1}) == 0 ? "small_llama" : "small_gpt";
    spec.global_batch = 32;
    spec.sequence = pick({32, 64});
    spec.layout.tp = pick({1, 2, 4});
    spec.layout.pp = pick({1, 2, 3});
    spec.layout.microbatch = pick({1, 2});
    spec.layout.schedule = pick({0, 1}) == 0 ? graph::ScheduleKind::gpipe : graph::ScheduleKind::one_f_one_b;
    spec.layout.sequence_parallel = pick({0, 1}) == 1;
    Shuffle shuffle(random);
    describe(shuffle, spec.stack);
    EXPECT_GE(shuffle.names().size(), 16U);
    // What no stack has, or nobody trains in, would only be refused.
    for (graph::Precision* precision :
         {&spec.stack.precision, &spec.stack.gradient_precision, &spec.stack.master_precision}) {
        if (*precision == graph::Precision::int8) *precision = graph::Precision::bf16;
    }
    spec.stack.attention_rate = std::max(0.5, spec.stack.attention_rate);
    spec.stack.attention_forward = std::max(0.5, spec.stack.attention_forward);
    spec.stack.attention_narrow = std::max(0.5, spec.stack.attention_narrow);
    spec.stack.permutation_rate = std::max(0.5, spec.stack.permutation_rate);
    spec.stack.scan_backward = std::max(1.0, spec.stack.scan_backward);
    spec.stack.prompt_dense_rate = std::max(0.5, spec.stack.prompt_dense_rate);
    spec.stack.offload_prefetch = std::max<std::int64_t>(1, spec.stack.offload_prefetch);
    spec.stack.expert_tile = std::max<std::int64_t>(1, spec.stack.expert_tile);
    spec.stack.expert_tile_margin = std::max(0.5, spec.stack.expert_tile_margin);
    spec.stack.expert_training_rate = std::max(0.5, spec.stack.expert_training_rate);
    spec.stack.dequantized_copies = std::max(1.0, spec.stack.dequantized_copies);
    if (spec.stack.weight_bits > 0.0) spec.stack.weight_bits = 4.25;
    spec.stack.loss_tiles = std::max<std::int64_t>(1, spec.stack.loss_tiles);
    if (spec.stack.precision != graph::Precision::fp8 &&
        spec.stack.primary_weights == graph::PrimaryWeights::fp8)
        spec.stack.primary_weights = graph::PrimaryWeights::compute;
    return spec;
}

TEST(TemplateFrontend, GraphsDoNotDependOnWhatCameBefore) {
    const test::SmallModels models;
    frontend::TemplateFrontend used = models.frontend();
    std::mt19937_64 random{7};
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
        const graph::WorkloadSpec spec = random_point(random);
        const std::int64_t devices =
            spec.layout.tp * spec.layout.pp * static_cast<std::int64_t>(1U << (random() % 3));
        const auto layout = graph::resolve(spec.layout, devices, spec.global_batch);
        frontend::TemplateFrontend fresh = models.frontend();
        std::string expected;
        try {
            expected = GraphText(fresh.build(spec, layout)).get();
        } catch (const ModelError&) {
            EXPECT_THROW(static_cast<void>(used.build(spec, layout)), ModelError);
            ++refused;
            continue;
        }
        ASSERT_EQ(GraphText(used.build(spec, layout)).get(), expected) << "point " << i;
    }
    EXPECT_LT(refused, 100);
}

/// Revisions tell graphs' numbers apart: two models in turn never show the same one.
TEST(TemplateFrontend, RevisionsAreNeverReused) {
    const test::SmallModels models;
    frontend::TemplateFrontend frontend = models.frontend();
    std::vector<std::uint64_t> seen;
    for (const std::int64_t sequence : {32, 64, 128}) {
        for (const char* model : {"small_llama", "small_gpt", "wide_llama"}) {
            graph::WorkloadSpec spec;
            spec.model = model;
            spec.global_batch = 4;
            spec.sequence = sequence;
            const auto layout = graph::resolve(spec.layout, 1, spec.global_batch);
            const std::uint64_t revision = frontend.build(spec, layout).revision;
            EXPECT_EQ(std::count(seen.begin(), seen.end(), revision), 0) << model << " " << sequence;
            EXPECT_EQ(frontend.build(spec, layout).revision, revision);
            seen.push_back(revision);
        }
    }
}

}  // namespace
}  // namespace dse
