#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "dse/base/units.hpp"
#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/precision.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/stack_choices.hpp"

namespace dse::graph {

/// Facts about the software that runs the model. They influence a prediction as much as the hardware does
/// (see docs/theory/effects.md), so each is a field that a sweep can vary.
struct SoftwareStack {
    // Data parallelism
    std::int64_t zero{1};      ///< ZeRO stage 0–3; 3 is fully sharded data parallel
    std::int64_t prefetch{1};  ///< blocks that ZeRO-3 gathers ahead of use
    BackwardPrefetch backward_prefetch{BackwardPrefetch::pre};
    GatherUnit gather_unit{GatherUnit::block};  ///< for ZeRO-3's gathers and all gradient reductions
    /// ZeRO-3 frees gathered parameters after the forward pass and gathers them again in the backward pass.
    bool reshard_after_forward{true};
    /// ZeRO-2 and -3 reduce gradients once per step, accumulating them unsharded until then (FSDP2 with
    /// PyTorch's pipeline schedules), instead of after every microbatch.
    bool accumulate_whole{false};
    /// ZeRO-1 all-reduces gradients, although each device needs its shard alone (DeepSpeed's bf16 optimizer,
    /// InternEvo); otherwise it reduces and scatters them.
    bool reduce_whole{false};

    // Tensor parallelism
    /// Contributions to the gradient of an activation are added before the reduction over tp; otherwise each
    /// is reduced by itself.
    bool merge_input_gradients{true};
    /// Inputs gathered by tensor parallelism are kept sharded and gathered again in the backward pass.
    bool regather_inputs{true};
    /// A gather or scatter of an activation along another dimension than its first copies the whole tensor
    /// once more, since NCCL concatenates parts along the first (PyTorch's DTensor).
    bool collective_copies{false};

    // What is kept for the backward pass
    Recompute recompute{Recompute::none};
    /// Number of layers at the start of each model chunk that `recompute` applies to (Megatron-LM's block
    /// method). 0: all.
    std::int64_t recompute_layers{0};
    /// Full recomputation also repeats operations whose results no backward kernel reads, such as the last
    /// product of a block. Megatron-LM's checkpoints do; XLA (dead-code elimination) and PyTorch's
    /// non-reentrant checkpoints (early stop) do not.
    bool recompute_unread{true};
    Offload offload{Offload::none};
    std::int64_t offload_layers{0};    ///< layers at the start of each chunk that are offloaded. 0: all
    std::int64_t offload_prefetch{1};  ///< blocks ahead of use at which activations are fetched back

    // Precision of products and states, and casts
    Precision precision{Precision::bf16};            ///< of matrix products
    Precision gradient_precision{Precision::fp32};   ///< of gradients in reduction and accumulation
    Precision master_precision{Precision::fp32};     ///< of the optimizer's own copy of the parameters
    Precision optimizer_precision{Precision::fp32};  ///< of each of Adam's two moments
    /// Products add weight gradients to those of earlier microbatches (gradient accumulation fusion).
    /// Otherwise a kernel of its own reads each of them, in compute precision, and adds it (Megatron-LM until
    /// February 2022, nanotron); not where ZeRO-2 and -3 reduce them after every microbatch.
    bool fused_accumulation{true};
    /// One kernel updates many parameters with all operations of the optimizer. Otherwise each operation
    /// reads its operands from memory and writes its result there (PyTorch's foreach and Composer's
    /// optimizers).
    bool fused_optimizer{true};
    PrimaryWeights primary_weights{PrimaryWeights::compute};
    CastRecipe cast_recipe{CastRecipe::tensor};
    /// Scales of fp8 operands follow from maxima of earlier passes, which the replicas and the tensor- and
    /// context-parallel ranks of a stage reduce after each pass of a chunk (Transformer Engine's
    /// DelayedScaling): all of them wait for each other.
    bool delayed_scaling{false};
    /// Parameters of eight- and four-bit products are cast before they are gathered, not after.
    bool gather_casts{false};
    /// Activations that eight- and four-bit products read are cast before tensor parallelism gathers them
    /// (Transformer Engine), not after. Gathers of gradients are those of 16 bits.
    bool gather_activation_casts{false};
    /// Casts of parameters, in the layouts of both passes, are kept from one microbatch to the next.
    bool keep_weight_casts{false};
    /// Eight- and four-bit products keep the cast of their activation for the backward pass.
    bool keep_activation_casts{false};
    /// What SwiGLU reads is cast and kept for the backward pass in the form of operands of eight- and
    /// four-bit products (Megatron-Core's activation_func_fp8_input_store).
    bool narrow_gate_inputs{false};
    /// The product with the vocabulary runs in eight or four bits if other products do; otherwise in 16
    /// (Megatron-LM but for fp8_output_proj, torchtitan).
    bool narrow_head{false};

    // Attention, scans and loss
    Attention attention{Attention::flash};
    /// Rate of this software's fused attention kernel relative to the device's constants, in (0, 1]; below 1
    /// for kernels of an earlier generation.
    double attention_rate{1.0};
    /// How much more this kernel loses in short causal sequences than the device's own form says: its rate
    /// falls to half of attention_rate at this number of keys. 0: it loses nothing more.
    double attention_ramp{0.0};
    /// Rate of its forward pass relative to that of both passes, of which the backward one takes 2.5 times as
    /// many operations; it matters where the forward pass is repeated, or runs alone.
    double attention_forward{1.0};
    /// Rate with heads of 64, relative to what the device's form says of them; squared with heads of 32, and
    /// so on.
    double attention_narrow{1.0};
    /// Fused attention of training steps runs in eight bits with block scales if products run in eight or
    /// four bits (Transformer Engine's fp8_dpa with MXFP8).
    bool fp8_attention{false};
    /// Training: work of the backward pass of Mamba-2's scan relative to that of its forward pass
    /// (mamba_ssm's eleven Triton kernels, of which no time has been published). Their products are 2.5
    /// times the forward pass's, states made again included; 7 was fitted to steps, as
    /// workloads/stacks/nemo_2025.yaml states. All stacks run the same kernels.
    double scan_backward{7.0};
    ContextAttention cp_attention{ContextAttention::ring};
    /// Causal attention is divided evenly over context-parallel ranks (zig-zag); otherwise the last rank has
    /// the largest part.
    bool balanced_context{true};
    LossKernel loss{LossKernel::compiled};

    // Kernels and their launches by the host
    bool compiled{true};  ///< element-wise chains run as one kernel; otherwise one kernel per operator
    /// Training: squared ReLU runs as two kernels forward and four backward, whatever `compiled` says (NeMo
    /// 2's function, which no compiler sees).
    bool eager_squared_relu{false};
    /// Training: what adapters add to a product runs operator by operator, whatever `compiled` says: dropout,
    /// the scale of the result and the sum are kernels of modules that no compiler sees (Megatron Bridge).
    bool eager_adapters{false};
    /// Training: launch_factor of an adapter's own products, which run in other modules than those of frozen
    /// weights. 0: launch_factor.
    double adapter_launch_factor{0.0};
    /// The result of an adapter beside a product whose input is split over tp changes from a split of its
    /// last dimension to one of the sequence by an all-to-all (Megatron Bridge's a2a_experimental); otherwise
    /// it is gathered whole, and each device takes its part.
    bool adapter_all_to_all{false};
    bool cuda_graphs{false};  ///< kernel launches cost no host time
    /// CUDA graphs hold the router of experts and, before a plain all-to-all, the permutation of its tokens
    /// (Megatron-Core's scopes moe_router and moe_preprocess), nothing else.
    bool router_graphs{false};
    /// CUDA graphs hold what comes before experts in a layer: attention, norms, router and what prepares the
    /// dispatch of its tokens (Megatron-Core's scopes attn, moe_router and moe_preprocess). The host launches
    /// experts, shared ones too, and what moves rows to them and back.
    bool attention_graphs{false};
    /// Kernels that the framework launches per kernel of the model: views, casts, checks, autograd's own.
    double launch_factor{1.0};
    /// Host time of a launch in the backward pass, relative to one of the forward pass: autograd's engine is
    /// compiled, where the forward pass (and its repetition) is interpreted.
    double backward_launches{1.0};
    /// The host waits for every message between stages before it launches more kernels.
    bool synchronous_transfers{false};

    // Experts
    Dispatcher dispatcher{Dispatcher::all_to_all};
    /// Kernels per expert for a product that runs expert by expert, casts and scales included; each pays a
    /// kernel's latency. 0: one grouped kernel for all experts of a device.
    double expert_kernels{0.0};
    /// Biases and clamps of experts' rows are kernels of the framework's own, one per operator, on strided
    /// and broadcast tensors (Megatron-LM's grouped experts with PyTorch): how many numbers a lane of the
    /// vector units loads or stores in a cycle. 0: they are part of the products' kernels.
    double eager_expert_rate{0.0};
    /// Training: a kernel of its own copies each token once for each of its experts, others sort the copies
    /// by expert and the results back, one sums the results, and one the two gradients of a row that gate and
    /// up leave (MaxText's sparse_matmul: repeat, take, take, einsum). Otherwise one kernel dispatches and
    /// one combines.
    bool copied_rows{false};
    /// Training: rate of experts' grouped products relative to a dense product of the same sizes.
    double expert_training_rate{1.0};
    /// Rate of experts' products in inference, relative to a dense product with the same number of rows. The
    /// default is fitted to the fused layers of AIConfigurator 095f58a (systems/data, balanced routing; H100,
    /// H200, B200 and GB200 with TensorRT-LLM and vLLM: 27 fits give 0.17 to 1, half of them between 0.33 and
    /// 0.67).
    double expert_rate{0.5};
    /// The same in steps that read prompts, whose experts have many rows each. 0: expert_rate.
    double prompt_expert_rate{0.0};
    /// Inference: rows of a tile of the kernel that multiplies experts' tokens, if each expert reserves a
    /// whole tile beyond its tokens, which is multiplied, too (DeepGEMM's contiguous layout, where the host
    /// does not know how many tokens chose an expert: 128). 1: products have the rows of their tokens.
    std::int64_t expert_tile{1};
    /// Mean rows of an expert up to which none is reserved, because the kernel then takes narrow tiles
    /// (TensorRT-LLM's in FlashInfer: 8 to 64 rows). If stated, tiles are those of steps that decode alone:
    /// prompt_expert_rate contains those of prompts. 0: tiles are reserved in all steps.
    std::int64_t few_expert_rows{0};
    /// Whether sorting, activation and cast of experts' tokens are part of their products' kernels in
    /// inference (TensorRT-LLM's own kernel of experts, also in FlashInfer).
    bool fused_experts{false};
    /// Whether the experts' kernels also compute the shared expert in inference, as one more expert of every
    /// token (SGLang with Triton's kernel, sgl-project/sglang#5571): its operators need no kernels.
    bool fused_shared_expert{false};

    // Weight-only quantization
    /// Inference: bits in memory of a weight that products read and widen to their own precision, scales
    /// included (MXFP4 4.25; integers of four bits 4.125 to 4.5; of eight bits 8). With fewer than eight,
    /// layers with experts store only those in this form. 0: weights have the precision of products.
    double weight_bits{0.0};
    /// Such weights that a lane of the vector units widens in a cycle: instructions, not memory, limit these
    /// kernels on Hopper. 0.15: experts of gpt-oss in MXFP4 and of Kimi K2 in int4 on H100 and H200 (Triton's
    /// and Marlin's kernels of vLLM 0.19 and 0.24, TensorRT-LLM 1.3.0rc20, SGLang 0.5.14: 4.3 to 6.5 * 10^12
    /// weights a second; AIConfigurator 095f58a, systems/data, moe). 0: as fast as memory delivers them.
    double widening_rate{0.15};

    // Other kernels of inference
    /// Prefill computes the logits of every position of a prompt (a plain forward pass), not only of the
    /// last.
    bool all_logits{false};
    /// Rate of other products in eight or four bits in steps that read prompts, relative to the device's.
    double prompt_dense_rate{1.0};
    /// Heads, at least, of the kernel that attends over prompts to the tokens that an indexer chose, on each
    /// device: it works on the cached vectors of low rank, and fills missing heads with zeros. 0: on keys and
    /// values of the device's own heads.
    std::int64_t sparse_heads{0};
    /// Inference: whether the kernels that make an operand of a narrow product also cast it.
    bool fused_casts{false};

    // Communication: its queues, and the shares of its time that no computation hides, in [0, 1]
    /// Which communication operations are serialized. Network `astra_sim` always uses `one`.
    Queues queues{Queues::communicator};
    double exposed_tp{1.0};
    double exposed_cp{1.0};  ///< of what the attention algorithm itself does not hide
    double exposed_ep{1.0};
    /// Whether experts' communication hides beside the opposite pass of another microbatch (Megatron-Core's
    /// overlap_moe_expert_parallel_comm). The first forward and the last backward passes have no partner, so
    /// that it is exposed there, whatever exposed_ep.
    bool pairs_microbatches{false};
    double exposed_dp{0.0};
    double exposed_pp{0.0};

    // Memory beside the model's tensors
    /// Training: gradients in compute precision stay allocated beside the sums in gradient_precision, whole
    /// (DeepSpeed's bf16 optimizer sets the former to zero instead of freeing them).
    bool keeps_narrow_gradients{false};
    /// Training: the optimizer's step copies the gradients of a device's share into one tensor in compute
    /// precision and one in 32 bits (DeepSpeed's ZeRO-1 and -2). The allocator has no freed block of that
    /// size, so that they add to what it has reserved.
    bool flat_update{false};
    /// Training: gradients that a buffer for their reduction holds (DeepSpeed's reduce_bucket_size), in
    /// gradient_precision. 0: none beside the gradients themselves.
    double reduce_bucket{0.0};
    /// Training: a pipeline's stage keeps what it has sent to the next one until its backward pass
    /// (DeepSpeed); otherwise it is freed (Megatron-LM's deallocate_pipeline_outputs).
    bool keeps_outputs{false};
    /// Training: memory of a device outside of the framework's allocator: the context of CUDA and its loaded
    /// kernels. nvidia-smi shows it; an allocator's own figures do not.
    Bytes runtime_memory;
    /// The same, of each communicator: one for all devices, and one for each degree of parallelism above 1.
    Bytes communicator_memory;
    double allocator_overhead{0.0};  ///< memory added by fragmentation, as a share of the peak
    /// Memory that a caching allocator keeps reserved beyond the peak because its freed blocks are too small
    /// for the requests at the peak, in units of what the forward pass of one layer allocates.
    double cached_layers{0.0};
    /// Training: whether the loop's variable refers to a microbatch's logits until the next one's replace
    /// them. With keeps_outputs, the logits of two microbatches stay.
    bool keeps_logits{false};
};

/// Former names of the exposed shares. Their meaning is unchanged: 1 is fully exposed.
inline constexpr std::pair<const char*, const char*> renamed_shares[] = {{"overlap_tp", "exposed_tp"},
                                                                         {"overlap_cp", "exposed_cp"},
                                                                         {"overlap_ep", "exposed_ep"},
                                                                         {"overlap_dp", "exposed_dp"},
                                                                         {"overlap_pp", "exposed_pp"}};

template <class Visitor>
void describe(Visitor& v, SoftwareStack& stack) {
    v.optional("zero", stack.zero, config::between(0, 3), "ZeRO stage; 3: fully sharded");
    v.optional("prefetch", stack.prefetch, config::between(0, 64), "blocks that ZeRO-3 gathers ahead");
    v.optional("backward_prefetch", stack.backward_prefetch,
               "ZeRO-3's backward pass gathers before or after it reduces gradients");
    v.optional("gather_unit", stack.gather_unit, "what one collective of sharded parameters carries");
    v.optional("reshard_after_forward", stack.reshard_after_forward,
               "ZeRO-3 gathers parameters again in the backward pass");
    v.optional("accumulate_whole", stack.accumulate_whole,
               "ZeRO-2 and -3 reduce gradients once per step and keep them unsharded until then");
    v.optional("reduce_whole", stack.reduce_whole,
               "ZeRO-1 all-reduces gradients instead of reducing and scattering them");
    v.optional("merge_input_gradients", stack.merge_input_gradients,
               "an activation's gradients are added before they are reduced");
    v.optional("regather_inputs", stack.regather_inputs,
               "the backward pass gathers again over tp what the forward pass gathered");
    v.optional("collective_copies", stack.collective_copies,
               "gathers and scatters over tp along other dimensions than the first copy their tensor");
    v.optional("recompute", stack.recompute, "activations that the backward pass recomputes");
    v.optional("recompute_layers", stack.recompute_layers, config::between(0, 1e6),
               "layers at the start of each chunk that are recomputed; 0: all");
    v.optional("recompute_unread", stack.recompute_unread,
               "full recomputation includes operations whose results no backward kernel reads");
    v.optional("offload", stack.offload, "what is moved to the host's memory");
    v.optional("offload_layers", stack.offload_layers, config::between(0, 1e6),
               "layers at the start of each chunk whose activations are offloaded; 0: all");
    v.optional("offload_prefetch", stack.offload_prefetch, config::between(1, 16),
               "blocks ahead of use at which offloaded activations are fetched back");
    v.optional("precision", stack.precision, "precision of matrix products");
    v.optional("gradient_precision", stack.gradient_precision,
               "precision of gradients in reduction and accumulation");
    v.optional("master_precision", stack.master_precision,
               "precision of the optimizer's copy of the parameters");
    v.optional("optimizer_precision", stack.optimizer_precision,
               "precision of each of the optimizer's moments");
    v.optional("fused_accumulation", stack.fused_accumulation,
               "training: products add weight gradients to those of earlier microbatches");
    v.optional("fused_optimizer", stack.fused_optimizer,
               "the optimizer's operations run as one kernel; otherwise each passes over memory");
    v.optional("primary_weights", stack.primary_weights, "form in which a device keeps parameters");
    v.optional("gather_casts", stack.gather_casts, "fp8 and fp4 weights are cast before they are gathered");
    v.optional("gather_activation_casts", stack.gather_activation_casts,
               "activations of fp8 and fp4 products are cast before tensor parallelism gathers them");
    v.optional("keep_weight_casts", stack.keep_weight_casts,
               "casts of fp8 and fp4 weights are kept between microbatches");
    v.optional("keep_activation_casts", stack.keep_activation_casts,
               "fp8 and fp4 products keep their cast operand for the backward pass");
    v.optional("narrow_gate_inputs", stack.narrow_gate_inputs,
               "what SwiGLU reads is kept in eight or four bits for the backward pass");
    v.optional("attention", stack.attention, "attention kernel");
    v.optional("attention_rate", stack.attention_rate, config::fraction,
               "rate of the fused attention kernel relative to the device's constants");
    v.optional("attention_ramp", stack.attention_ramp, config::between(0, 65536),
               "causal keys with which it falls to half of this rate, beyond the device's own fall");
    v.optional("attention_forward", stack.attention_forward, config::between(0.5, 3),
               "rate of its forward pass relative to that of both passes");
    v.optional("attention_narrow", stack.attention_narrow, config::between(0.5, 2),
               "rate with heads of 64 relative to what the device's constants say of them");
    v.optional("fp8_attention", stack.fp8_attention,
               "training: attention runs in eight bits if products run in eight or four");
    v.optional("scan_backward", stack.scan_backward, config::between(1, 100),
               "training: work of the backward pass of Mamba-2's scan relative to its forward pass");
    v.optional("narrow_head", stack.narrow_head,
               "training: the head's product runs in eight or four bits if others do");
    v.optional("cp_attention", stack.cp_attention, "how attention works across context-parallel ranks");
    v.optional("balanced_context", stack.balanced_context,
               "context-parallel ranks share causal attention evenly");
    v.optional("weight_bits", stack.weight_bits, config::between(0, 16),
               "inference: bits of a stored weight that products widen, scales included; 0: their precision");
    v.optional("widening_rate", stack.widening_rate, config::share,
               "inference: such weights that a vector lane widens in a cycle; 0: no limit");
    v.optional("all_logits", stack.all_logits, "prefill computes the logits of every position of a prompt");
    v.optional("loss", stack.loss, "cross-entropy kernel");
    v.optional("cast_recipe", stack.cast_recipe,
               "scales of fp8 and fp4 operands: one per tensor, block or row");
    v.optional("delayed_scaling", stack.delayed_scaling,
               "training: maxima of fp8 operands are reduced over a stage after each pass of a chunk");
    v.optional("cuda_graphs", stack.cuda_graphs, "kernel launches cost no host time");
    v.optional("router_graphs", stack.router_graphs,
               "training: launches of the router of experts cost no host time");
    v.optional("attention_graphs", stack.attention_graphs,
               "training: launches before the experts of a layer cost no host time");
    v.optional("compiled", stack.compiled, "element-wise chains run as one kernel");
    v.optional("eager_squared_relu", stack.eager_squared_relu,
               "training: squared ReLU runs operator by operator even if other chains are compiled");
    v.optional("eager_adapters", stack.eager_adapters,
               "adapters run operator by operator whatever compiled says");
    v.optional("adapter_launch_factor", stack.adapter_launch_factor, config::between(0, 100),
               "launch_factor of the products of adapters; 0: that of others");
    v.optional("adapter_all_to_all", stack.adapter_all_to_all,
               "results of adapters go to a split sequence by all-to-all instead of a gather");
    v.optional("launch_factor", stack.launch_factor, config::between(0, 100),
               "kernels that the framework launches per kernel of the model");
    v.optional("backward_launches", stack.backward_launches, config::between(0, 100),
               "host time of a launch in the backward pass, relative to the forward pass");
    v.optional("synchronous_transfers", stack.synchronous_transfers,
               "the host waits for messages between stages");
    v.optional("queues", stack.queues, "which communication operations of a device are serialized");
    v.optional("dispatcher", stack.dispatcher, "how tokens are sent to their experts' devices");
    v.optional("expert_kernels", stack.expert_kernels, config::between(0, 1000),
               "kernels per product of one expert; 0: one grouped kernel per device");
    v.optional("eager_expert_rate", stack.eager_expert_rate, config::share,
               "numbers that a vector lane handles in a cycle in kernels for biases and clamps of experts; "
               "0: fused");
    v.optional("copied_rows", stack.copied_rows,
               "training: experts' rows are copied, sorted, sorted back and summed by a kernel each");
    v.optional("expert_training_rate", stack.expert_training_rate, config::fraction,
               "training: rate of experts' grouped products relative to dense ones");
    v.optional("fused_casts", stack.fused_casts,
               "inference: the kernels that make an operand of a narrow product also cast it");
    v.optional("fused_experts", stack.fused_experts,
               "inference: experts' tokens are sorted, activated and cast by the kernels of their products");
    v.optional("fused_shared_expert", stack.fused_shared_expert,
               "inference: the shared expert runs in the kernels of the others");
    v.optional("expert_rate", stack.expert_rate, config::share,
               "inference: rate of experts' products relative to dense ones");
    v.optional("prompt_expert_rate", stack.prompt_expert_rate, config::share,
               "expert_rate of steps that read prompts; 0: expert_rate");
    v.optional(
        "prompt_dense_rate", stack.prompt_dense_rate, config::fraction,
        "steps that read prompts: rate of other products in eight or four bits relative to the device's");
    v.optional(
        "sparse_heads", stack.sparse_heads, config::between(0, 1024),
        "steps that read prompts: least heads of a kernel that attends to chosen tokens; 0: the device's");
    v.optional(
        "expert_tile", stack.expert_tile, config::between(1, 1024),
        "inference: rows of a tile that each expert reserves and multiplies beyond its tokens; 1: none");
    v.optional("few_expert_rows", stack.few_expert_rows, config::between(0, 1024),
               "inference: mean rows of an expert up to which it reserves no tile in steps that decode; 0: "
               "always");
    v.optional("exposed_tp", stack.exposed_tp, config::share,
               "exposed share of tensor-parallel communication");
    v.optional("exposed_cp", stack.exposed_cp, config::share,
               "exposed share of context-parallel communication");
    v.optional("exposed_ep", stack.exposed_ep, config::share,
               "exposed share of dispatching tokens to experts and back");
    v.optional("pairs_microbatches", stack.pairs_microbatches,
               "it hides beside another microbatch, which the first and last passes do not have");
    v.optional("exposed_dp", stack.exposed_dp, config::share, "exposed share of data-parallel communication");
    v.optional("exposed_pp", stack.exposed_pp, config::share, "exposed share of pipeline transfers");
    for (const auto& [old_name, name] : renamed_shares)
        v.renamed(old_name, name, "the share of communication that is exposed");
    v.optional("keeps_narrow_gradients", stack.keeps_narrow_gradients,
               "training: gradients in compute precision stay beside those in gradient_precision");
    v.optional("flat_update", stack.flat_update,
               "training: the optimizer's step copies a device's gradients into flat tensors");
    v.optional("reduce_bucket", stack.reduce_bucket, config::between(0, 1e11),
               "training: gradients in a buffer for their reduction");
    v.optional("keeps_outputs", stack.keeps_outputs,
               "training: stages keep what they have sent on until the backward pass");
    v.optional("runtime_memory", stack.runtime_memory, config::not_negative,
               "training: memory outside of the framework's allocator: context and kernels");
    v.optional("communicator_memory", stack.communicator_memory, config::not_negative,
               "training: memory of a communicator: one for all devices, one for each degree above 1");
    v.optional("allocator_overhead", stack.allocator_overhead, config::share,
               "memory added by fragmentation, as a share of the peak");
    v.optional("cached_layers", stack.cached_layers, config::between(0, 100),
               "memory reserved by the allocator beyond the peak, in units of one layer's forward pass");
    v.optional("keeps_logits", stack.keeps_logits,
               "training: a microbatch's logits stay in memory until the next one's replace them");
}
DSE_DESCRIBED_ONCE(SoftwareStack);

/// The software stack of a framework at a certain date, from a file of workloads/stacks. Fields set by the
/// workload itself take precedence.
struct NamedStack {
    std::string name;
    std::string source;
    SoftwareStack values;
    ServingEngine engine;  ///< for mode serving
};

template <class Visitor>
void describe(Visitor& v, NamedStack& stack) {
    v.required("name", stack.name, "name for display");
    v.optional("source", stack.source, "where its facts are documented");
    describe(v, stack.values);
    v.optional_section("serving", stack.engine, "serving: the engine that answers requests");
}
DSE_DESCRIBED_ONCE(NamedStack);

/// The stack with all fields that only matter to training reset to their defaults, and with ZeRO off.
/// \param prompts   whether the forward pass reads prompts: expert_rate is that of such passes
SoftwareStack forward_part(SoftwareStack stack, bool prompts);

/// Whether attention of training steps runs in eight bits.
bool attends_in_fp8(const SoftwareStack& stack);

/// \throws ModelError naming the field that is out of range
void require_valid(const SoftwareStack& stack);

}  // namespace dse::graph
