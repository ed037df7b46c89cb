#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dse::graph {

/// The axes along which ranks are arranged. A group of ranks is named by the axes that vary within it.
///
/// The ranks of a pipeline stage have two independent foldings: attention and all dense parts use
/// tensor × context × data, experts use expert_tensor × expert × expert_data over the same ranks.
/// Source: Megatron-LM's parallel folding (Liu et al. 2025, arXiv 2504.14960).
///
/// With hybrid sharding, `replica` numbers whole copies of a stage, outside both foldings: each copy shards
/// its states over its own data ranks (Zhao et al. 2023, arXiv 2304.11277, section 3.2.2).
enum class MeshAxis : std::uint8_t {
    tensor,
    context,
    expert,
    data,  ///< inside one replica
    pipeline,
    replica,
    expert_tensor,
    expert_data,
};
inline constexpr std::size_t mesh_axis_count = 8;

/// "tp", "cp", "ep", "dp", "pp", "dp_replicate", "etp", "edp".
std::string_view short_name(MeshAxis axis);

/// A set of mesh axes.
class AxisSet {
  public:
    constexpr AxisSet() = default;
    constexpr AxisSet(MeshAxis axis) : bits_{static_cast<std::uint8_t>(1U << static_cast<unsigned>(axis))} {}

    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    [[nodiscard]] constexpr bool contains(MeshAxis axis) const { return !(*this & AxisSet{axis}).empty(); }
    [[nodiscard]] constexpr bool contains(AxisSet other) const { return (*this & other) == other; }
    [[nodiscard]] constexpr std::uint8_t bits() const { return bits_; }

    friend constexpr AxisSet operator|(AxisSet a, AxisSet b) { return from_bits(a.bits_ | b.bits_); }
    friend constexpr AxisSet operator&(AxisSet a, AxisSet b) { return from_bits(a.bits_ & b.bits_); }
    friend constexpr AxisSet operator-(AxisSet a, AxisSet b) {
        return from_bits(a.bits_ & static_cast<unsigned>(~b.bits_));
    }
    friend constexpr bool operator==(AxisSet, AxisSet) = default;

  private:
    static constexpr AxisSet from_bits(unsigned bits) {
        AxisSet set;
        set.bits_ = static_cast<std::uint8_t>(bits);
        return set;
    }
    std::uint8_t bits_{0};
};

/// "tp", "cp+dp"; "none" for the empty set.
std::string name(AxisSet axes);

/// The axes of the two foldings of a stage's ranks, without the pipeline and replica axes, which belong to
/// both.
inline constexpr AxisSet attention_axes = AxisSet{MeshAxis::tensor} | MeshAxis::context | MeshAxis::data;
inline constexpr AxisSet expert_axes =
    AxisSet{MeshAxis::expert_tensor} | MeshAxis::expert | MeshAxis::expert_data;

/// The axes along which ranks hold equal parameters and process different tokens: gradients are reduced, and
/// ZeRO shards states, over these. Experts use expert_data instead.
inline constexpr AxisSet replica_axes = AxisSet{MeshAxis::data} | MeshAxis::context;

/// A collective over one of these axes belongs to data parallelism: it carries parameters or gradients.
inline constexpr AxisSet data_parallel_axes =
    AxisSet{MeshAxis::data} | MeshAxis::expert_data | MeshAxis::replica;

/// All axes of the folding that a group belongs to, pipeline and replica included: the experts' folding if
/// one of the group's axes is an expert axis, else attention's.
constexpr AxisSet folding_of(AxisSet axes) {
    return ((axes & expert_axes).empty() ? attention_axes : expert_axes) | MeshAxis::pipeline |
           MeshAxis::replica;
}

/// Number of group indices: the axes of either folding fit into six bits, one of which marks the folding.
inline constexpr std::size_t group_count = 64;

/// Index of the groups over these axes, in [0, group_count); the axes must belong to one folding. For
/// attention's folding it equals AxisSet::bits.
constexpr std::size_t group_index(AxisSet axes) {
    if ((axes & expert_axes).empty()) return axes.bits();
    const auto bit = [&](MeshAxis axis, unsigned value) { return axes.contains(axis) ? value : 0U; };
    return AxisSet{MeshAxis::expert}.bits() | bit(MeshAxis::expert_tensor, AxisSet{MeshAxis::tensor}.bits()) |
           bit(MeshAxis::expert, AxisSet{MeshAxis::context}.bits()) |
           bit(MeshAxis::expert_data, AxisSet{MeshAxis::data}.bits()) |
           bit(MeshAxis::pipeline, AxisSet{MeshAxis::pipeline}.bits()) |
           bit(MeshAxis::replica, AxisSet{MeshAxis::replica}.bits());
}

/// The axes of a group index.
constexpr AxisSet group_axes(std::size_t index) {
    const auto has = [&](MeshAxis axis) { return (index & AxisSet{axis}.bits()) != 0; };
    const bool experts = has(MeshAxis::expert);
    AxisSet axes;
    if (has(MeshAxis::tensor)) axes = axes | (experts ? MeshAxis::expert_tensor : MeshAxis::tensor);
    if (has(MeshAxis::context)) axes = axes | (experts ? MeshAxis::expert : MeshAxis::context);
    if (has(MeshAxis::data)) axes = axes | (experts ? MeshAxis::expert_data : MeshAxis::data);
    if (has(MeshAxis::pipeline)) axes = axes | MeshAxis::pipeline;
    if (has(MeshAxis::replica)) axes = axes | MeshAxis::replica;
    return axes;
}

/// Sizes of the axes and their order on the machine. Both foldings have the same number of ranks, and each
/// pipeline stage has the same ranks in both.
struct Mesh {
    std::array<std::int64_t, mesh_axis_count> size{1, 1, 1, 1, 1, 1, 1, 1};
    /// Innermost axis (neighbouring ranks) first, for each folding separately. Megatron's default is
    /// tp-cp-ep-dp-pp: tp-cp-dp-pp for attention and etp-ep-edp-pp for experts. `replica` comes right after
    /// dp.
    std::array<MeshAxis, mesh_axis_count> order{
        MeshAxis::tensor, MeshAxis::expert_tensor, MeshAxis::context, MeshAxis::expert,
        MeshAxis::data,   MeshAxis::expert_data,   MeshAxis::replica, MeshAxis::pipeline};

    /// A mesh without expert parallelism: every device holds all experts.
    static Mesh dense(std::int64_t tp, std::int64_t cp, std::int64_t dp, std::int64_t pp);

    void set_degree(MeshAxis axis, std::int64_t degree) { size[static_cast<std::size_t>(axis)] = degree; }
    [[nodiscard]] std::int64_t degree(MeshAxis axis) const { return size[static_cast<std::size_t>(axis)]; }
    /// Number of ranks in a group over `axes`: the product of their sizes.
    [[nodiscard]] std::int64_t degree(AxisSet axes) const;
    /// Number of all ranks.
    [[nodiscard]] std::int64_t ranks() const;
    /// Difference of rank numbers between neighbours along `axis`: the product of the inner axes' sizes.
    [[nodiscard]] std::int64_t stride(MeshAxis axis) const;
    /// The ranks, in ascending order, of the group over `axes` (of one folding) that `rank` belongs to.
    [[nodiscard]] std::vector<std::int64_t> group(AxisSet axes, std::int64_t rank) const;
    /// Position of `rank` along `axis`.
    [[nodiscard]] std::int64_t coordinate(MeshAxis axis, std::int64_t rank) const;
};

}  // namespace dse::graph
