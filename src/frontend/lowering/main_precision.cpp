#include "frontend/lowering/main_precision.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "dse/base/check.hpp"
#include "dse/graph/totals.hpp"

namespace dse::frontend {
namespace {

using graph::OpClass;
using graph::Precision;

using FlopOfFormats = std::array<double, graph::precision_count>;

}  // namespace

std::optional<Precision> main_precision(const graph::Graph& graph) {
    DSE_EXPECT(graph.programs.size() == 1 && graph.programs[0].chunks.size() == 1);
    FlopOfFormats sum{};
    graph::for_each_played_work(graph, 0, [&sum](const graph::Work& work, double times) {
        const auto* kernel = std::get_if<graph::Compute>(&work);
        if (kernel != nullptr &&
            (kernel->op_class == OpClass::gemm || kernel->op_class == OpClass::attention))
            sum[static_cast<std::size_t>(kernel->precision)] += times * kernel->executed_flop.value();
    });
    const auto most = std::max_element(sum.begin(), sum.end());
    if (!(*most > 0.0)) return std::nullopt;
    return static_cast<Precision>(most - sum.begin());
}

}  // namespace dse::frontend
