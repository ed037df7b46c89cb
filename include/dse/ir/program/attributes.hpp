#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/ir/program/device_groups.hpp"
#include "dse/ir/program/product_precision.hpp"
#include "dse/ir/program/sharding.hpp"

namespace dse::ir {

using NameId = Id<struct NameTag>;
using Sizes = std::vector<std::int64_t>;

/// Dimension numbers of a matrix product.
struct DotDimensions {
    Sizes lhs_batch;
    Sizes rhs_batch;
    Sizes lhs_contracting;
    Sizes rhs_contracting;
    ProductPrecision precision{ProductPrecision::standard};
};

/// One dimension of a sliding window.
struct WindowDimension {
    std::int64_t size{1};
    std::int64_t stride{1};
    std::int64_t pad_low{0};  ///< may be negative: elements are cut off
    std::int64_t pad_high{0};
    std::int64_t base_dilation{1};    ///< of the operand: holes between its elements
    std::int64_t window_dilation{1};  ///< of the window
    bool reversed{false};
};

/// Of reduce_window, select_and_scatter, pooling_backward: one entry a dimension of the operand.
struct Window {
    std::vector<WindowDimension> dimensions;
};

struct ConvolutionDimensions {
    std::vector<WindowDimension> window;  ///< one entry a spatial dimension
    std::int64_t input_batch{0};
    std::int64_t input_feature{0};
    Sizes input_spatial;
    std::int64_t kernel_input_feature{0};
    std::int64_t kernel_output_feature{0};
    Sizes kernel_spatial;
    std::int64_t output_batch{0};
    std::int64_t output_feature{0};
    Sizes output_spatial;
    std::int64_t feature_groups{1};
    std::int64_t batch_groups{1};
    ProductPrecision precision{ProductPrecision::standard};
};

/// Of broadcast, transpose, reduce, concatenate, reverse, iota, sort, …: the dimensions that the text names.
struct Dimensions {
    Sizes numbers;
};

struct SliceRanges {
    Sizes starts;
    Sizes limits;
    Sizes strides;
};

/// Of dynamic_slice: the size that is cut out in each dimension.
struct SliceSizes {
    Sizes sizes;
};

/// Of a dynamic_slice that a partitioner writes: of what all members of a group have, each takes the part of
/// its number in the group. Of a dynamic_update_slice: each puts its part there, among zeros.
struct OwnPart {
    DeviceGroups groups;
    std::int64_t dimension{0};
};

struct PadSizes {
    Sizes low;
    Sizes high;
    Sizes interior;
};

struct GatherDimensions {
    Sizes offset;
    Sizes collapsed;
    Sizes operand_batching;
    Sizes indices_batching;
    Sizes start_index_map;
    std::int64_t index_vector{0};
    Sizes slice_sizes;
};

struct ScatterDimensions {
    Sizes update_window;
    Sizes inserted_window;
    Sizes input_batching;
    Sizes indices_batching;
    Sizes scatter_to_operand;
    std::int64_t index_vector{0};
};

/// Whom the numbers in a collective's groups mean.
/// Source: StableHLO specification, "Process grouping"
enum class GroupMode : std::uint8_t {
    cross_replica,
    cross_partition,
    cross_replica_and_partition,
    flattened_ids
};

/// Of every communication.
struct Communication {
    DeviceGroups groups;
    GroupMode mode{GroupMode::cross_replica};
    std::int64_t channel{0};                                   ///< 0: none
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< of collective_permute: source, target
    std::int64_t dimension{0};                                 ///< gathered, scattered or split
    std::int64_t concat_dimension{0};                          ///< of all_to_all
    NameId process_group;  ///< of PyTorch; empty name: none. Its ranks are `groups`, where they are known
    std::int64_t group_size{0};  ///< where the text states it without the groups; 0: it does not
};

enum class ComparisonDirection : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };
struct Comparison {
    ComparisonDirection direction{ComparisonDirection::equal};
};

/// Of a constant: its value, where it is one integer, or equally many of one.
struct Literal {
    std::optional<std::int64_t> integer;
};

/// Of get_tuple_element; of parameter: its number; of sharding_group: the group's.
struct Index {
    std::int64_t number{0};
};

/// Of while_loop: how often its body runs, where the text says so or its condition tells.
struct Loop {
    std::optional<std::int64_t> trip_count;
};

/// Of custom_call, composite and unknown operations.
struct ForeignCall {
    NameId target;                                       ///< "te_fused_attn_forward_ffi"
    NameId configuration;                                ///< the text of its backend_config; empty name: none
    std::optional<ConvolutionDimensions> convolution{};  ///< where the text states them (cuDNN's calls)
};

enum class FusionKind : std::uint8_t { loop, input, output, custom };
struct Fusion {
    FusionKind kind{FusionKind::loop};
};

struct FftLengths {
    Sizes lengths;
};

/// Of Shardy's manual_computation: how values cross its border, and the axes that its body sees to itself.
struct ManualComputation {
    std::vector<Sharding> in;
    std::vector<Sharding> out;
    std::vector<AxisRef> manual_axes;
    MeshId mesh;
};

/// Of sharding_constraint and reshard, and of Shardy's collectives: the result's sharding.
struct Resharding {
    Sharding sharding;
};

/// Of propagation_barrier: the ways that shardings may pass it.
struct Barrier {
    bool forwards{false};
    bool backwards{false};
};

/// What an operation says beyond its operands and its types, for those opcodes whose meaning or cost needs
/// it.
using Attribute = std::variant<std::monostate, DotDimensions, Window, ConvolutionDimensions, Dimensions,
                               SliceRanges, SliceSizes, PadSizes, GatherDimensions, ScatterDimensions,
                               Communication, Comparison, Literal, Index, Loop, ForeignCall, Fusion,
                               FftLengths, ManualComputation, Resharding, Barrier, OwnPart>;

}  // namespace dse::ir
