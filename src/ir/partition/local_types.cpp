#include "ir/partition/local_types.hpp"

#include <cstddef>
#include <utility>

namespace dse::ir::partition {
namespace {

// Ranges of a slice. A partitioned dimension is taken completely.
SliceRanges local_ranges(SliceRanges ranges, const Layout& layout, const Type& local) {
    for (std::size_t d = 0; d < layout.size() && d < ranges.limits.size(); ++d)
        if (!layout[d].empty()) ranges.limits[d] = local.sizes[d];
    return ranges;
}

Sizes local_sizes(Sizes sizes, const Type& whole, const Type& local) {
    for (std::size_t d = 0; d < sizes.size() && d < whole.sizes.size(); ++d)
        if (sizes[d] == whole.sizes[d]) sizes[d] = local.sizes[d];
    return sizes;
}

TypeId local_leaves(TypeTable& types, TypeId whole, std::vector<Layout>::const_iterator& leaf) {
    Type type = types[whole];
    if (type.kind != Type::Kind::tuple) return types.add(local_type(type, *leaf++));
    for (TypeId& member : type.members) member = local_leaves(types, member, leaf);
    return types.add(std::move(type));
}

}  // namespace

Type local_type(const Type& whole, const Layout& layout) {
    Type local = whole;
    for (std::size_t d = 0; d < layout.size(); ++d) local.sizes[d] = local_size(whole.sizes[d], layout[d]);
    return local;
}

TypeId local_type(TypeTable& types, TypeId whole, const std::vector<Layout>& layouts) {
    auto leaf = layouts.begin();
    return local_leaves(types, whole, leaf);
}

bool states_sizes(const Attribute& attribute) {
    return std::holds_alternative<SliceRanges>(attribute) || std::holds_alternative<SliceSizes>(attribute) ||
           std::holds_alternative<GatherDimensions>(attribute) || std::holds_alternative<PadSizes>(attribute);
}

Attribute local_attribute(const Attribute& attribute, const Type& operand, const Layout& layout,
                          const Type& local_operand, const Type& local_result) {
    if (const auto* ranges = std::get_if<SliceRanges>(&attribute))
        return local_ranges(*ranges, layout, local_operand);
    if (std::holds_alternative<SliceSizes>(attribute)) return SliceSizes{local_result.sizes};
    if (const auto* gather = std::get_if<GatherDimensions>(&attribute)) {
        GatherDimensions local = *gather;
        local.slice_sizes = local_sizes(gather->slice_sizes, operand, local_operand);
        return local;
    }
    return attribute;
}

}  // namespace dse::ir::partition
