#include "kept_tensors.hpp"

#include <algorithm>

#include "gradient_flow.hpp"

namespace dse::frontend {
namespace {

/// Keeps what is needed to recompute a tensor: the dependencies end at kept tensors and at the block's input,
/// which is then kept as well.
void keep_origins(const Block& block, TensorId tensor, std::set<TensorId>& kept) {
    if (kept.count(tensor) > 0) return;
    if (block.tensor(tensor).role == TensorRole::boundary) kept.insert(tensor);
    for (const Operation& operation : block.operations) {
        for (const Operation::Operand& result : operation.results) {
            if (result.tensor != tensor) continue;
            for (const Operation::Operand& operand : operation.operands)
                keep_origins(block, operand.tensor, kept);
        }
    }
}

/// The tensor that owns the memory of a view, or of what is computed in place.
TensorId memory_of(const Block& block, const Sharding& sharding, TensorId tensor) {
    for (std::size_t i = 0; i < block.operations.size(); ++i) {
        const Operation& operation = block.operations[i];
        if (!operation.view && !replaces_operand(block, operation)) continue;
        const Operation::Operand& operand = operation.operands.front();
        for (const Operation::Operand& result : operation.results) {
            if (result.tensor != tensor) continue;
            const bool moved = operation.refolding || sharding.layouts[operand.tensor.index()] !=
                                                          sharding.letters[i].layout(operand.letters);
            return moved ? tensor : memory_of(block, sharding, operand.tensor);
        }
    }
    return tensor;
}

/// The tensor whose memory holds one that is computed in place, or that tensor itself.
TensorId in_place_of(const Block& block, TensorId tensor) {
    for (const Operation& operation : block.operations) {
        if (operation.results.empty() || operation.results.front().tensor != tensor) continue;
        if (replaces_operand(block, operation)) return in_place_of(block, operation.operands.front().tensor);
    }
    return tensor;
}

/// Drops tensors that the backward pass makes again.
void drop(const Block& block, const std::set<TensorId>& dropped, std::set<TensorId>& kept) {
    for (const TensorId tensor : dropped) kept.erase(tensor);
    for (const TensorId tensor : dropped) keep_origins(block, tensor, kept);
}

/// Tensors of a tiled loss that do not stay from one tile to the next.
std::set<TensorId> of_a_tile(const Block& block, const std::set<TensorId>& kept) {
    std::set<TensorId> tile;
    for (const TensorId tensor : kept) {
        if (block.tensor(tensor).in_memory < 1.0) tile.insert(tensor);
    }
    return tile;
}

}  // namespace

std::set<TensorId> read_by_backward(const Block& block) {
    std::set<TensorId> tensors;
    const GradientFlow flow = gradient_flow(block);
    for (std::size_t i = 0; i < block.operations.size(); ++i) {
        for (const Piece& piece : block.operations[i].backward) {
            if (!flow.runs_piece(i, piece)) continue;
            for (const Use& use : piece.reads) {
                const TensorRole role = block.tensor(use.tensor).role;
                if (use.gradient || role == TensorRole::parameter || role == TensorRole::input) continue;
                tensors.insert(use.tensor);
            }
        }
    }
    return tensors;
}

bool replaces_operand(const Block& block, const Operation& operation) {
    if (!operation.in_place) return false;
    const TensorId operand = operation.operands.front().tensor;
    const bool is_read_alone = block.readers(operand) == 1 && read_by_backward(block).count(operand) == 0;
    return is_read_alone &&
           std::any_of(block.operations.begin(), block.operations.end(), [operand](const Operation& each) {
               return !each.view && !each.results.empty() && each.results.front().tensor == operand;
           });
}

std::vector<bool> recomputed_operations(const Block& block, const graph::SoftwareStack& stack) {
    std::vector<bool> runs(block.operations.size(), stack.recompute_unread);
    if (stack.recompute_unread) return runs;
    std::set<TensorId> wanted = read_by_backward(block);
    for (std::size_t i = block.operations.size(); i-- > 0;) {
        const Operation& operation = block.operations[i];
        runs[i] =
            std::any_of(operation.results.begin(), operation.results.end(),
                        [&](const Operation::Operand& result) { return wanted.count(result.tensor) > 0; });
        if (!runs[i]) continue;
        for (const Operation::Operand& operand : operation.operands) wanted.insert(operand.tensor);
    }
    return runs;
}

std::set<TensorId> kept_tensors(const Block& block, const Sharding& sharding,
                                const graph::SoftwareStack& stack) {
    std::set<TensorId> kept;
    for (const TensorId tensor : read_by_backward(block)) kept.insert(memory_of(block, sharding, tensor));
    if (stack.repeats_logits) drop(block, of_a_tile(block, kept), kept);
    if (!block.recomputable || stack.recompute == graph::Recompute::none) return kept;
    if (stack.recompute == graph::Recompute::full) {
        kept.clear();
        if (block.input) kept.insert(*block.input);
        return kept;
    }
    std::set<TensorId> dropped;
    for (const TensorId tensor : block.selective) {
        for (const TensorId place : {tensor, in_place_of(block, tensor)}) {
            if (kept.erase(place) > 0) dropped.insert(place);
        }
    }
    // What an operation saves beside a result that is made again is made again, too, but for masks: templates
    // name those that are.
    for (const Operation& operation : block.operations) {
        if (operation.results.empty() || dropped.count(operation.results.front().tensor) == 0) continue;
        for (const Operation::Operand& result : operation.results) {
            const Tensor& tensor = block.tensor(result.tensor);
            if (tensor.role == TensorRole::saved && tensor.storage != Storage::mask)
                kept.erase(result.tensor);
        }
    }
    for (const TensorId tensor : dropped) keep_origins(block, tensor, kept);
    return kept;
}

}  // namespace dse::frontend
