#include "dse/frontend/template/conversion.hpp"

#include "dse/base/check.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;

/// The dimension that `axis` splits, or -1.
int split_dimension(const Layout& layout, AxisSet axis) {
    for (std::size_t i = 0; i < layout.split.size(); ++i) {
        if (layout.split[i].contains(axis)) return static_cast<int>(i);
    }
    return -1;
}

void move_axis(Layout& layout, AxisSet axis, int from, int to) {
    if (from >= 0)
        layout.split[static_cast<std::size_t>(from)] = layout.split[static_cast<std::size_t>(from)] - axis;
    if (to >= 0)
        layout.split[static_cast<std::size_t>(to)] = layout.split[static_cast<std::size_t>(to)] | axis;
    layout.partial = layout.partial - axis;
}

Conversion::Kind kind_of(const Layout& have, const Layout& want, AxisSet axis) {
    const bool wanted_split = split_dimension(want, axis) >= 0;
    if (have.partial.contains(axis)) {
        return wanted_split ? Conversion::Kind::reduce_scatter : Conversion::Kind::all_reduce;
    }
    if (split_dimension(have, axis) < 0) return Conversion::Kind::slice;
    return wanted_split ? Conversion::Kind::all_to_all : Conversion::Kind::all_gather;
}

bool lies_right(const Layout& have, const Layout& want, AxisSet axis) {
    return !have.partial.contains(axis) && split_dimension(have, axis) == split_dimension(want, axis);
}

}  // namespace

std::vector<Conversion> conversions(const Layout& have, const Layout& want) {
    DSE_EXPECT(want.partial.empty() && have.split.size() == want.split.size());
    std::vector<Conversion> steps;
    if (have == want) return steps;  // most are
    Layout layout = have;
    for (const auto kind :
         {Conversion::Kind::slice, Conversion::Kind::reduce_scatter, Conversion::Kind::all_reduce,
          Conversion::Kind::all_to_all, Conversion::Kind::all_gather}) {
        AxisSet axes;
        for (std::size_t i = 0; i < graph::mesh_axis_count; ++i) {
            const AxisSet axis{static_cast<MeshAxis>(i)};
            if (lies_right(layout, want, axis) || kind_of(layout, want, axis) != kind) continue;
            move_axis(layout, axis, split_dimension(layout, axis), split_dimension(want, axis));
            axes = axes | axis;
        }
        if (!axes.empty()) steps.push_back({kind, axes, layout});
    }
    DSE_ENSURE(layout == want);
    return steps;
}

}  // namespace dse::frontend
