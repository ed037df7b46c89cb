#include "dse/frontend/template/pass_plan.hpp"

#include "kept_tensors.hpp"
#include "pass_builder.hpp"

namespace dse::frontend {

Amount amount_of(const Tensor& tensor, bool gradient, const Layout& layout, Extents& extents) {
    Amount::Term term;
    term.storage = tensor.storage;
    if (gradient && tensor.storage == Storage::parameter) term.storage = Storage::gradient;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        term.extents.push_back(extents.intern({tensor.shape[i], layout.split[i]}));
    }
    return {{std::move(term)}};
}

BlockPlans plan_passes(const Block& block, const Sharding& sharding, const workload::TrainingStack& stack,
                       Extents& extents, std::int64_t ring) {
    const std::set<TensorId> kept = kept_tensors(block, sharding, stack);
    return {PassBuilder(block, sharding, stack, extents, ring).forward(kept),
            PassBuilder(block, sharding, stack, extents, ring).backward(kept)};
}

}  // namespace dse::frontend
