#include <string_view>
#include <vector>

#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {
namespace {

// `[0:2, 1:5:2]`
SliceRanges ranges(const Meaning& meaning, std::string_view text) {
    SliceRanges result;
    Tokens& tokens = meaning.text.at(text);
    tokens.expect('[');
    while (!tokens.accept(']')) {
        result.starts.push_back(tokens.integer());
        tokens.expect(':');
        result.limits.push_back(tokens.integer());
        result.strides.push_back(tokens.accept(':') ? tokens.integer() : 1);
        tokens.accept(',');
    }
    return result;
}

}  // namespace

// The attribute has different names; an operation uses one of them.
Attribute dimensions(const Meaning& meaning) {
    for (const std::string_view key :
         {"dims", "dim", "dimensions", "dimension", "broadcast_dimensions", "permutation", "iota_dimension"})
        if (meaning.statement.has(key)) return Dimensions{meaning.sizes(key)};
    return Dimensions{};
}

Attribute slice_ranges(const Meaning& meaning) {
    const std::string_view pretty = meaning.statement.word('[');
    if (!pretty.empty()) return ranges(meaning, pretty);
    SliceRanges result{meaning.sizes("start_indices"), meaning.sizes("limit_indices"),
                       meaning.sizes("strides")};
    if (result.strides.empty()) result.strides.assign(result.starts.size(), 1);
    return result;
}

Attribute slice_sizes(const Meaning& meaning) {
    return SliceSizes{meaning.sizes("sizes", "slice_sizes")};
}

Attribute pad_sizes(const Meaning& meaning) {
    return PadSizes{meaning.sizes("low", "edge_padding_low"), meaning.sizes("high", "edge_padding_high"),
                    meaning.sizes("interior", "interior_padding")};
}

Attribute gather_dimensions(const Meaning& meaning) {
    const Fields fields{meaning,
                        meaning.statement.value("dimension_numbers"),
                        {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                         "start_indices_batching_dims", "start_index_map", "index_vector_dim"}};
    return GatherDimensions{
        fields.sizes("offset_dims"),           fields.sizes("collapsed_slice_dims"),
        fields.sizes("operand_batching_dims"), fields.sizes("start_indices_batching_dims"),
        fields.sizes("start_index_map"),       fields.integer("index_vector_dim"),
        meaning.sizes("slice_sizes")};
}

Attribute scatter_dimensions(const Meaning& meaning) {
    const Fields fields{
        meaning,
        meaning.statement.value("scatter_dimension_numbers"),
        {"update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
         "scatter_dims_to_operand_dims", "index_vector_dim"}};
    return ScatterDimensions{
        fields.sizes("update_window_dims"),           fields.sizes("inserted_window_dims"),
        fields.sizes("input_batching_dims"),          fields.sizes("scatter_indices_batching_dims"),
        fields.sizes("scatter_dims_to_operand_dims"), fields.integer("index_vector_dim")};
}

}  // namespace dse::ir::mlir
