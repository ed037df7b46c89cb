#include "resident_memory.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "optimizer_step.hpp"
#include "state_places.hpp"

namespace dse::frontend {
namespace {

using graph::CollectiveKind;
using graph::MemoryKind;

constexpr std::array kept{StageParameters::Form{Storage::kept_parameter, 1.0}};
constexpr std::array used{StageParameters::Form{Storage::parameter, 1.0}};
constexpr std::array casts{StageParameters::Form{Storage::weight_casts, 1.0}};

/// \param tensor  what an operation keeps of each sequence
MemoryKind kind_of(const Tensor& tensor) {
    return tensor.storage == Storage::cache ? MemoryKind::kv_cache : MemoryKind::recurrent_state;
}

class ResidentMemory {
  public:
    ResidentMemory(const StageUnits& units, const ResidentParts& parts) : units_{units}, parts_{parts} {}

    std::vector<graph::BufferId> of_training() {
        const graph::SoftwareStack& stack = parts_.options.stack;
        add_parameters();
        add(MemoryKind::gradients, of_stage(gradient_form, shards_gradients_from(stack)));
        if (stack.keeps_narrow_gradients) add(MemoryKind::gradients, of_stage(narrow_gradients, 2));
        // ZeRO-3's gradients are flat before the step. The host flattens what it updates.
        if (stack.flat_update && parts_.zero > 0 && !updates_on_host(stack))
            add(MemoryKind::workspace,
                of_stage(parts_.zero < 3 ? std::span{flat_gradients} : std::span{flat_gradients}.last(1), 1));
        add_reduce_bucket();
        if (stack.cached_layers > 0.0) add(MemoryKind::workspace, cached_by_allocator());
        if (stack.launch_queue > 0.0) add_if_any(MemoryKind::communication, held_for_streams());
        if (stack.keeps_logits) add_if_any(MemoryKind::workspace, logits());
        add_optimizer_states();
        return std::move(buffers_);
    }

    std::vector<graph::BufferId> of_inference() {
        add(MemoryKind::parameters, parts_.parameters.of_stage(units_, used, StageParameters::Held::whole));
        add(MemoryKind::kv_cache, kept_of_sequences(MemoryKind::kv_cache));
        add_if_any(MemoryKind::recurrent_state, kept_of_sequences(MemoryKind::recurrent_state));
        return std::move(buffers_);
    }

  private:
    void add(MemoryKind kind, Amount size) {
        buffers_.push_back(parts_.structure.add_buffer(kind, std::move(size)));
    }
    void add_if_any(MemoryKind kind, Amount size) {
        if (!size.terms.empty()) add(kind, std::move(size));
    }

    /// \param shared_from  the lowest ZeRO stage at which a device holds a share
    Amount of_stage(std::span<const StageParameters::Form> forms, std::int64_t shared_from) {
        return parts_.parameters.of_stage(units_, forms, held_from(parts_.zero, shared_from));
    }

    void add_parameters() {
        Amount parameters = of_stage(kept, 3);
        parameters.append(parts_.parameters.tables_of_stage(units_));
        add(MemoryKind::parameters, std::move(parameters));
        add_if_any(MemoryKind::parameters, parts_.parameters.originals(units_, held_from(parts_.zero, 3)));
        // ZeRO-3 casts parameters anew after each gather.
        if (parts_.zero < 3) add(MemoryKind::parameters, of_stage(casts, 3));
    }

    void add_reduce_bucket() {
        const bool reduces = std::any_of(parts_.states.begin(), parts_.states.end(),
                                         [](const BlockState& state) { return state.is_replicated(); });
        const double size = parts_.options.stack.reduce_bucket;
        if (size <= 0.0 || !reduces) return;
        Amount bucket;
        bucket.terms.push_back({Extents::one, Storage::gradient, size, {}});
        add(MemoryKind::communication, std::move(bucket));
    }

    void add_optimizer_states() {
        const bool leaves = updates_on_host(parts_.options.stack);
        const MemoryKind where = leaves ? graph::host_memory : MemoryKind::optimizer;
        Amount states = of_stage(adam_forms, 1);
        states.append(parts_.parameters.table_rows_of_stage(units_));
        add(where, std::move(states));
        if (leaves) add(where, of_stage(gradient_form, 1));
    }

    /// A device's part of the cache, or of the states, of all served sequences.
    Amount kept_of_sequences(MemoryKind kind) {
        Amount amount;
        for (const Unit& unit : units_.front()) {
            const Block& block = parts_.blocks[unit.block];
            for (std::size_t i = 0; i < block.operations.size(); ++i) {
                const auto& resident = block.operations[i].resident;
                if (!resident || kind_of(block.tensor(resident->tensor)) != kind) continue;
                const Layout layout = parts_.shardings[unit.block].letters[i].layout(resident->letters);
                amount.append(amount_of(block.tensor(resident->tensor), layout, parts_.structure.extents));
                amount.terms.back().factor *= static_cast<double>(unit.count);
            }
        }
        return amount;
    }

    /// Memory that the forward pass of the stage's layer with the most operations allocates, times the
    /// stack's `cached_layers`.
    Amount cached_by_allocator() {
        std::optional<std::size_t> layer;
        for (const auto& chunk : units_) {
            for (const Unit& unit : chunk) {
                const Block& block = parts_.blocks[unit.block];
                if (!block.input || !block.output) continue;
                if (!layer || parts_.blocks[*layer].operations.size() < block.operations.size())
                    layer = unit.block;
            }
        }
        Amount amount;
        if (!layer) return amount;
        const PassPlan& pass = parts_.plans[*layer].forward;
        for (std::size_t v = 0; v < pass.versions.size(); ++v) {
            const TensorRole role = parts_.blocks[*layer].tensor(pass.versions[v].tensor).role;
            const bool was_there = role == TensorRole::parameter || role == TensorRole::input ||
                                   (pass.entry && pass.entry->index() == v);
            if (was_there || !pass.versions[v].memory.empty()) continue;
            amount.append(amount_of(parts_.blocks[*layer], pass.versions[v], parts_.structure.extents));
            amount.terms.back().factor *= parts_.options.stack.cached_layers;
        }
        return amount;
    }

    /// What the collectives of a layer's forward pass read or write, but for what is kept, and, under ZeRO-3,
    /// its gathered parameters.
    Amount passed_to_streams(std::size_t block) {
        const PassPlan& pass = parts_.plans[block].forward;
        const auto memory = memory_of(pass);
        std::set<VersionId> stays;
        for (const VersionId version : pass.stays)
            stays.insert(memory[version.index()].begin(), memory[version.index()].end());
        Amount amount;
        for (const Step& step : pass.steps) {
            const auto* collective = std::get_if<CollectiveFormula>(&step.work);
            if (collective == nullptr) continue;
            const bool grows = collective->kind == CollectiveKind::all_gather;
            const VersionId full = grows ? step.outputs.front() : step.inputs.front();
            if (stays.count(full) == 0) amount.append(collective->size);
        }
        if (parts_.zero == 3)
            amount.append(parts_.parameters.of(block, parts_.blocks[block].parameters(), Storage::parameter));
        return amount;
    }

    /// Kernels and collectives of a layer's forward pass.
    [[nodiscard]] double launches_of(std::size_t block) const {
        double launches = 0.0;
        for (const Step& step : parts_.plans[block].forward.steps) {
            const auto* kernel = std::get_if<ComputeFormula>(&step.work);
            launches += kernel == nullptr ? 1.0 : kernel->kernels;
        }
        return launches;
    }

    /// Memory of tensors that collectives were given and that are not reused before the device has passed
    /// them, at the end of a chunk's forward pass, where most is kept: of the last layers, as many as the
    /// host may be ahead. Between chunks, it waits for their messages.
    Amount held_for_streams() {
        Amount held;
        double left = parts_.options.stack.launch_queue;
        const std::vector<Unit>& chunk = units_.back();
        for (auto unit = chunk.rbegin(); unit != chunk.rend(); ++unit) {
            const Block& block = parts_.blocks[unit->block];
            const double launches = launches_of(unit->block);
            if (!block.input || !block.output || launches <= 0.0) continue;
            const double layers = std::min(static_cast<double>(unit->count), left / launches);
            Amount size = passed_to_streams(unit->block);
            size.scale(layers);
            held.append(size);
            left -= layers * launches;
        }
        return held;
    }

    /// Bytes of the logits that stay: what the losses of the stage's heads read of a microbatch; the copy of
    /// 32 bits where a model's output is cast to it (PyTorch's cross-entropy on logits.float()).
    ///
    /// Pipelines with buffers of outputs (keeps_outputs) have at least two of them, and keep the logits of
    /// two microbatches (Aleph-Alpha/scaling, parallel_module.py; DeepSpeed, runtime/pipe/engine.py). The
    /// second one's are put where a copy of 32 bits was freed, the only free block of PyTorch's caching
    /// allocator that has room, and no other copy of 32 bits fits into the rest of that block.
    Amount logits() {
        Amount amount;
        for (const auto& chunk : units_) {
            for (const Unit& unit : chunk) {
                const Block& block = parts_.blocks[unit.block];
                // Statistics of the rows are operations of the loss, too, and come before it.
                const auto loss = std::find_if(
                    block.operations.rbegin(), block.operations.rend(),
                    [](const Operation& each) { return each.forward.op_class == graph::OpClass::loss; });
                if (loss == block.operations.rend()) continue;
                const auto& versions = parts_.plans[unit.block].forward.versions;
                const auto logits =
                    std::find_if(versions.begin(), versions.end(), [&](const Version& version) {
                        return version.tensor == loss->operands.front().tensor && !version.gradient;
                    });
                if (logits == versions.end()) continue;
                Amount size = amount_of(block, *logits, parts_.structure.extents);
                if (parts_.options.stack.loss == graph::LossKernel::unfused)
                    size.terms.back().storage = Storage::full;
                if (parts_.options.stack.keeps_outputs)
                    size.append(amount_of(block, *logits, parts_.structure.extents));
                size.scale(block.tensor(logits->tensor).in_memory);
                amount.append(size);
            }
        }
        return amount;
    }

    const StageUnits& units_;
    const ResidentParts& parts_;
    std::vector<graph::BufferId> buffers_;
};

}  // namespace

std::vector<graph::BufferId> resident_of_training(const StageUnits& units, const ResidentParts& parts) {
    return ResidentMemory{units, parts}.of_training();
}

std::vector<graph::BufferId> resident_of_inference(const StageUnits& units, const ResidentParts& parts) {
    return ResidentMemory{units, parts}.of_inference();
}

}  // namespace dse::frontend
