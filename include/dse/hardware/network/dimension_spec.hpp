#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/check.hpp"
#include "dse/hardware/network/link_spec.hpp"
#include "dse/hardware/network/switch_reduction_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// How the devices along one dimension of a network are joined. A torus is a ring along each of its axes, a
/// mesh an open line along each.
enum class DimensionKind : std::uint8_t {
    ring,             ///< a link to either neighbour, the ends joined
    mesh,             ///< a link to either neighbour, the ends open
    switched,         ///< a port into a non-blocking switch
    fully_connected,  ///< a link to every other device
};
std::span<const std::string_view> choice_names(DimensionKind);

/// How a collective runs along one dimension.
enum class Algorithm : std::uint8_t {
    automatic,         ///< ring along rings and meshes, direct between all, halving and doubling on switches
    ring,              ///< each device passes on to the next
    direct,            ///< each device sends to all others at once
    halving_doubling,  ///< exchanges at distance 1, 2, 4, … of half as much each time
    double_binary_tree,  ///< two trees, each with half the data; all-reduce only
};
std::span<const std::string_view> choice_names(Algorithm);
std::string_view name(Algorithm algorithm);

/// One dimension of a network. Innermost first: the rank of a device is a0 + a1·n0 + a2·n0·n1 + …
struct DimensionSpec {
    DimensionKind kind{DimensionKind::switched};
    /// Devices along it; 0: as many as the job needs (outermost dimension only).
    std::int64_t size{0};
    /// Of one link: ring and mesh have two a device (one to either neighbour), fully_connected one to each
    /// other device, switched one into the switch. The latency is that of one link; a message through a
    /// switch pays two.
    LinkSpec link;
    Algorithm algorithm{Algorithm::automatic};
    /// Where `algorithm` is automatic, all-reduce takes the better of it and this. A switch only.
    SwitchReductionSpec reduction;
};

Problems problems_of(const DimensionSpec& dimension);

template <class Visitor>
void describe(Visitor& v, DimensionSpec& dimension) {
    v.required("kind", dimension.kind, "ring, mesh, switch or fully_connected");
    v.optional("size", dimension.size, config::not_negative,
               "devices along it; 0: as many as the job needs (outermost only)");
    describe_link(v, dimension.link);
    v.optional("algorithm", dimension.algorithm, "how collectives run along it");
    describe_switch_reduction(v, dimension.reduction);
    check_after_reading(v, dimension);
}

/// The dimensions of a network, held in place so that their fields keep their addresses.
class DimensionList {
  public:
    static constexpr std::size_t capacity = 6;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// What comes new has the defaults. \param size  at most capacity
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
