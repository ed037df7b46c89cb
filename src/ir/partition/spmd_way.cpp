#include "ir/partition/spmd_way.hpp"

#include "ir/partition/lookup_way.hpp"
#include "ir/partition/movement_way.hpp"

namespace dse::ir::partition {

std::optional<Way> SpmdWays::of(const Operation& operation, const Relation& relation,
                                const std::vector<const Layout*>& layouts) {
    switch (operation.opcode) {
        case Opcode::dot:
        case Opcode::convolution:
            return products_.of(relation, layouts);
        case Opcode::gather:
        case Opcode::scatter:
            return lookup_way(relation, slots_, layouts, mesh_);
        default:
            return movement_way(program_, operation, relation, layouts);
    }
}

}  // namespace dse::ir::partition
