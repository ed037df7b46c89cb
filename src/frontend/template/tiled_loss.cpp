#include "tiled_loss.hpp"

#include <algorithm>
#include <set>

namespace dse::frontend {
namespace {

/// The losses' logits, what they are computed from and what is saved beside them, as far as their rows are
/// over the vocabulary.
std::set<TensorId> tiled_tensors(const Block& block) {
    std::set<TensorId> tiled;
    for (std::size_t i = block.operations.size(); i-- > 0;) {
        const Operation& operation = block.operations[i];
        if (operation.is_loss()) tiled.insert(operation.operands.front().tensor);
        const bool makes = !operation.results.empty() && tiled.count(operation.results.front().tensor) > 0;
        if (!makes && !operation.is_loss()) continue;
        const DimId vocabulary =
            block.tensor(makes ? operation.results.front().tensor : operation.operands.front().tensor)
                .shape.back();
        const auto add = [&](TensorId id, TensorRole role) {
            const Tensor& tensor = block.tensor(id);
            if (tensor.role == role && !tensor.shape.empty() && tensor.shape.back() == vocabulary)
                tiled.insert(id);
        };
        for (const Operation::Operand& operand : operation.operands)
            add(operand.tensor, TensorRole::computed);
        for (const Operation::Operand& result : operation.results) add(result.tensor, TensorRole::saved);
    }
    return tiled;
}

}  // namespace

void tile_losses(Block& block, std::int64_t tiles) {
    if (tiles == 1) return;
    const std::set<TensorId> tiled = tiled_tensors(block);
    const auto share = static_cast<double>(tiles);
    for (const TensorId tensor : tiled) block.tensors[tensor.index()].in_memory = 1.0 / share;
    for (Operation& operation : block.operations) {
        const auto is_tiled = [&](const Operation::Operand& each) { return tiled.count(each.tensor) > 0; };
        if (std::any_of(operation.operands.begin(), operation.operands.end(), is_tiled) ||
            std::any_of(operation.results.begin(), operation.results.end(), is_tiled))
            operation.tiles = share;
    }
}

}  // namespace dse::frontend
