#include "rewriter.hpp"

namespace dse::ir {

Program Rewriter::run() {
    const ComputationId entry = clone(program_.entry);
    Program result = copy_.take();
    result.entry = entry;
    return result;
}

ComputationId Rewriter::clone(ComputationId old) {
    const bool shared = program_.language == Language::hlo;
    const auto known = clones_.find(old.index());
    if (shared && known != clones_.end()) return known->second;
    const ComputationId now = copy_.open(old);
    for (const Operation& operation : program_[old].operations) add(operation, now);
    finish(old, now);
    copy_.close(old, now);
    if (shared) clones_.emplace(old.index(), now);
    return now;
}

std::vector<ComputationId> Rewriter::clones(std::span<const ComputationId> old) {
    std::vector<ComputationId> result;
    for (const ComputationId id : old) result.push_back(clone(id));
    return result;
}

void Rewriter::copy(const Operation& operation, ComputationId into) {
    copy_.copy(operation, into, clones(program_.called(operation)));
}

}  // namespace dse::ir
