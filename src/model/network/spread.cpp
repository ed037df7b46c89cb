#include "dse/model/network/spread.hpp"

#include <algorithm>

#include "model/network/axis_runs.hpp"

namespace dse::model {
namespace {

/// Adds the members of a run to the dimensions that it reaches.
void add(const AxisRun& run, std::span<const std::int64_t> sizes, Spread& spread) {
    const std::int64_t span = run.span();
    std::int64_t inner = 1;  // ranks per position of the dimension
    for (std::size_t d = 0; d < sizes.size() && inner < span; ++d) {
        const bool outermost = d + 1 == sizes.size();
        const std::int64_t outer = outermost ? span : inner * sizes[d];
        if (run.stride < outer) {
            const std::int64_t first = std::max(run.stride, inner);
            Spread::Along& along = spread.along[d];
            if (along.runs++ == 0) along.stride = first / inner;
            along.members *= std::min(span, outer) / first;
            // Either the dimension ends inside the run and the members must fill it, or it holds whole runs.
            const bool fits = outer < span ? outer % run.stride == 0 && span % outer == 0 : outer % span == 0;
            spread.even = spread.even && fits;
        }
        inner = outer;
    }
}

}  // namespace

Spread spread(const graph::Mesh& mesh, graph::AxisSet axes, std::span<const std::int64_t> sizes) {
    DSE_EXPECT(!sizes.empty() && sizes.size() <= hardware::DimensionList::capacity);
    Spread result{sizes.size()};
    for_axis_runs(mesh, axes, [&](const AxisRun& run) { add(run, sizes, result); });
    return result;
}

}  // namespace dse::model
