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

using NameId = Id<struct AttributeNameTag>;
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
    std::int64_t pad_low{0};  ///< may be negative: elements are dropped
    std::int64_t pad_high{0};
    std::int64_t base_dilation{1};    ///< of the operand: gaps between its elements
    std::int64_t window_dilation{1};  ///< of the window
    bool reversed{false};
};

/// For reduce_window, select_and_scatter, pooling_backward: one entry per dimension of the operand.
struct Window {
    std::vector<WindowDimension> dimensions;
};

struct ConvolutionDimensions {
    std::vector<WindowDimension> window;  ///< one entry per spatial dimension
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

/// For broadcast, transpose, reduce, concatenate, reverse, iota, sort, …: the dimensions that the text
/// states.
struct Dimensions {
    Sizes numbers;
};

struct SliceRanges {
    Sizes starts;
    Sizes limits;
    Sizes strides;
};

/// For dynamic_slice: the size of the slice in each dimension.
struct SliceSizes {
    Sizes sizes;
};

/// For a dynamic_slice inserted by a partitioner: of a value that all members of a group have, each takes the
/// part with its index in the group. For a dynamic_update_slice: each writes its part into zeros at that
/// position.
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

/// What the numbers in a collective's groups identify.
/// Source: StableHLO specification, "Process grouping"
enum class GroupMode : std::uint8_t {
    cross_replica,
    cross_partition,
    cross_replica_and_partition,
    flattened_ids
};

/// For all communication.
struct Communication {
    DeviceGroups groups;
    GroupMode mode{GroupMode::cross_replica};
    std::int64_t channel{0};                                   ///< 0: none
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< for collective_permute: source, target
    std::int64_t dimension{0};                                 ///< gathered, scattered or split
    std::int64_t concat_dimension{0};                          ///< for all_to_all
    NameId process_group;        ///< PyTorch's name, empty: none; its ranks are `groups` if known
    std::int64_t group_size{0};  ///< if stated without the groups; 0: not stated
};

enum class ComparisonDirection : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };
struct Comparison {
    ComparisonDirection direction{ComparisonDirection::equal};
};

/// For a constant: its value if it is a single integer or an array of equal integers.
struct Literal {
    std::optional<std::int64_t> integer;
};

/// For get_tuple_element; for parameter: its number; for sharding_group: the group's number.
struct Index {
    std::int64_t number{0};
};

/// For while_loop: the number of iterations, if the text states it or it follows from the condition.
struct Loop {
    std::optional<std::int64_t> trip_count;
};

/// For custom_call, composite and unknown operations.
struct ForeignCall {
    NameId target;                                       ///< "te_fused_attn_forward_ffi"
    NameId configuration;                                ///< text of its backend_config; empty name: none
    std::optional<ConvolutionDimensions> convolution{};  ///< if stated (cuDNN's calls)
};

enum class FusionKind : std::uint8_t { loop, input, output, custom };
struct Fusion {
    FusionKind kind{FusionKind::loop};
};

struct FftLengths {
    Sizes lengths;
};

/// For Shardy's manual_computation: shardings of the values that enter and leave it, and its manual axes.
struct ManualComputation {
    std::vector<Sharding> in;
    std::vector<Sharding> out;
    std::vector<AxisRef> manual_axes;
    MeshId mesh;
};

/// For sharding_constraint, reshard, and Shardy's collectives: the sharding of the result.
struct Resharding {
    Sharding sharding;
};

/// For propagation_barrier: the directions in which shardings may propagate through it.
struct Barrier {
    bool forwards{false};
    bool backwards{false};
};

/// Properties of an operation besides its operands and types, for opcodes whose meaning or cost depends on
/// them.
using Attribute = std::variant<std::monostate, DotDimensions, Window, ConvolutionDimensions, Dimensions,
                               SliceRanges, SliceSizes, PadSizes, GatherDimensions, ScatterDimensions,
                               Communication, Comparison, Literal, Index, Loop, ForeignCall, Fusion,
                               FftLengths, ManualComputation, Resharding, Barrier, OwnPart>;

}  // namespace dse::ir
