#include "gradient_flow.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dse::frontend {
namespace {

/// Calls `visit` for each operand whose gradient the operation's backward pass produces.
template <class Visit>
void for_each_gradient(const Operation& operation, Visit&& visit) {
    for (const Piece& piece : operation.backward) {
        for (const Use& use : piece.writes) visit(use.tensor);
    }
    for (const std::size_t operand : operation.passes_gradient) visit(operation.operands[operand].tensor);
}

std::vector<bool> wanted_gradients(const Block& block) {
    std::vector<bool> wanted(block.tensors.size());
    for (std::size_t i = 0; i < block.tensors.size(); ++i) {
        const Tensor& tensor = block.tensors[i];
        wanted[i] =
            (tensor.role == TensorRole::parameter && !tensor.frozen) || tensor.role == TensorRole::boundary;
    }
    for (const Operation& operation : block.operations) {
        for_each_gradient(operation, [&](TensorId operand) {
            if (!wanted[operand.index()]) return;
            for (const Operation::Operand& result : operation.results) {
                if (&result == &operation.results.front() || operation.view)
                    wanted[result.tensor.index()] = true;
            }
        });
    }
    return wanted;
}

std::vector<bool> read_tensors(const Block& block) {
    std::vector<bool> read(block.tensors.size());
    for (const Operation& operation : block.operations) {
        for (const Operation::Operand& operand : operation.operands) read[operand.tensor.index()] = true;
    }
    if (block.output) read[block.output->index()] = true;
    for (const Operation& operation : block.operations) {
        if (operation.is_loss()) read[operation.results.front().tensor.index()] = true;
    }
    return read;
}

}  // namespace

bool GradientFlow::runs_piece(std::size_t index, const Piece& piece) const {
    return runs[index] && std::any_of(piece.writes.begin(), piece.writes.end(),
                                      [&](const Use& use) { return wanted[use.tensor.index()]; });
}

GradientFlow gradient_flow(const Block& block) {
    GradientFlow flow;
    flow.wanted = wanted_gradients(block);
    flow.arrives.resize(block.tensors.size());
    flow.runs.resize(block.operations.size());
    if (block.output) flow.arrives[block.output->index()] = true;
    for (std::size_t i = block.operations.size(); i-- > 0;) {
        const Operation& operation = block.operations[i];
        const std::size_t result = operation.results.front().tensor.index();
        flow.runs[i] = flow.wanted[result] && (flow.arrives[result] || operation.is_loss());
        if (!flow.runs[i]) continue;
        for_each_gradient(operation, [&](TensorId operand) {
            if (flow.wanted[operand.index()]) flow.arrives[operand.index()] = true;
        });
    }
    return flow;
}

void check_flow(const Block& block, const config::Location& where, config::Diagnostics& diagnostics) {
    const GradientFlow flow = gradient_flow(block);
    const std::vector<bool> read = read_tensors(block);
    for (std::size_t i = 0; i < block.tensors.size(); ++i) {
        const Tensor& tensor = block.tensors[i];
        if (tensor.role == TensorRole::saved) continue;
        const bool trained = tensor.role == TensorRole::parameter && !tensor.frozen;
        const config::Location& place = tensor.role == TensorRole::boundary ? where : tensor.where;
        if (!read[i]) {
            diagnostics.error(place, block.name, fmt::format("nothing reads '{}'", tensor.name));
        } else if ((trained || tensor.role == TensorRole::boundary) && !flow.arrives[i]) {
            diagnostics.error(
                place, block.name,
                fmt::format("no gradient reaches '{}': neither the output nor a loss depends on "
                            "it in a differentiable way",
                            tensor.name));
        }
    }
}

}  // namespace dse::frontend
