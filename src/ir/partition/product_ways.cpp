#include "ir/partition/product_ways.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dse/base/hash.hpp"
#include "ir/partition/product_way.hpp"

namespace dse::ir::partition {

ProductWays::ProductWays(const Slots& slots, Axes mesh) : slots_{slots}, mesh_{std::move(mesh)} {}

const std::optional<Way>& ProductWays::of(const Relation& relation,
                                          const std::vector<const Layout*>& layouts) {
    const std::size_t key = hash(relation);
    const auto [begin, end] = known_.equal_range(key);
    const auto found = std::find_if(
        begin, end, [&](const auto& known) { return is_alike(known.second, relation, layouts); });
    if (found != end) return found->second.way;
    return known_.emplace(key, Known{&relation, layouts, product_way(relation, slots_, layouts, mesh_)})
        ->second.way;
}

// Layouts are left out: those of products with equal sizes are few.
std::size_t ProductWays::hash(const Relation& relation) const {
    boost::container::small_vector<std::uint64_t, 16> numbers;
    for (const FactorRule::Factor& factor : relation.rule().factors)
        numbers.push_back(static_cast<std::uint64_t>(factor.size));
    for (const SlotId slot : relation.tensors)
        numbers.push_back(std::bit_cast<std::uint64_t>(slots_.bytes(slot)));
    return static_cast<std::size_t>(checksum(std::as_bytes(std::span{numbers.data(), numbers.size()})));
}

bool ProductWays::is_alike(const Known& known, const Relation& relation,
                           const std::vector<const Layout*>& layouts) const {
    const auto same_bytes = [this](SlotId a, SlotId b) { return slots_.bytes(a) == slots_.bytes(b); };
    const auto same_layout = [](const Layout* a, const Layout* b) { return *a == *b; };
    const bool same_rule =
        known.relation->shared_rule == relation.shared_rule || known.relation->rule() == relation.rule();
    return same_rule && std::ranges::equal(known.relation->tensors, relation.tensors, same_bytes) &&
           std::ranges::equal(known.layouts, layouts, same_layout);
}

}  // namespace dse::ir::partition
