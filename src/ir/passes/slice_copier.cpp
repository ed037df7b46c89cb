#include "slice_copier.hpp"

#include <vector>

#include "dse/base/check.hpp"

namespace dse::ir {

ValueId SliceCopier::operator[](ValueId old) {
    const Program& from = rewriter_.program();
    if (from[old].owner != of_) return rewriter_.values()[old];
    const auto found = known_.find(old);
    if (found != known_.end()) return found->second;
    const Operation* maker = from.definition(old);
    DSE_REQUIRE(maker != nullptr && maker->results.count == 1);
    std::vector<ValueId> operands;
    for (const ValueId operand : from.operands(*maker)) operands.push_back((*this)[operand]);
    const std::vector<TypeId> types{from.type_of(old)};
    ProgramBuilder::Draft draft = ProgramBuilder::like(*maker);
    draft.operands = operands;
    draft.results = types;
    const std::vector<ComputationId> called = rewriter_.clones(from.called(*maker));
    draft.called = called;
    const ValueId made = rewriter_.builder().value(into_, draft);
    known_[old] = made;
    return made;
}

}  // namespace dse::ir
