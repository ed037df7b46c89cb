#include "ir/partition/axes.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace dse::ir::partition {
namespace {

bool go_together(const AxisRef& major, const AxisRef& minor) {
    return major.axis == minor.axis && major.pre_size * major.size == minor.pre_size;
}

bool any_overlap(const Axes& a, const Axes& b) {
    return std::any_of(a.begin(), a.end(), [&b](const AxisRef& axis) { return overlap(b, axis); });
}

// Divides an axis wherever one of the others starts or ends inside it.
Axes cut_at(const AxisRef& axis, const Axes& others) {
    std::vector<std::int64_t> borders{axis.pre_size, axis.pre_size * axis.size};
    for (const AxisRef& other : others) {
        if (other.axis != axis.axis) continue;
        for (const std::int64_t border : {other.pre_size, other.pre_size * other.size})
            if (border > borders.front() && border < axis.pre_size * axis.size &&
                border % axis.pre_size == 0 && (axis.pre_size * axis.size) % border == 0)
                borders.push_back(border);
    }
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    Axes pieces;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
        if (borders[i + 1] % borders[i] == 0)
            pieces.push_back({axis.axis, borders[i], borders[i + 1] / borders[i]});
    return parts_of(pieces) == axis.size ? pieces : Axes{axis};
}

template <class Keep>
Axes pieces_that(const Axes& axes, const Axes& others, Keep keep) {
    Axes result;
    for (const AxisRef& axis : axes)
        for (const AxisRef& piece : cut_at(axis, others))
            if (keep(overlap(others, piece))) result.push_back(piece);
    return normalized(std::move(result));
}

// \pre both are normalized
Axes common_prefix_of_normal(const Axes& left, const Axes& right) {
    Axes result;
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
        if (left[i].axis != right[i].axis || left[i].pre_size != right[i].pre_size) break;
        const std::int64_t size = std::gcd(left[i].size, right[i].size);
        if (size > 1) result.push_back({left[i].axis, left[i].pre_size, size});
        // The longer one continues with the rest of its axis, the other with another axis: they differ from
        // here on.
        if (left[i].size != right[i].size) break;
    }
    return result;
}

// \pre both are normalized
bool is_prefix_of_normal(const Axes& prefix, const Axes& of) {
    if (prefix.size() > of.size()) return false;
    for (std::size_t i = 0; i < prefix.size(); ++i) {
        if (prefix[i] == of[i]) continue;
        const bool is_part = prefix[i].axis == of[i].axis && prefix[i].pre_size == of[i].pre_size &&
                             of[i].size % prefix[i].size == 0;
        return is_part && i + 1 == prefix.size();
    }
    return true;
}

}  // namespace

bool is_normal(const Axes& axes) {
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].size == 1 || (i > 0 && go_together(axes[i - 1], axes[i]))) return false;
    return true;
}

Axes normalized(Axes axes) {
    if (is_normal(axes)) return axes;
    Axes result;
    for (const AxisRef& axis : axes) {
        if (axis.size == 1) continue;
        if (!result.empty() && go_together(result.back(), axis))
            result.back().size *= axis.size;
        else
            result.push_back(axis);
    }
    return result;
}

bool overlap(const AxisRef& a, const AxisRef& b) {
    return a.axis == b.axis && a.pre_size < b.pre_size * b.size && b.pre_size < a.pre_size * a.size;
}

bool overlap(const Axes& axes, const AxisRef& axis) {
    return std::any_of(axes.begin(), axes.end(),
                       [&axis](const AxisRef& other) { return overlap(other, axis); });
}

Axes common_prefix(const Axes& a, const Axes& b) {
    if (is_normal(a) && is_normal(b)) return common_prefix_of_normal(a, b);
    return common_prefix_of_normal(normalized(a), normalized(b));
}

bool is_prefix(const Axes& prefix, const Axes& of) {
    if (is_normal(prefix) && is_normal(of)) return is_prefix_of_normal(prefix, of);
    return is_prefix_of_normal(normalized(prefix), normalized(of));
}

Axes without(const Axes& axes, const Axes& others) {
    if (!any_overlap(axes, others)) return normalized(axes);
    return pieces_that(axes, others, [](bool overlaps) { return !overlaps; });
}

Axes within(const Axes& axes, const Axes& others) {
    if (!any_overlap(axes, others)) return {};
    return pieces_that(axes, others, [](bool overlaps) { return overlaps; });
}

Axes joined(const Axes& a, const Axes& b) {
    Axes result = a;
    result.insert(result.end(), b.begin(), b.end());
    return normalized(result);
}

Axes all_of(const Layout& layout) {
    Axes result;
    for (const Axes& axes : layout) result.insert(result.end(), axes.begin(), axes.end());
    return result;
}

std::int64_t tiles(const Layout& layout) {
    std::int64_t product = 1;
    for (const Axes& axes : layout) product *= parts_of(axes);
    return product;
}

bool is_disjoint(const Layout& layout) {
    Axes used;
    for (const Axes& axes : layout) {
        if (any_overlap(axes, used)) return false;
        used.insert(used.end(), axes.begin(), axes.end());
    }
    return true;
}

Axes axes_of(const DeviceMesh& mesh) {
    Axes axes;
    for (std::size_t a = 0; a < mesh.axes.size(); ++a)
        if (mesh.axes[a].size > 1) axes.push_back({static_cast<std::uint32_t>(a), 1, mesh.axes[a].size});
    return axes;
}

std::optional<Axes> taken_from(Axes& supply, std::int64_t parts) {
    Axes result;
    for (std::size_t i = 0; i < supply.size() && parts > 1;) {
        const std::int64_t taken = std::gcd(supply[i].size, parts);
        if (taken == 1) {
            ++i;
            continue;
        }
        result.push_back({supply[i].axis, supply[i].pre_size, taken});
        parts /= taken;
        supply[i] = {supply[i].axis, supply[i].pre_size * taken, supply[i].size / taken};
        if (supply[i].size == 1) supply.erase(supply.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (parts > 1) return std::nullopt;
    return normalized(result);
}

}  // namespace dse::ir::partition
