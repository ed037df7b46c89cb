#include "operation_facts.hpp"

#include <algorithm>

namespace dse::frontend {

bool is_refolded(const Block& block, TensorId tensor) {
    return std::any_of(block.operations.begin(), block.operations.end(), [&](const Operation& operation) {
        return operation.refolding && operation.results.front().tensor == tensor;
    });
}

bool is_of_rows(const Block& block, TensorId tensor) {
    for (const Operation& operation : block.operations) {
        if (std::none_of(operation.results.begin(), operation.results.end(),
                         [&](const Operation::Operand& result) { return result.tensor == tensor; }))
            continue;
        const bool from_rows =
            std::any_of(operation.operands.begin(), operation.operands.end(),
                        [&](const Operation::Operand& operand) { return is_of_rows(block, operand.tensor); });
        return operation.refolding ? !from_rows : from_rows;
    }
    return false;
}

bool multiplies(const Operation& operation, const Block& block, Storage storage) {
    return operation.forward.op_class == graph::OpClass::gemm &&
           std::any_of(operation.operands.begin(), operation.operands.end(),
                       [&](const Operation::Operand& operand) {
                           const Tensor& tensor = block.tensor(operand.tensor);
                           return tensor.role == TensorRole::parameter && tensor.storage == storage;
                       });
}

bool is_narrow_product(const Operation& operation, const Block& block, const graph::SoftwareStack& stack) {
    return bytes_of(stack.precision) < Bytes{2} && multiplies(operation, block, Storage::weight);
}

bool casts_blocks_to_fp8(const graph::SoftwareStack& stack) {
    return stack.precision == graph::Precision::fp8 && stack.cast_recipe == graph::CastRecipe::block;
}

}  // namespace dse::frontend
