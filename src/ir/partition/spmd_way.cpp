#include "ir/partition/spmd_way.hpp"

#include "ir/partition/lookup_way.hpp"
#include "ir/partition/movement_way.hpp"
#include "ir/partition/product_way.hpp"

namespace dse::ir::partition {

std::optional<Way> spmd_way(const Program& program, const Operation& operation, const Relation& relation,
                            const Slots& slots, const std::vector<const Layout*>& layouts, const Axes& mesh) {
    switch (operation.opcode) {
        case Opcode::dot:
        case Opcode::convolution:
            return product_way(relation, slots, layouts, mesh);
        case Opcode::gather:
        case Opcode::scatter:
            return lookup_way(relation, slots, layouts, mesh);
        default:
            return movement_way(program, operation, relation, layouts);
    }
}

}  // namespace dse::ir::partition
