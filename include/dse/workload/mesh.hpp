#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dse::workload {

/// The axes along which ranks are arranged. A group of ranks is named by the axes that vary inside it.
/// Axes of the attention layout; `expert` and `expert_tensor` re-fold the same ranks for mixture-of-experts
/// blocks.
enum class MeshAxis : std::uint8_t { tensor, context, expert, data, pipeline };
inline constexpr std::size_t mesh_axis_count = 5;

/// "tp", "cp", "ep", "dp", "pp".
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

/// Sizes of the axes and their order on the machine.
struct Mesh {
    std::array<std::int64_t, mesh_axis_count> size{1, 1, 1, 1, 1};
    /// Innermost (neighbouring ranks) first. Megatron's default: tp-cp-ep-dp-pp.
    std::array<MeshAxis, mesh_axis_count> order{MeshAxis::tensor, MeshAxis::context, MeshAxis::expert,
                                                MeshAxis::data, MeshAxis::pipeline};

    [[nodiscard]] std::int64_t degree(MeshAxis axis) const { return size[static_cast<std::size_t>(axis)]; }
    /// Ranks in a group over `axes`: the product of their sizes.
    [[nodiscard]] std::int64_t degree(AxisSet axes) const;
    /// All ranks.
    [[nodiscard]] std::int64_t ranks() const;
    /// Distance in rank numbers between neighbours along `axis`.
    [[nodiscard]] std::int64_t stride(MeshAxis axis) const;
    /// The ranks of the group over `axes` that `rank` belongs to, in ascending order.
    [[nodiscard]] std::vector<std::int64_t> group(AxisSet axes, std::int64_t rank) const;
    /// Position of `rank` along `axis`.
    [[nodiscard]] std::int64_t coordinate(MeshAxis axis, std::int64_t rank) const;
};

}  // namespace dse::workload
