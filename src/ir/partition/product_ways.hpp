#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// The ways of all products of a program (product_way), each computed once: a model repeats its layers, whose
/// products have the same rule, sizes and layouts.
class ProductWays {
  public:
    /// \param slots  must outlive this object
    /// \param mesh  all axes of the mesh
    ProductWays(const Slots& slots, Axes mesh);

    /// As product_way. \param relation, layouts  must outlive this object
    const std::optional<Way>& of(const Relation& relation, const std::vector<const Layout*>& layouts);

  private:
    struct Known {
        const Relation* relation;
        std::vector<const Layout*> layouts;
        std::optional<Way> way;
    };

    [[nodiscard]] std::size_t hash(const Relation& relation) const;
    [[nodiscard]] bool is_alike(const Known& known, const Relation& relation,
                                const std::vector<const Layout*>& layouts) const;

    const Slots& slots_;
    Axes mesh_;
    std::unordered_multimap<std::size_t, Known> known_;
};

}  // namespace dse::ir::partition
