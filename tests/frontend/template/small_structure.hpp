#pragma once

#include "frontend/template/structure.hpp"
#include "small_template.hpp"

namespace dse::test {

/// A template with an embedding, layers and a head whose table is the embedding's.
inline constexpr std::string_view tied_template = R"(
name: tied
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp if sequence_parallel}}
blocks:
  embedding:
    inputs:
      tokens: {shape: [b, s], split: {0: dp}, storage: index}
    parameters:
      table: {shape: [v, h], split: {0: tp}}
    operators:
      - y = embedding(tokens, table)
    output: y
  layer:
    parameters:
      w_norm: {shape: [h]}
      w_up: {shape: [h, f], split: {1: tp}}
      w_down: {shape: [f, h], split: {0: tp}}
    operators:
      - a = rms_norm(x, w_norm)
      - u = einsum("bsh,hf->bsf", a, w_up)
      - g = gelu(u)
      - z = einsum("bsf,fh->bsh", g, w_down)
      - y = add(x, z)
    output: y
  plain:
    operators:
      - y = gelu(x)
    output: y
  head:
    parameters:
      table: {shape: [v, h], split: {0: tp}, tied: true}
    operators:
      - logits = einsum("bsh,vh->bsv", x, table)
      - loss = cross_entropy(logits)
)";

/// Structures of that template. Blocks: 0 embedding, 1 layer, 2 head, 3 plain.
class SmallStructure {
  public:
    explicit SmallStructure(std::string_view text = tied_template) : small{text} {
        options.stack.cuda_graphs = true;  // no launches: fewer items to count
        blocks.push_back(small.block("embedding", SmallTemplate::Position::first));
        for (const char* name : {"layer", "head", "plain"}) blocks.push_back(small.block(name));
        EXPECT_EQ(small.diagnostics.text(), "");
    }

    frontend::Structure build(const std::vector<frontend::StageUnits>& stages) {
        options.stages = static_cast<std::uint32_t>(stages.size());
        std::vector<frontend::Sharding> shardings;
        std::vector<frontend::BlockPlans> plans;
        small.options.stack = options.stack;
        small.extents = {};
        for (const frontend::Block& block : blocks) {
            shardings.push_back(small.shard(block, options.active));
            plans.push_back(small.plan(block, options.active));
        }
        return frontend::build_structure(blocks, shardings, plans, small.extents, stages, options);
    }

    /// The numbers of a structure on a mesh.
    frontend::Numbers numbers(const frontend::Structure& structure, std::int64_t tp, std::int64_t dp) {
        small.extents = structure.extents;
        return small.numbers(tp, dp);
    }

    SmallTemplate small;
    frontend::StructureOptions options;
    std::vector<frontend::Block> blocks;
};

/// One stage: embedding, `layers` layers, head.
inline std::vector<frontend::StageUnits> one_stage(std::int64_t layers) {
    return {{{{0, 1}, {1, layers}, {2, 1}}}};
}

/// "embedding forward*1 layer forward*4": the repeats of a task with the counts of the stage.
inline std::string rows(const frontend::Structure& structure, std::size_t stage, graph::RegionId region) {
    const graph::Graph& graph = structure.graph;
    const graph::StageProgram& program = graph.programs[graph.program_of[stage]];
    std::string text;
    for (const graph::Item& item : graph.regions[region.index()].items) {
        if (item.kind == graph::Item::Kind::node) continue;
        text += fmt::format("{}{}*{}", text.empty() ? "" : ", ", graph.regions[item.body.index()].name,
                            program.counts[item.count.index()]);
    }
    return text;
}

/// "tensor:all_gather compute reduce:reduce_scatter": the nodes of a region by stream.
inline std::string nodes(const frontend::Structure& structure, graph::RegionId region) {
    std::string text;
    for (const graph::Item& item : structure.graph.regions[region.index()].items) {
        if (item.kind == graph::Item::Kind::repeat) continue;
        text += (text.empty() ? "" : " ") + structure.graph.streams[item.stream.index()];
        const auto& work = structure.works[item.work.index()];
        if (const auto* collective = std::get_if<frontend::CollectiveFormula>(&work))
            text += fmt::format(":{}", graph::name(collective->kind));
    }
    return text;
}

}  // namespace dse::test
