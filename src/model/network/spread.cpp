#include "dse/model/network/spread.hpp"

#include <algorithm>
#include <limits>

namespace dse::model {
namespace {

/// Neighbouring axes of a group, taken as one: `extent` members, `stride` ranks apart.
struct Run {
    std::int64_t stride{1};
    std::int64_t extent{1};
};

/// Adds the members of a run to the dimensions that it reaches.
void add(const Run& run, std::span<const std::int64_t> sizes, Spread& spread) {
    if (run.extent == 1) return;
    const std::int64_t span = run.stride * run.extent;
    std::int64_t inner = 1;  // ranks in one position of the dimension
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        const bool outermost = d + 1 == sizes.size();
        const std::int64_t outer = outermost ? std::numeric_limits<std::int64_t>::max() : inner * sizes[d];
        const std::int64_t first = std::max(run.stride, inner);
        const std::int64_t last = std::min(span, outer);
        if (first < last) {
            Spread::Along& along = spread.along[d];
            if (along.runs++ == 0) along.stride = first / inner;
            along.members *= last / first;
        }
        if (outermost) return;
        // The dimension ends inside the run, where members must fill it, or beyond it, where runs must.
        const bool splits = run.stride < outer && outer < span;
        const bool fits =
            splits ? outer % run.stride == 0 && span % outer == 0 : run.stride >= outer || outer % span == 0;
        spread.even = spread.even && fits;
        inner = outer;
    }
}

}  // namespace

Spread spread(const workload::Mesh& mesh, workload::AxisSet axes, std::span<const std::int64_t> sizes) {
    DSE_EXPECT(!sizes.empty() && sizes.size() <= hardware::DimensionList::capacity);
    Spread result;
    Run run;
    std::int64_t stride = 1;
    const workload::AxisSet folding = workload::folding_of(axes);
    for (const workload::MeshAxis axis : mesh.order) {
        const std::int64_t degree = mesh.degree(axis);
        if (degree == 1 || !folding.contains(axis)) continue;
        if (axes.contains(axis)) {
            if (run.extent == 1) run.stride = stride;
            run.extent *= degree;
        } else {
            add(run, sizes, result);
            run = Run{};
        }
        stride *= degree;
    }
    add(run, sizes, result);
    return result;
}

}  // namespace dse::model
