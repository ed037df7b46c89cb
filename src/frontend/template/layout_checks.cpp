#include "layout_checks.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "adapters.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/frontend/template/sharding.hpp"
#include "words.hpp"

namespace dse::frontend {

using graph::MeshAxis;
using graph::ResolvedLayout;
using graph::WorkloadSpec;

namespace {

/// \param known  names that there are
/// \param what   begins the message on any other: "recompute_tensors: no tensor"
void require_known(const std::string& names, const std::set<std::string>& known, const std::string& what) {
    for (const std::string& name : words_of(names)) {
        if (known.contains(name)) continue;
        throw ModelError(
            fmt::format("{} is called '{}'{}", what, name, suggestion(name, {known.begin(), known.end()})));
    }
}

}  // namespace

void require_context_parallel(const WorkloadSpec& workload, const ResolvedLayout& layout) {
    const std::int64_t ranks = layout.mesh.degree(MeshAxis::context);
    if (ranks == 1) return;
    if (workload.stack.attention == graph::Attention::unfused)
        throw ModelError(
            "cp > 1 with attention unfused: only a flash kernel works on a part of the keys at a time");
    const bool in_chunks =
        workload.stack.balanced_context && workload.stack.cp_attention != graph::ContextAttention::ulysses;
    if (in_chunks && workload.sequence % (2 * ranks) != 0) {
        throw ModelError(
            fmt::format("sequence {} is not divisible into 2 x cp {} chunks (each rank has one from the "
                        "start and one from the end, so that causal attention takes all the same time)",
                        workload.sequence, ranks));
    }
}

void require_split(const std::vector<Block>& blocks, const graph::Mesh& mesh, const std::string& model) {
    for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::context}) {
        const bool used = std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
            return std::any_of(block.tensors.begin(), block.tensors.end(), [&](const Tensor& tensor) {
                return tensor.layout.split_axes().contains(axis);
            });
        });
        if (used || mesh.degree(axis) == 1) continue;
        throw ModelError(fmt::format("nothing of model '{}' is split over {}, so that {} {} cannot share it",
                                     model, short_name(axis), short_name(axis), mesh.degree(axis)));
    }
}

void require_one_copy(const std::vector<Block>& blocks, const graph::Mesh& mesh, const std::string& model) {
    for (const Block& block : blocks) {
        for (const Tensor& tensor : block.tensors) {
            const std::int64_t copies = mesh.degree(replicas_of(tensor)) * mesh.degree(MeshAxis::replica);
            if (!tensor.sparse || copies == 1) continue;
            throw ModelError(fmt::format(
                "table '{}' of model '{}' lies once over the devices of a stage: ep is {}, not {}",
                tensor.name, model, mesh.degree(MeshAxis::expert) * copies, mesh.degree(MeshAxis::expert)));
        }
    }
}

void require_trainable(const graph::SoftwareStack& stack) {
    const auto refuse = [](const char* field, graph::Precision value) {
        if (value != graph::Precision::int8) return;
        throw ModelError(
            fmt::format("{} int8 with mode training: gradients do not fit the range of 8-bit integers (take "
                        "fp8, or mode prefill or decode for W8A8 inference)",
                        field));
    };
    refuse("precision", stack.precision);
    refuse("gradient_precision", stack.gradient_precision);
    refuse("master_precision", stack.master_precision);
}

void require_cached(const WorkloadSpec& workload) {
    require_valid(workload.serving);
    const bool has_scores = workload.stack.attention == graph::Attention::unfused;
    if (!has_scores || workload.mode == graph::Mode::prefill) return;
    throw ModelError(
        fmt::format("attention unfused with mode {}: only a flash kernel reads cached keys and values",
                    choice_names(workload.mode)[static_cast<std::size_t>(workload.mode)]));
}

void require_servable(const std::vector<Block>& blocks, graph::Mode mode, const std::string& model) {
    std::ptrdiff_t draws = 0;
    bool caches = false;
    bool attends = false;
    for (const Block& block : blocks) {
        for (const Operation& operation : block.operations) {
            draws += operation.kind == "cross_entropy" ? 1 : 0;
            caches = caches || (operation.resident &&
                                block.tensor(operation.resident->tensor).storage == Storage::cache);
            attends = attends || operation.kind.starts_with("attention");
        }
    }
    if (draws > 1) {
        throw ModelError(
            fmt::format("model '{}' predicts {} tokens at once: speculative decoding is not "
                        "modelled (take a model without multi-token prediction)",
                        model, draws));
    }
    const bool encodes = attends && mode == graph::Mode::prefill;
    if (draws == 0 || (!caches && !encodes)) {
        throw ModelError(
            fmt::format("model '{}' cannot be served: it {} (inference is of decoders with "
                        "attention)",
                        model, draws == 0 ? "draws no tokens" : "caches no keys and values"));
    }
}

void require_recomputable(const graph::SoftwareStack& stack, const std::vector<Block>& blocks,
                          const std::string& model) {
    if (stack.recompute == graph::Recompute::none || std::ranges::any_of(blocks, &Block::recomputable))
        return;
    throw ModelError(fmt::format(
        "recompute {}: model '{}' keeps all activations, since no block of its template says that "
        "it can be recomputed (take recompute: none, or add 'recompute: {{}}' to the block)",
        choice_names(stack.recompute)[static_cast<std::size_t>(stack.recompute)], model));
}

void require_attention(const graph::SoftwareStack& stack, const std::vector<Block>& blocks,
                       const std::string& model) {
    if (stack.attention != graph::Attention::unfused) return;
    for (const Block& block : blocks) {
        const bool fused = std::ranges::any_of(block.operations, [](const Operation& operation) {
            return operation.kind.ends_with("attention");  // latent_attention, compressed_attention
        });
        if (!fused) continue;
        throw ModelError(fmt::format(
            "attention: block '{}' of model '{}' has a fused kernel alone (take attention: flash, or add a "
            "branch \"when: attention == 'unfused'\" to its template)",
            block.name, model));
    }
}

void require_known_tensors(const std::string& names, const std::vector<Block>& blocks) {
    std::set<std::string> known;  // blocks of several kinds have tensors of the same name
    for (const Block& block : blocks) {
        for (const Tensor& tensor : block.tensors) known.insert(tensor.name);
    }
    require_known(names, known, "recompute_tensors: no tensor");
}

void require_targets(const graph::Adapter& adapter, const std::vector<Block>& blocks,
                     const std::string& model) {
    if (!adapter.on()) return;
    std::set<std::string> parameters;
    for (const Block& block : blocks) {
        for (const TensorId id : block.parameters()) parameters.insert(block.tensor(id).name);
    }
    require_known(adapter.trained, parameters,
                  fmt::format("adapter.trained: no parameter of model '{}'", model));
    std::set<std::string> adapted;
    std::set<std::string> possible;
    for (const Block& block : blocks) {
        for (const Operation& operation : block.operations) {
            if (operation.kind != "einsum" || operation.operands.size() != 2) continue;
            const Tensor& weight = block.tensor(operation.operands.back().tensor);
            if (weight.role != TensorRole::parameter || !weight.frozen) continue;
            possible.insert(weight.name);
            if (has_adapter(block, weight.name)) adapted.insert(weight.name);
        }
    }
    const std::vector<std::string> known(possible.begin(), possible.end());
    for (const std::string& name : words_of(adapter.targets)) {
        if (adapted.count(name) > 0) continue;
        const std::vector<std::string> trained = words_of(adapter.trained);
        if (std::ranges::find(trained, name) != trained.end())
            throw ModelError(fmt::format(
                "adapter.targets: '{}' is trained whole (adapter.trained), so it has no adapter", name));
        throw ModelError(fmt::format(
            "adapter.targets: no product of model '{}' has a weight '{}'{}", model, name,
            name.find_first_of(",[]") == std::string::npos ? suggestion(name, known)
                                                           : " (names are separated by blanks: w_qkv w_o)"));
    }
    if (!adapted.empty()) return;
    throw ModelError(
        fmt::format("adapter.rank {}: model '{}' has no matrix products with weights between its "
                    "first and its last block",
                    adapter.rank, model));
}

void require_trained(const WorkloadSpec& workload) {
    if (!workload.adapter.on()) return;
    throw ModelError(fmt::format(
        "adapter.rank {} with mode {}: inference runs adapters merged into the weights "
        "(leave adapter out)",
        workload.adapter.rank, choice_names(workload.mode)[static_cast<std::size_t>(workload.mode)]));
}

void require_offload(const WorkloadSpec& workload) {
    const graph::Offload offload = workload.stack.offload;
    const bool activations = offload == graph::Offload::activations || offload == graph::Offload::both;
    const bool in_turns = graph::placement_of(workload.layout.schedule) == graph::Placement::mirrored;
    if (activations && in_turns)
        throw ModelError("offload activations with dualpipe: copies of passes in turns are not modelled");
}

}  // namespace dse::frontend
