#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/check.hpp"
#include "dse/config/choices.hpp"
#include "dse/hardware/network/link_spec.hpp"
#include "dse/hardware/network/switch_reduction_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// How the devices along one dimension of a network are connected. A torus is a ring along each of its axes,
/// a mesh an open line along each.
enum class DimensionKind : std::uint8_t {
    ring,             ///< a link to each of two neighbours; the ends are connected
    mesh,             ///< a link to each neighbour; the ends are open
    switched,         ///< a port into a non-blocking switch
    fully_connected,  ///< a link to every other device
};
std::span<const std::string_view> choice_names(DimensionKind);

/// How a collective runs along one dimension.
enum class Algorithm : std::uint8_t {
    automatic,  ///< ring for rings and meshes, direct for full connection, halving_doubling for switches
    ring,       ///< each device sends to the next
    direct,     ///< each device sends to all others at once
    halving_doubling,    ///< exchanges at distance 1, 2, 4, …, with half the data each time
    double_binary_tree,  ///< two trees, each with half the data; all-reduce only
};
DSE_CHOICES(Algorithm, automatic, ring, direct, halving_doubling, double_binary_tree);
std::string_view name(Algorithm algorithm);

/// One dimension of a network. Innermost first: the rank of a device is a0 + a1·n0 + a2·n0·n1 + …
struct DimensionSpec {
    DimensionKind kind{DimensionKind::switched};
    /// Number of devices along it; 0: as many as the job needs (outermost dimension only).
    std::int64_t size{0};
    /// One link. Per device, ring and mesh have two (one to each neighbour), fully_connected one to each
    /// other device, switched one into the switch. The latency is that of one link; a message through a
    /// switch has two.
    LinkSpec link;
    Algorithm algorithm{Algorithm::automatic};
    /// Reduction in the switch (kind switched only). If `algorithm` is automatic, all-reduce uses the faster
    /// of the two.
    SwitchReductionSpec reduction;
};

Problems problems_of(const DimensionSpec& dimension);

template <class Visitor>
void describe(Visitor& v, DimensionSpec& dimension) {
    v.required("kind", dimension.kind, "ring, mesh, switch or fully_connected");
    v.optional("size", dimension.size, config::not_negative,
               "number of devices along it; 0: as many as the job needs (outermost only)");
    describe_link(v, dimension.link);
    v.optional("algorithm", dimension.algorithm, "algorithm of collectives along it");
    describe_switch_reduction(v, dimension.reduction);
    check_after_reading(v, dimension);
}

/// The dimensions of a network, in fixed storage so that the addresses of their fields are stable.
class DimensionList {
  public:
    static constexpr std::size_t capacity = 6;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// New dimensions have default values. \param size  at most capacity
    void resize(std::size_t size) {
        DSE_EXPECT(size <= capacity);
        for (std::size_t i = size_; i < size; ++i) all_[i] = DimensionSpec{};
        size_ = size;
    }
    void push_back(const DimensionSpec& dimension) {
        resize(size_ + 1);
        all_[size_ - 1] = dimension;
    }
    [[nodiscard]] DimensionSpec& operator[](std::size_t i) { return all_[i]; }
    [[nodiscard]] const DimensionSpec& operator[](std::size_t i) const { return all_[i]; }
    [[nodiscard]] const DimensionSpec* begin() const { return all_.data(); }
    [[nodiscard]] const DimensionSpec* end() const { return all_.data() + size_; }

  private:
    std::array<DimensionSpec, capacity> all_{};
    std::size_t size_{0};
};

Problems problems_of(const DimensionList& dimensions);

}  // namespace dse::hardware
