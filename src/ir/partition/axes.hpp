#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dse/ir/program/sharding.hpp"

namespace dse::ir::partition {

/// Axes, or parts of axes, of one mesh, major to minor. Hardly any dimension has more than two.
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

/// How an array lies on the mesh: the axes of each of its dimensions.
using Layout = std::vector<Axes>;

/// Neighbouring parts of one axis as one: {x:(1)2, x:(2)4} is x:(1)8.
Axes normalized(Axes axes);

/// Whether two parts of a mesh's axes have a factor in common.
bool overlap(const AxisRef& a, const AxisRef& b);
bool overlap(const Axes& axes, const AxisRef& axis);

/// What both begin with, axes split where they must be: of {x:8} and {x:(1)2, y} it is {x:(1)2}.
Axes common_prefix(const Axes& a, const Axes& b);
bool is_prefix(const Axes& prefix, const Axes& of);

/// Those of `axes`, cut finely enough, that overlap none of `others`; and those that do.
Axes without(const Axes& axes, const Axes& others);
Axes within(const Axes& axes, const Axes& others);

/// The one behind the other.
Axes joined(const Axes& a, const Axes& b);

/// All axes of a layout, dimension by dimension; and how many parts they make.
Axes all_of(const Layout& layout);
std::int64_t tiles(const Layout& layout);

/// Whether no axis cuts two dimensions.
bool is_disjoint(const Layout& layout);

/// All axes of a mesh.
Axes axes_of(const DeviceMesh& mesh);

/// Axes, or the first parts of axes, out of a supply, as many as make so many parts; they are taken away from
/// it. Nothing where they do not.
std::optional<Axes> taken_from(Axes& supply, std::int64_t parts);

}  // namespace dse::ir::partition
