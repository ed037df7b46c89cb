#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "dse/frontend/template/block.hpp"
#include "dse/frontend/template/pass_plan.hpp"
#include "dse/frontend/template/sharding.hpp"
#include "frontend/template/split_backward.hpp"

namespace dse::test {

/// A template's text with sizes b 8, s 16, h 32, f 64, v 96, made into blocks, shardings and plans.
class SmallTemplate {
  public:
    explicit SmallTemplate(std::string_view text) {
        for (const auto& [name, value] : {std::pair{"h", 32.0}, {"f", 64.0}, {"v", 96.0}}) {
            dimensions.add_symbol(name);
            symbols.push_back(value);
        }
        config::Diagnostics parsing;
        const config::Node node = config::parse_yaml(text, "small.yaml", parsing);
        source = frontend::read_template(node, parsing);
        EXPECT_EQ(parsing.text(), "") << text;
    }

    enum class Position { first, inner };

    /// \param name  of the block
    frontend::Block block(std::string_view name, Position position = Position::inner) {
        const auto* text = source.find(name);
        EXPECT_NE(text, nullptr) << name;
        const frontend::Tensor boundary =
            frontend::make_boundary(source, *text, options, dimensions, diagnostics);
        frontend::Boundaries boundaries{boundary, boundary};
        if (position == Position::first) boundaries.entry.reset();
        return frontend::make_block(*text, options, std::move(boundaries), dimensions, symbols, diagnostics);
    }
    frontend::Sharding shard(const frontend::Block& block, graph::AxisSet active) {
        return frontend::shard(block, active, diagnostics);
    }
    frontend::BlockPlans plan(const frontend::Block& block, graph::AxisSet active) {
        frontend::BlockPlans plans =
            frontend::plan_passes(block, shard(block, active), options.stack, extents);
        std::tie(plans.input, plans.weight) =
            frontend::split_backward(plans.backward, block, options.stack.keep_activation_casts);
        return plans;
    }

    /// The numbers of a mesh.
    frontend::Numbers numbers(std::int64_t tp, std::int64_t dp) {
        frontend::Numbers result;
        result.mesh.size[static_cast<std::size_t>(graph::MeshAxis::tensor)] = tp;
        result.mesh.size[static_cast<std::size_t>(graph::MeshAxis::data)] = dp;
        frontend::set_precisions(options.stack, result);
        std::vector<double> dims(dimensions.size());
        dimensions.evaluate(symbols, dims);
        frontend::evaluate_extents(extents, dims, dimensions, result);
        result.touched.assign(dims.size(), 1.0);
        return result;
    }

    /// "all_gather a, h, gelu": the steps of a pass by name.
    static std::string steps(const frontend::PassPlan& plan) {
        std::string text;
        for (const frontend::Step& step : plan.steps) text += (text.empty() ? "" : ", ") + step.name;
        return text;
    }
    /// Names of tensors, gradients with a prefix.
    static std::string saved(const frontend::Block& block, const frontend::PassPlan& plan) {
        std::string text;
        for (const frontend::VersionId id : plan.saved)
            text += (text.empty() ? "" : " ") + block.tensor(plan.versions[id.index()].tensor).name;
        return text;
    }

    frontend::TemplateSource source;
    frontend::TemplateOptions options;
    frontend::Dimensions dimensions;
    std::vector<double> symbols{8, 16};
    frontend::Extents extents;
    config::Diagnostics diagnostics;
};

/// A block with the two tensor-parallel regions of Megatron's layers, and what stands around them.
inline constexpr std::string_view mlp_template = R"(
name: mlp
symbols: [h, f, v]
boundary: {shape: [b, s, h], split: {0: dp, 1: tp if sequence_parallel}}
blocks:
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
    recompute: {selective: [a, g]}
  head:
    parameters:
      w_head: {shape: [h, v], split: {1: tp}}
    operators:
      - logits = einsum("bsh,hv->bsv", x, w_head)
      - top = row_statistic(logits)
      - loss = cross_entropy(logits, top)
)";

}  // namespace dse::test
