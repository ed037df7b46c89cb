#include "dse/frontend/template/pass_plan.hpp"

#include "kept_tensors.hpp"
#include "pass_builder.hpp"

namespace dse::frontend {

Amount amount_of(const Tensor& tensor, const Layout& layout, Extents& extents) {
    Amount::Term term;
    term.storage = tensor.storage;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        term.elements = extents.times(term.elements, Extent{tensor.shape[i], layout.split[i]});
    }
    return {{term}};
}

Amount amount_of_gradient(const Tensor& tensor, const Layout& layout, Extents& extents) {
    Amount amount = amount_of(tensor, layout, extents);
    if (tensor.role == TensorRole::parameter) amount.terms.front().storage = Storage::gradient;
    return amount;
}

Amount amount_of(const Block& block, const Version& version, Extents& extents) {
    const Tensor& tensor = block.tensor(version.tensor);
    Amount amount = version.gradient ? amount_of_gradient(tensor, version.layout, extents)
                                     : amount_of(tensor, version.layout, extents);
    if (version.cast) amount.terms.front().storage = Storage::cast;
    if (version.unsummed) amount.terms.front().storage = Storage::activation;
    return amount;
}

std::vector<std::vector<VersionId>> memory_of(const PassPlan& plan) {
    std::vector<std::vector<VersionId>> result;
    for (std::size_t v = 0; v < plan.versions.size(); ++v) {
        std::vector<VersionId> memory;
        if (plan.versions[v].memory.empty()) memory.emplace_back(v);
        for (const VersionId behind : plan.versions[v].memory) {
            const std::vector<VersionId>& parts = result[behind.index()];
            memory.insert(memory.end(), parts.begin(), parts.end());
        }
        result.push_back(std::move(memory));
    }
    return result;
}

BlockPlans plan_passes(const Block& block, const Sharding& sharding, const graph::SoftwareStack& stack,
                       Extents& extents, std::int64_t ring) {
    const std::set<TensorId> kept = kept_tensors(block, sharding, stack);
    BlockPlans plans;
    plans.forward = PassBuilder(block, sharding, stack, extents, ring).forward(kept);
    plans.forward.stays = plans.forward.saved;
    plans.backward = PassBuilder(block, sharding, stack, extents, ring).backward(kept);
    return plans;
}

BlockPlans plan_forward(const Block& block, const Sharding& sharding, const graph::SoftwareStack& stack,
                        Extents& extents, std::int64_t ring) {
    BlockPlans plans;
    plans.forward = PassBuilder(block, sharding, stack, extents, ring).forward_alone();
    return plans;
}

}  // namespace dse::frontend
