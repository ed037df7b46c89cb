// Any bytes as a template: no crash, no hang, nothing thrown but what a user is told; and whatever is found
// to be right can be laid over a mesh and differentiated.

#include <cstddef>
#include <cstdint>

#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "dse/frontend/template/pass_plan.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;
using namespace dse::frontend;

struct Sizes {
    Dimensions dimensions;
    std::vector<double> values{64576, 12447744};

    Sizes() {
        for (const char* name : {"layers", "h", "n", "k", "d", "f", "vocab"}) {
            dimensions.add_symbol(name);
            values.push_back(static_cast<double>(8 * (values.size() + 1)));
        }
    }
};

/// A block for one choice of options; planned where nothing is wrong with it.
void make(const TemplateSource& source, const TemplateSource::Block& text, const TemplateOptions& options,
          bool has_input, config::Diagnostics& diagnostics) {
    Sizes sizes;
    const Tensor boundary = make_boundary(source, text, options, sizes.dimensions, diagnostics);
    Boundaries boundaries{boundary, boundary};
    if (!has_input) boundaries.entry.reset();
    const Block block =
        make_block(text, options, std::move(boundaries), sizes.dimensions, sizes.values, diagnostics);
    if (!diagnostics.ok()) return;
    const auto active = graph::AxisSet{graph::MeshAxis::tensor} | graph::MeshAxis::data;
    for (const graph::AxisSet axes : {graph::AxisSet{}, active}) {
        const Sharding sharding = shard(block, axes, diagnostics);
        if (!diagnostics.ok()) return;
        Extents extents;
        const BlockPlans plans = plan_passes(block, sharding, options.stack, extents);
        DSE_INVARIANT(plans.forward.exit.has_value() == block.output.has_value());
        DSE_INVARIANT(plans.backward.exit.has_value() == block.input.has_value());
        DSE_INVARIANT(plans.forward.saved.size() == plans.backward.saved.size());
        for (const PassPlan* plan : {&plans.forward, &plans.backward}) {
            for (const Step& step : plan->steps) {
                for (const VersionId id : step.inputs) DSE_INVARIANT(id.index() < plan->versions.size());
            }
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    config::Diagnostics diagnostics;
    const config::Node root = config::parse_yaml(text, "fuzz.yaml", diagnostics);
    const TemplateSource source = read_template(root, diagnostics);
    bool has_input = false;
    for (const TemplateSource::Block& block : source.blocks) {
        for (const auto recompute :
             {graph::Recompute::none, graph::Recompute::selective, graph::Recompute::full}) {
            TemplateOptions options;
            options.sequence_parallel = recompute != graph::Recompute::none;
            options.stack.recompute = recompute;
            options.stack.attention = has_input ? graph::Attention::unfused : graph::Attention::flash;
            config::Diagnostics own;
            make(source, block, options, has_input, own);
            DSE_INVARIANT(config::printable(own.text()) == own.text());
        }
        has_input = true;
    }
    return 0;
}
