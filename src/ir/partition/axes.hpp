#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dse/ir/program/sharding.hpp"

namespace dse::ir::partition {

/// Axes, or parts of axes, of a mesh, major to minor. Dimensions rarely have more than two.
using Axes = boost::container::small_vector<AxisRef, 2>;

inline Axes axes_of(const std::vector<AxisRef>& axes) {
    return {axes.begin(), axes.end()};
}
inline std::span<const AxisRef> span_of(const Axes& axes) {
    return {axes.data(), axes.size()};
}
inline std::int64_t parts_of(const Axes& axes) {
    return ir::parts_of(span_of(axes));
}
inline std::int64_t local_size(std::int64_t size, const Axes& axes) {
    return ir::local_size(size, span_of(axes));
}

/// Layout of an array on the mesh: the axes of each of its dimensions.
using Layout = std::vector<Axes>;

/// Merges adjacent parts of an axis: {x:(1)2, x:(2)4} becomes x:(1)8.
Axes normalized(Axes axes);
/// Whether there is nothing to merge or to drop, which is nearly always the case.
bool is_normal(const Axes& axes);

/// Whether two parts of a mesh's axes have a factor in common.
bool overlap(const AxisRef& a, const AxisRef& b);
bool overlap(const Axes& axes, const AxisRef& axis);

/// The common prefix, dividing axes if necessary: for {x:8} and {x:(1)2, y} it is {x:(1)2}.
Axes common_prefix(const Axes& a, const Axes& b);
bool is_prefix(const Axes& prefix, const Axes& of);

/// The parts of `axes`, divided as necessary, that do not overlap `others`; and those that do.
Axes without(const Axes& axes, const Axes& others);
Axes within(const Axes& axes, const Axes& others);

/// Concatenation of both.
Axes joined(const Axes& a, const Axes& b);

/// All axes of a layout, by dimension; and the number of parts that they result in.
Axes all_of(const Layout& layout);
std::int64_t tiles(const Layout& layout);

/// Whether no axis divides two dimensions.
bool is_disjoint(const Layout& layout);

/// All axes of a mesh.
Axes axes_of(const DeviceMesh& mesh);

/// Takes axes, or the first parts of axes, with this number of parts in total from a supply. Nothing if that
/// is impossible.
std::optional<Axes> taken_from(Axes& supply, std::int64_t parts);

}  // namespace dse::ir::partition
