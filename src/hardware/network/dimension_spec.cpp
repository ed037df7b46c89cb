#include "dse/hardware/network/dimension_spec.hpp"

#include <string>
#include <utility>

namespace dse::hardware {

std::span<const std::string_view> choice_names(DimensionKind) {
    static constexpr std::array<std::string_view, 4> names{"ring", "mesh", "switch", "fully_connected"};
    return names;
}

std::string_view name(Algorithm algorithm) {
    return choice_names(algorithm)[static_cast<std::size_t>(algorithm)];
}

Problems problems_of(const DimensionSpec& dimension) {
    Problems problems = out_of_range(dimension);
    problems.expect(dimension.size != 1, "size",
                    "a dimension joins at least two devices (0: as many as the job needs)");
    problems.expect(dimension.kind == DimensionKind::switched || dimension.reduction.efficiency == 0.0,
                    "reduction_efficiency", "only switches reduce (choose kind: switch, or leave it out)");
    return problems;
}

namespace {

/// Whether all fields have their default values: an axis can refer to list items that do not exist.
bool is_untouched(const DimensionSpec& dimension) {
    const DimensionSpec fresh;
    return dimension.kind == fresh.kind && dimension.size == fresh.size &&
           dimension.algorithm == fresh.algorithm && dimension.reduction == fresh.reduction &&
           dimension.link.bandwidth == fresh.link.bandwidth && dimension.link.latency == fresh.link.latency &&
           dimension.link.efficiency == fresh.link.efficiency;
}

}  // namespace

Problems problems_of(const DimensionList& dimensions) {
    Problems problems;
    for (std::size_t i = dimensions.size(); i < DimensionList::capacity; ++i) {
        problems.expect(is_untouched(dimensions[i]), std::to_string(i).c_str(),
                        "the network has no such dimension (list it, or set one that it has)");
    }
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        Problems inner = problems_of(dimensions[i]);
        inner.expect(dimensions[i].size > 0 || i + 1 == dimensions.size(), "size",
                     "only the outermost (last) dimension may leave its size to the job");
        problems.nest(std::to_string(i), std::move(inner));
    }
    return problems;
}

}  // namespace dse::hardware
