#include "pass_builder.hpp"

#include <algorithm>
#include <utility>

#include "kept_tensors.hpp"
#include "narrow_products.hpp"

namespace dse::frontend {

void PassBuilder::run_forward(std::size_t index, Run run) {
    const Operation& operation = block_.operations[index];
    const LetterAxes& letters = sharding_.letters[index];
    if (operation.view) return run_view(operation, letters);
    std::vector<VersionId> inputs;
    for (const Operation::Operand& operand : operation.operands) {
        Layout wanted = letters.layout(operand.letters);
        wanted.partial = sharding_.unreduced[index] & home(operand.tensor).partial;
        const bool casts_first = gathers_casts(operation) &&
                                 !find({.tensor = operand.tensor, .layout = wanted}) &&
                                 is_gathered_over_tp(home(operand.tensor), wanted);
        if (casts_first) cast(operation, letters, source(operand.tensor));
        inputs.push_back(want(operand.tensor, wanted, casts_first));
        if (!casts_first) cast(operation, letters, inputs.back());
    }
    if (replaces_operand(block_, operation)) return run_in_place(operation, letters, inputs, run);
    std::vector<VersionId> outputs;
    for (const Operation::Operand& result : operation.results) {
        if (is_given(result.tensor) || find(as_produced(result.tensor))) continue;
        outputs.push_back(define(as_produced(result.tensor)));
    }
    const std::string& result = block_.tensor(operation.results.front().tensor).name;
    const std::string name = run == Run::again ? "again " + result : result;
    if (is_ring(operation, letters))
        return ring_forward(operation, letters, name, std::move(inputs), outputs, run);
    emit(operation, letters, as_the_last_rank(operation, letters, operation.forward), name, inputs, outputs,
         run);
}

/// Adds the result of an operation that is part of the kernel which writes its operand, in that memory. What
/// is kept of the operand is already the result.
void PassBuilder::run_in_place(const Operation& operation, const LetterAxes& letters,
                               const std::vector<VersionId>& inputs, Run run) {
    const TensorId result = operation.results.front().tensor;
    VersionId place = inputs.front();
    if (!find(as_produced(result))) define({.tensor = result, .layout = home(result), .memory = {place}});
    while (!plan_.versions[place.index()].memory.empty())
        place = plan_.versions[place.index()].memory.front();
    if (std::find(plan_.saved.begin(), plan_.saved.end(), place) != plan_.saved.end()) return;
    const std::string& name = block_.tensor(result).name;
    emit(operation, letters, operation.forward, run == Run::again ? "again " + name : name, inputs, {}, run);
    plan_.steps.back().updates = {place};
}

/// Adds views of an operand's memory, after converting it to the layout that the operation requires.
void PassBuilder::run_view(const Operation& operation, const LetterAxes& letters) {
    const Operation::Operand& operand = operation.operands.front();
    const VersionId from = want(operand.tensor, letters.layout(operand.letters));
    for (const Operation::Operand& result : operation.results) {
        if (find(as_produced(result.tensor))) continue;
        define({.tensor = result.tensor, .layout = home(result.tensor), .memory = {from}});
    }
}

PassPlan PassBuilder::forward(const std::set<TensorId>& kept) {
    run_hooks();
    if (block_.input) plan_.entry = define({.tensor = *block_.input, .layout = sharding_.entry});
    for (std::size_t i = 0; i < block_.operations.size(); ++i) run_forward(i, Run::first);
    if (block_.output) plan_.exit = want(*block_.output, sharding_.exit);
    collect_saved(kept);
    return std::move(plan_);
}

PassPlan PassBuilder::forward_alone() {
    alone_ = true;
    plan_.loops = true;
    return forward({});
}

void PassBuilder::collect_saved(const std::set<TensorId>& kept) {
    const std::set<TensorId> casts = kept_as_cast(kept);
    for (const TensorId tensor : kept) {
        const bool cast = casts.count(tensor) > 0;
        if (cast) plan_.saved.push_back(*find({.tensor = tensor, .layout = stored(tensor), .cast = true}));
        if (!cast || is_read_uncast(tensor)) plan_.saved.push_back(want(tensor, stored(tensor)));
    }
    copy_kept_rows("stash rows");
}

/// Copies the rows of experts that the backward pass reads into pages, or back, if experts run within a CUDA
/// graph. The graph's own buffers have room for the largest number of rows that any routing can send, and
/// serve all layers (Megatron-Core, core/transformer/moe/paged_stash.py, June 2026). Experts that run one by
/// one, or after a plain all-to-all, need numbers that the host has to know, and are not within a graph.
void PassBuilder::copy_kept_rows(const std::string& name) {
    const bool within_graph = stack_.cuda_graphs && stack_.expert_kernels == 0.0 &&
                              stack_.dispatcher == graph::Dispatcher::deduplicated;
    if (alone_ || !within_graph) return;
    ComputeFormula work;
    work.op_class = graph::OpClass::elementwise;
    std::vector<VersionId> rows;
    for (const VersionId version : plan_.saved) {
        const TensorId tensor = plan_.versions[version.index()].tensor;
        if (!is_of_rows(tensor) || block_.tensor(tensor).shape.size() < 3) continue;
        work.read.append(amount(plan_.versions[version.index()]));
        rows.push_back(version);
    }
    if (rows.empty()) return;
    work.written = work.read;
    plan_.steps.push_back({name, std::move(work), rows, {}, rows, false});
}

/// Adds the time in which the host fetches the block's parameters for a pass through it, and releases them.
void PassBuilder::run_hooks() {
    if (stack_.zero < 3 || alone_) return;
    const auto parameters = std::ranges::count(block_.tensors, TensorRole::parameter, &Tensor::role);
    plan_.launches.kernels += stack_.fetch_launches * static_cast<double>(parameters);
}

/// Repeats the forward pass, or the part of it that the backward pass depends on. Gathered copies are kept no
/// longer than in the original forward pass: the backward pass gathers again what it reads.
void PassBuilder::recompute_all() {
    run_hooks();
    const std::vector<bool> runs = recomputed_operations(block_, stack_);
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        if (runs[i]) run_forward(i, Run::again);
    }
    retired_.insert(retired_.end(), copies_.begin(), copies_.end());
}

}  // namespace dse::frontend
