#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "dse/config/range.hpp"
#include "dse/graph/precision.hpp"

namespace dse::graph {

enum class Recompute : std::uint8_t { none, selective, full };
enum class Attention : std::uint8_t { unfused, flash };
enum class LossKernel : std::uint8_t { unfused, compiled, fused };
/// How attention over a sequence that is split over cp gets at the keys and values of the other ranks.
enum class ContextAttention : std::uint8_t {
    all_gather,  ///< all of them are gathered before the kernel runs
    ring,        ///< they go round while the kernel works on those that are there
    ulysses,  ///< an all-to-all turns the split of the sequence into one of the heads, another turns it back
};
/// What one collective of sharded parameters and gradients carries.
enum class GatherUnit : std::uint8_t { block, parameter };
/// How operands of eight- and four-bit products get their scales: one a tensor, one a block (MX formats), or
/// one a row.
enum class CastRecipe : std::uint8_t { tensor, block, row };

/// How tokens get to the devices of the experts that they chose.
enum class Dispatcher : std::uint8_t {
    all_to_all,    ///< a copy for each choice, from its device straight to the expert's
    deduplicated,  ///< one copy a node, which passes it on to those of its devices that need it (DeepEP's
                   ///< normal mode, HybridEP)
};

/// What moves to the host's memory until it is needed.
enum class Offload : std::uint8_t {
    none,
    activations,  ///< what layers keep for their backward pass
    optimizer,    ///< the optimizer's states, which the host then updates (Ren et al. 2021, arXiv 2101.06840)
    both,
};
/// Which communication waits for which, on one device.
enum class Queues : std::uint8_t {
    communicator,  ///< one for each group of ranks, messages between stages and copies apart (NCCL)
    one,           ///< one thing after the other, messages and copies included (ASTRA-sim)
};
/// In what form a device keeps parameters from step to step.
enum class PrimaryWeights : std::uint8_t {
    compute,  ///< as kernels read them, beside the optimizer's master copy (Megatron-LM)
    master,   ///< the master copy alone, cast when it is gathered (PyTorch's FSDP2)
    fp8,  ///< operands of eight-bit products as these read them, beside a master copy (Transformer Engine)
};

std::span<const std::string_view> choice_names(Recompute);
std::span<const std::string_view> choice_names(Offload);
std::span<const std::string_view> choice_names(PrimaryWeights);
std::span<const std::string_view> choice_names(Attention);
std::span<const std::string_view> choice_names(LossKernel);
std::span<const std::string_view> choice_names(CastRecipe);
std::span<const std::string_view> choice_names(ContextAttention);
std::span<const std::string_view> choice_names(GatherUnit);
std::span<const std::string_view> choice_names(Queues);
std::span<const std::string_view> choice_names(Dispatcher);

/// Facts about the software that runs the model. They decide a prediction as much as the hardware does
/// (docs/theory/effects.md: which effects matter), so each is a field that a sweep can vary.
struct SoftwareStack {
    std::int64_t zero{1};                       ///< ZeRO stage 0–3; 3 is fully sharded data parallel
    std::int64_t prefetch{1};                   ///< blocks that ZeRO-3 gathers ahead of their use
    GatherUnit gather_unit{GatherUnit::block};  ///< of ZeRO-3's gathers and of all gradient reductions
    bool reshard_after_forward{
        true};  ///< ZeRO-3 drops what it gathered and gathers again in the backward pass
    /// ZeRO-2 and -3 reduce gradients once a step, and accumulate them whole until then (FSDP2 under a
    /// pipeline schedule of PyTorch), instead of after every microbatch.
    bool accumulate_whole{false};
    /// Contributions to one activation's gradient are added before they are reduced over tp, else one by one.
    bool merge_input_gradients{true};
    /// What tensor parallelism gathered is kept as it was before and gathered again in the backward pass.
    bool regather_inputs{true};
    Recompute recompute{Recompute::none};
    /// Layers of a model chunk, from its first on, that `recompute` is for (Megatron-LM's block method). 0:
    /// all.
    std::int64_t recompute_layers{0};
    /// Full recomputation runs operations again whose results no backward kernel reads, as the last product
    /// of a block: Megatron-LM's checkpoints do, XLA's dead-code elimination and the early stop of PyTorch's
    /// non-reentrant checkpoints do not.
    bool recompute_unread{true};
    Offload offload{Offload::none};
    std::int64_t offload_layers{0};  ///< layers of a chunk whose activations leave, from its first on. 0: all
    std::int64_t offload_prefetch{1};      ///< blocks ahead of their use that activations are called back
    Precision precision{Precision::bf16};  ///< of matrix products
    Precision gradient_precision{Precision::fp32};   ///< of gradients when they are reduced and accumulated
    Precision master_precision{Precision::fp32};     ///< of the optimizer's own copy of the parameters
    Precision optimizer_precision{Precision::fp32};  ///< of each of Adam's two moments
    PrimaryWeights primary_weights{PrimaryWeights::compute};
    /// Parameters of eight- and four-bit products are cast before they are gathered, not after.
    bool gather_casts{false};
    /// Their casts, in both orders that the two passes read, stay from one microbatch to the next.
    bool keep_weight_casts{false};
    /// Of an activation that such a product reads, its backward pass keeps the cast.
    bool keep_activation_casts{false};
    Attention attention{Attention::flash};
    /// Share of the device's rate of fused attention that this software's kernel reaches, in (0, 1]: kernels
    /// of an earlier generation than the device's constants are for.
    double attention_rate{1.0};
    ContextAttention cp_attention{ContextAttention::ring};
    /// Every context-parallel rank has the same share of causal attention (zig-zag); else the last has the
    /// largest.
    bool balanced_context{true};
    /// Prefill makes the logits of every position of a prompt (a plain forward pass), not of its last alone.
    bool all_logits{false};
    LossKernel loss{LossKernel::compiled};
    CastRecipe cast_recipe{CastRecipe::tensor};
    bool cuda_graphs{false};  ///< launches cost the host nothing
    bool compiled{true};      ///< element-wise chains run as one kernel; eager runs each operator's own
    /// Kernels that the framework launches for each one that we model: views, casts, checks, autograd's own.
    double launch_factor{1.0};
    /// The host waits for every message between stages before it launches on, so that it never runs ahead of
    /// them.
    bool synchronous_transfers{false};
    /// What a communication waits for beside its data. Network `astra_sim` knows `one` only, whatever stands
    /// here.
    Queues queues{Queues::communicator};
    Dispatcher dispatcher{Dispatcher::all_to_all};
    /// Kernels that a product of one expert runs as, casts and scales included, where products run expert by
    /// expert: each pays a kernel's latency. 0: all experts of a device are one grouped kernel.
    double expert_kernels{0.0};
    // Share of the communication time that no computation hides, in [0, 1].
    double exposed_tp{1.0};
    double exposed_cp{1.0};  ///< of what attention's own order does not hide
    double exposed_ep{1.0};
    double exposed_dp{0.0};
    double exposed_pp{0.0};
    double allocator_overhead{0.0};  ///< share of the peak that fragmentation adds
    /// How often a caching allocator has reserved, beside the peak, what one forward pass of a layer makes:
    /// freed memory whose pieces are too small for what is asked for at the peak.
    double cached_layers{0.0};
};

/// What the shares were called in files of before: 1 meant exposed in full then, too.
inline constexpr std::pair<const char*, const char*> renamed_shares[] = {{"overlap_tp", "exposed_tp"},
                                                                         {"overlap_cp", "exposed_cp"},
                                                                         {"overlap_ep", "exposed_ep"},
                                                                         {"overlap_dp", "exposed_dp"},
                                                                         {"overlap_pp", "exposed_pp"}};

template <class Visitor>
void describe(Visitor& v, SoftwareStack& stack) {
    v.optional("zero", stack.zero, config::between(0, 3), "ZeRO stage; 3: fully sharded");
    v.optional("prefetch", stack.prefetch, config::between(0, 64), "blocks that ZeRO-3 gathers ahead");
    v.optional("gather_unit", stack.gather_unit, "what one collective of sharded parameters carries");
    v.optional("reshard_after_forward", stack.reshard_after_forward,
               "ZeRO-3 gathers parameters again in the backward pass");
    v.optional("accumulate_whole", stack.accumulate_whole,
               "ZeRO-2 and -3 reduce gradients once a step and keep them whole until then");
    v.optional("merge_input_gradients", stack.merge_input_gradients,
               "an activation's gradients are added before they are reduced");
    v.optional("regather_inputs", stack.regather_inputs,
               "the backward pass gathers again over tp what the forward pass gathered");
    v.optional("recompute", stack.recompute, "activations that the backward pass recomputes");
    v.optional("recompute_layers", stack.recompute_layers, config::between(0, 1e6),
               "layers of a chunk that recompute is for, from the first on; 0: all");
    v.optional("recompute_unread", stack.recompute_unread,
               "full recomputation makes again what no backward kernel reads, too");
    v.optional("offload", stack.offload, "what moves to the host's memory");
    v.optional("offload_layers", stack.offload_layers, config::between(0, 1e6),
               "layers of a chunk whose activations leave, from the first on; 0: all");
    v.optional("offload_prefetch", stack.offload_prefetch, config::between(1, 16),
               "blocks ahead that activations are called back");
    v.optional("precision", stack.precision, "of matrix products");
    v.optional("gradient_precision", stack.gradient_precision, "of gradients when reduced and accumulated");
    v.optional("master_precision", stack.master_precision, "of the optimizer's copy of the parameters");
    v.optional("optimizer_precision", stack.optimizer_precision, "of each of the optimizer's moments");
    v.optional("primary_weights", stack.primary_weights, "form in which a device keeps parameters");
    v.optional("gather_casts", stack.gather_casts, "fp8 and fp4 weights are cast before they are gathered");
    v.optional("keep_weight_casts", stack.keep_weight_casts,
               "casts of fp8 and fp4 weights stay between microbatches");
    v.optional("keep_activation_casts", stack.keep_activation_casts,
               "fp8 and fp4 products keep their cast operand for the backward pass");
    v.optional("attention", stack.attention, "attention kernel");
    v.optional("attention_rate", stack.attention_rate, config::fraction,
               "share of the device's rate of fused attention that the kernel reaches");
    v.optional("cp_attention", stack.cp_attention, "how attention crosses context-parallel ranks");
    v.optional("balanced_context", stack.balanced_context,
               "context-parallel ranks share causal attention evenly");
    v.optional("all_logits", stack.all_logits, "prefill makes the logits of every position of a prompt");
    v.optional("loss", stack.loss, "cross-entropy kernel");
    v.optional("cast_recipe", stack.cast_recipe,
               "scales of fp8 and fp4 operands: one a tensor or one a block");
    v.optional("cuda_graphs", stack.cuda_graphs, "launches cost the host nothing");
    v.optional("compiled", stack.compiled, "element-wise chains run as one kernel");
    v.optional("launch_factor", stack.launch_factor, config::between(0, 100),
               "kernels launched for each one that is modelled");
    v.optional("synchronous_transfers", stack.synchronous_transfers,
               "the host waits for messages between stages");
    v.optional("queues", stack.queues, "which communication of a device waits for which");
    v.optional("dispatcher", stack.dispatcher, "how tokens get to their experts' devices");
    v.optional("expert_kernels", stack.expert_kernels, config::between(0, 1000),
               "kernels a product of one expert runs as; 0: all of a device in one");
    v.optional("exposed_tp", stack.exposed_tp, config::share,
               "exposed share of tensor-parallel communication");
    v.optional("exposed_cp", stack.exposed_cp, config::share,
               "exposed share of context-parallel communication");
    v.optional("exposed_ep", stack.exposed_ep, config::share,
               "exposed share of dispatching tokens to experts and back");
    v.optional("exposed_dp", stack.exposed_dp, config::share, "exposed share of data-parallel communication");
    v.optional("exposed_pp", stack.exposed_pp, config::share, "exposed share of pipeline transfers");
    for (const auto& [old_name, name] : renamed_shares)
        v.renamed(old_name, name, "the share of communication that is exposed");
    v.optional("allocator_overhead", stack.allocator_overhead, config::share,
               "share of the peak that fragmentation adds");
    v.optional("cached_layers", stack.cached_layers, config::between(0, 100),
               "layers' worth of tensors that the allocator has reserved beside the peak");
}

/// A stack that a framework had at a time: one file of workloads/stacks. What a workload says itself goes
/// before.
struct NamedStack {
    std::string name;
    std::string source;
    SoftwareStack values;
};

template <class Visitor>
void describe(Visitor& v, NamedStack& stack) {
    v.required("name", stack.name, "for people");
    v.optional("source", stack.source, "where its facts stand");
    describe(v, stack.values);
}

/// What of a stack matters without a backward pass: the rest has its default, and ZeRO nothing to share.
SoftwareStack forward_part(SoftwareStack stack);

/// \throws ModelError naming the field that is out of its range
void require_valid(const SoftwareStack& stack);

}  // namespace dse::graph
