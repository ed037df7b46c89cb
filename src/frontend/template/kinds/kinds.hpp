#pragma once

#include <utility>
#include <vector>

#include "dse/frontend/template/operator_kind.hpp"

/// The operator kinds, one function each; registry.cpp assigns their names.
/// An upper-case letter is split like its lower-case counterpart but has a different extent (a fused QKV
/// projection and the result of attention, both split by heads).
namespace dse::frontend::kinds {

/// A pass over memory, without a matrix product.
/// \param eager_kernels  number of device kernels if it is not compiled
inline Piece kernel(graph::OpClass op_class, std::vector<Use> reads, std::vector<Use> writes,
                    double eager_kernels) {
    Piece piece;
    piece.op_class = op_class;
    piece.reads = std::move(reads);
    piece.writes = std::move(writes);
    piece.eager_kernels = eager_kernels;
    return piece;
}

/// A matrix product whose FLOPs are all model FLOPs.
/// \param factor  share of 2 · batch · m · n · k that is computed
inline Piece product(GemmFactors gemm, double factor, std::vector<Use> reads, Use writes) {
    Piece piece = kernel(graph::OpClass::gemm, std::move(reads), {writes}, 1);
    piece.gemm = std::move(gemm);
    piece.model_factor = factor;
    piece.executed_factor = factor;
    return piece;
}

/// One of attention's products, or all of them in one kernel, whose unit is one of them.
/// \param model, executed  shares of 2 · batch · m · n · k that the model asks for and that are computed
inline Piece attention_kernel(graph::OpClass op_class, GemmFactors gemm, double model, double executed,
                              std::vector<Use> reads, std::vector<Use> writes) {
    Piece piece;
    piece.op_class = op_class;
    piece.gemm = std::move(gemm);
    piece.model_factor = model;
    piece.executed_factor = executed;
    piece.reads = std::move(reads);
    piece.writes = std::move(writes);
    return piece;
}

/// Reads of all operands.
inline std::vector<Use> operands_of(const Operation& operation) {
    std::vector<Use> uses;
    for (const Operation::Operand& operand : operation.operands) uses.push_back({operand.tensor});
    return uses;
}

/// Writes of the gradients of all operands.
inline std::vector<Use> gradients_of(const Operation& operation) {
    std::vector<Use> uses = operands_of(operation);
    for (Use& use : uses) use.gradient = true;
    return uses;
}

void einsum(OperationBuilder& builder);
void dropped_einsum(OperationBuilder& builder);
void convolution(OperationBuilder& builder);
void max_pool(OperationBuilder& builder);
void mean_pool(OperationBuilder& builder);
void add(OperationBuilder& builder);
void scaled_add(OperationBuilder& builder);
void bias(OperationBuilder& builder);
void dropout(OperationBuilder& builder);
void adapter_dropout(OperationBuilder& builder);
void dropout_add(OperationBuilder& builder);
void gelu(OperationBuilder& builder);
void squared_relu(OperationBuilder& builder);
void relu(OperationBuilder& builder);
void swiglu(OperationBuilder& builder);
void rotary(OperationBuilder& builder);
void copy(OperationBuilder& builder);
void redistribute(OperationBuilder& builder);
void rms_norm(OperationBuilder& builder);
void layer_norm(OperationBuilder& builder);
void batch_norm(OperationBuilder& builder);
void softmax(OperationBuilder& builder);
void attention(OperationBuilder& builder);
void attention_scores(OperationBuilder& builder);
void attention_values(OperationBuilder& builder);
void prepend(OperationBuilder& builder);
void first_token(OperationBuilder& builder);
void gather_tokens(OperationBuilder& builder);
void embedding(OperationBuilder& builder);
void row_statistic(OperationBuilder& builder);
void cross_entropy(OperationBuilder& builder);
void split(OperationBuilder& builder);
void causal_convolution(OperationBuilder& builder);
void selective_scan(OperationBuilder& builder);
void delta_scan(OperationBuilder& builder);
void gated_norm(OperationBuilder& builder);
void embedding_bag(OperationBuilder& builder);
void interaction(OperationBuilder& builder);
void join_features(OperationBuilder& builder);
void cross(OperationBuilder& builder);
void joined_norm(OperationBuilder& builder);
void head_norm(OperationBuilder& builder);
void latent_keys(OperationBuilder& builder);
void latent_attention(OperationBuilder& builder);
void latent_cache(OperationBuilder& builder);
void latent_query(OperationBuilder& builder);
void latent_cached_attention(OperationBuilder& builder);
void latent_values(OperationBuilder& builder);
void token_index(OperationBuilder& builder);
void compress_tokens(OperationBuilder& builder);
void compressed_attention(OperationBuilder& builder);
void repeat_streams(OperationBuilder& builder);
void gather_streams(OperationBuilder& builder);
void spread_streams(OperationBuilder& builder);
void top_k(OperationBuilder& builder);
void dispatch(OperationBuilder& builder);
void dispatch_weights(OperationBuilder& builder);
void combine(OperationBuilder& builder);
void weighted_swiglu(OperationBuilder& builder);
void weighted_squared_relu(OperationBuilder& builder);

}  // namespace dse::frontend::kinds
