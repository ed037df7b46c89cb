#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dse::graph {

/// The axes along which ranks are arranged. A group of ranks is named by the axes that vary inside it.
///
/// The ranks of a pipeline stage are folded twice: attention and all dense parts see tensor × context × data,
/// the experts of a mixture see expert_tensor × expert × expert_data, over the same ranks and independent of
/// each other. Source: Megatron-LM's parallel folding (Liu et al. 2025, arXiv 2504.14960).
///
/// Hybrid sharding lays whole copies of such a stage side by side along `replica`, outside of both foldings:
/// a copy shards its states over its own data ranks (Zhao et al. 2023, arXiv 2304.11277, section 3.2.2).
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

/// "tp", "cp+dp"; "none" of no axis.
std::string name(AxisSet axes);

/// The two foldings of the ranks of a stage; the pipeline and the replica axis belong to both.
inline constexpr AxisSet attention_axes = AxisSet{MeshAxis::tensor} | MeshAxis::context | MeshAxis::data;
inline constexpr AxisSet expert_axes =
    AxisSet{MeshAxis::expert_tensor} | MeshAxis::expert | MeshAxis::expert_data;

/// The axes along which ranks hold equal parameters and see other tokens: over these, gradients are reduced
/// and ZeRO shards states. Of experts: over expert_data.
inline constexpr AxisSet replica_axes = AxisSet{MeshAxis::data} | MeshAxis::context;

/// A collective over one of these carries parameters or gradients: it is data parallelism's.
inline constexpr AxisSet data_parallel_axes =
    AxisSet{MeshAxis::data} | MeshAxis::expert_data | MeshAxis::replica;

/// The folding that a group belongs to, with the axes of both: the experts' where one of its axes is theirs,
/// else the attention's.
constexpr AxisSet folding_of(AxisSet axes) {
    return ((axes & expert_axes).empty() ? attention_axes : expert_axes) | MeshAxis::pipeline |
           MeshAxis::replica;
}

/// Numbers of groups: the axes of either folding need but six bits, one of which says which folding it is.
inline constexpr std::size_t group_count = 64;

/// The number of the groups over these axes, all of one folding; in [0, group_count). Of attention's groups
/// it is AxisSet::bits.
constexpr std::size_t group_index(AxisSet axes) {
    if ((axes & expert_axes).empty()) return axes.bits();
    const auto bit = [&](MeshAxis axis, unsigned value) { return axes.contains(axis) ? value : 0U; };
    return AxisSet{MeshAxis::expert}.bits() | bit(MeshAxis::expert_tensor, AxisSet{MeshAxis::tensor}.bits()) |
           bit(MeshAxis::expert, AxisSet{MeshAxis::context}.bits()) |
           bit(MeshAxis::expert_data, AxisSet{MeshAxis::data}.bits()) |
           bit(MeshAxis::pipeline, AxisSet{MeshAxis::pipeline}.bits()) |
           bit(MeshAxis::replica, AxisSet{MeshAxis::replica}.bits());
}

/// The axes of a group's number.
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

/// Sizes of the axes and their order on the machine. Both foldings have as many ranks, and the same ones in
/// each pipeline stage.
struct Mesh {
    std::array<std::int64_t, mesh_axis_count> size{1, 1, 1, 1, 1, 1, 1, 1};
    /// Innermost (neighbouring ranks) first, each folding by itself. Megatron's default: tp-cp-ep-dp-pp, that
    /// is tp-cp-dp-pp for attention and etp-ep-edp-pp for experts. Replicas stand right outside of dp.
    std::array<MeshAxis, mesh_axis_count> order{
        MeshAxis::tensor, MeshAxis::expert_tensor, MeshAxis::context, MeshAxis::expert,
        MeshAxis::data,   MeshAxis::expert_data,   MeshAxis::replica, MeshAxis::pipeline};

    /// A mesh without expert parallelism: every device holds all experts.
    static Mesh dense(std::int64_t tp, std::int64_t cp, std::int64_t dp, std::int64_t pp);

    void set_degree(MeshAxis axis, std::int64_t degree) { size[static_cast<std::size_t>(axis)] = degree; }
    [[nodiscard]] std::int64_t degree(MeshAxis axis) const { return size[static_cast<std::size_t>(axis)]; }
    /// Ranks in a group over `axes`: the product of their sizes.
    [[nodiscard]] std::int64_t degree(AxisSet axes) const;
    /// All ranks.
    [[nodiscard]] std::int64_t ranks() const;
    /// Distance in rank numbers between neighbours along `axis`: the ranks of the inner axes of its folding.
    [[nodiscard]] std::int64_t stride(MeshAxis axis) const;
    /// The ranks of the group over `axes`, all of one folding, that `rank` belongs to, in ascending order.
    [[nodiscard]] std::vector<std::int64_t> group(AxisSet axes, std::int64_t rank) const;
    /// Position of `rank` along `axis`.
    [[nodiscard]] std::int64_t coordinate(MeshAxis axis, std::int64_t rank) const;
};

}  // namespace dse::graph
