#pragma once

#include <cstdint>

#include "dse/config/choices.hpp"

namespace dse::graph {

// What the fields of a software stack choose from.

/// Activations that the backward pass computes again instead of reading them: none, those that a template or
/// `recompute_tensors` names, or all that a layer computes.
enum class Recompute : std::uint8_t { none, selective, full };
DSE_CHOICES(Recompute, none, selective, full);
/// Whether attention writes its scores to memory, or is one kernel that does not (FlashAttention, Dao et al.
/// 2022, arXiv 2205.14135).
enum class Attention : std::uint8_t { unfused, flash };
DSE_CHOICES(Attention, unfused, flash);
/// How the cross-entropy over the vocabulary is computed.
enum class LossKernel : std::uint8_t {
    unfused,   ///< operator by operator, on logits cast to fp32
    narrow,    ///< operator by operator, on logits in compute precision
    compiled,  ///< generated kernels
    staged,    ///< generated kernels between collectives, which pass on numbers of 32 bits (Megatron-Core)
    fused,     ///< one kernel
    in_place,  ///< operator by operator, on one fp32 copy that each replaces (Megatron-LM)
    shifted,   ///< likewise, but a second copy takes the difference to the row's maximum (the same,
               ///< September 2022 to June 2024: core 0.1 to 0.7)
};
DSE_CHOICES(LossKernel, unfused, narrow, compiled, staged, fused, in_place, shifted);
/// How attention obtains keys and values from the other ranks if the sequence is split over cp.
enum class ContextAttention : std::uint8_t {
    all_gather,  ///< all keys and values are gathered before the kernel runs
    ring,        ///< keys and values circulate while the kernel works on the part that has arrived
    ulysses,     ///< all-to-alls convert between a split of the sequence and a split of the heads
};
DSE_CHOICES(ContextAttention, all_gather, ring, ulysses);
/// When ZeRO-3's backward pass gathers the next block's parameters. Gathers and reductions share one queue.
enum class BackwardPrefetch : std::uint8_t {
    pre,   ///< before this block's gradients are reduced: the gather overlaps this block's kernels
    post,  ///< after it: the gather waits for the reduction, and the next block's kernels wait for both
};
DSE_CHOICES(BackwardPrefetch, pre, post);
/// What one collective of sharded parameters and gradients carries.
enum class GatherUnit : std::uint8_t {
    block,      ///< those of a whole block (DDP's buckets)
    parameter,  ///< one (XLA), for which memory is allocated when one of the block before is freed
    layer,  ///< under ZeRO-3, those of a layer; what lies outside of layers, embedding and head, belongs to
            ///< the model itself: gathered before its forward pass, kept, and reduced behind its backward
            ///< pass (PyTorch's FSDP with layers wrapped: neither has a kernel beside it). As `block` where
            ///< several microbatches are in flight, gathers wait for use, or parameters stay gathered
};
DSE_CHOICES(GatherUnit, block, parameter, layer);
/// What ZeRO-3 copies beside its collectives, whose buffers hold the parts of several parameters rank by
/// rank.
enum class UnitCopies : std::uint8_t {
    none,
    gradients,  ///< autograd joins a unit's gradients in a flat one, which is divided by the number of ranks
                ///< (FSDP1: torch/distributed/fsdp, _flat_param.py, _runtime_utils.py)
    all,  ///< gathered parameters are copied out to their own tensors, gradients into the buffer that is
          ///< reduced (FSDP2: torch/distributed/_composable/fsdp, _fsdp_collectives.py)
};
DSE_CHOICES(UnitCopies, none, gradients, all);
/// Granularity of the scales of eight- and four-bit operands: per tensor, per block (MX formats), or per row.
enum class CastRecipe : std::uint8_t { tensor, block, row };
DSE_CHOICES(CastRecipe, tensor, block, row);

/// How tokens are sent to the devices of the experts that they chose.
enum class Dispatcher : std::uint8_t {
    all_to_all,    ///< one copy for each chosen expert, directly to that expert's device
    deduplicated,  ///< one copy per node, which forwards it to those of its devices that need it (DeepEP's
                   ///< normal mode, HybridEP)
};
DSE_CHOICES(Dispatcher, all_to_all, deduplicated);

/// Which kernels bring rows into the order of experts and back in training.
enum class Permutation : std::uint8_t {
    fused,   ///< one each way
    copied,  ///< a kernel copies each token for each of its experts, others sort the copies by expert and the
             ///< results back, one sums the results, and one the two gradients of a row that gate and up
             ///< leave (MaxText's sparse_matmul: repeat, take, take, einsum)
    indexed,   ///< PyTorch's index_select and scatter_add (Megatron-Core's all-to-all dispatcher without
               ///< --moe-permute-fusion)
    gathered,  ///< PyTorch's gather, gather, scatter, product with the weights, scatter_add, on the rows of
               ///< all parts of the same experts, which are kept, too (Megatron-Core's all-gather dispatcher
               ///< of 2024)
    weighted,  ///< as indexed, but a product of its own weights the rows behind the experts, whose results
               ///< are kept for the gradients of the weights (the same until core 0.12)
    masked,    ///< products with a mask of tokens and places of each sequence bring rows to experts and weigh
               ///< and sum results (MaxText's dense_matmul, whose experts have a capacity in each sequence)
};
DSE_CHOICES(Permutation, fused, copied, indexed, gathered, weighted, masked);

/// Precision in which the gradients of replicas are reduced.
enum class ReductionPrecision : std::uint8_t {
    kept,  ///< that in which they are kept
    fp32,
    bf16,
    fp16,
};
DSE_CHOICES(ReductionPrecision, kept, fp32, bf16, fp16);

/// What is moved to the host's memory until it is needed.
enum class Offload : std::uint8_t {
    none,
    activations,  ///< what layers keep for their backward pass
    optimizer,    ///< the optimizer's states, which the host then updates (Ren et al. 2021, arXiv 2101.06840)
    both,
};
DSE_CHOICES(Offload, none, activations, optimizer, both);
/// Which communication operations of a device are serialized.
enum class Queues : std::uint8_t {
    communicator,  ///< one queue per group of ranks; messages between stages and copies are separate (NCCL)
    one,           ///< a single queue for everything, messages and copies included (ASTRA-sim)
};
DSE_CHOICES(Queues, communicator, one);
/// Form in which a device keeps parameters between steps.
enum class PrimaryWeights : std::uint8_t {
    compute,  ///< in compute precision, beside the optimizer's master copy (Megatron-LM)
    master,   ///< only as master copy, which is cast when it is gathered (PyTorch's FSDP2)
    fp8,      ///< operands of eight-bit products in fp8, beside a master copy (Transformer Engine)
};
DSE_CHOICES(PrimaryWeights, compute, master, fp8);

}  // namespace dse::graph
