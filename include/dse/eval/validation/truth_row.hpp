#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/graph/rank_order.hpp"
#include "dse/graph/routing.hpp"

namespace dse::eval {

/// A published measurement with its configuration, as in the table. Empty strings and empty optionals: not
/// stated.
struct TruthRow {
    std::string id;      ///< of this row alone
    std::string source;  ///< publication; TruthSource::match finds what is known of its software
    std::string model;   ///< as the source calls it, like `chip`
    std::string chip;
    /// Sizes of the model; needed if no file describes it. `sequence` is in tokens, also of prompts.
    std::optional<double> layers, hidden, ffn, heads, kv_heads, head_dim, vocab, sequence;
    std::string experts;  ///< not empty for mixtures of experts: "128", or "256+1" with a shared one
    /// Devices (chips, not cores), degrees of parallelism, and sequences of a step and of a microbatch.
    std::optional<double> gpus, tp, pp, virtual_stages, dp, cp, ep, global_batch, microbatch;
    std::optional<double> sequence_parallel;  ///< 0: off
    std::optional<double> end_layers{};       ///< as in TruthSource, where a correction states it
    std::string stage_layers{};               ///< likewise
    graph::RankOrder rank_order{};            ///< likewise; no column states it
    double capacity_factor{0.0};              ///< likewise; 0: dropless
    graph::Imbalance imbalance{};             ///< likewise
    std::int64_t loss_tiles{0};               ///< likewise; 0: as the stack says
    std::int64_t bf16_last_layers{0};         ///< likewise; 0: as the stack says
    std::string zero;                         ///< as sharding_named() reads it: "1", "fsdp2"
    std::string recompute;                    ///< "none", "full, 20 layers", a policy of the source
    std::string precision;                    ///< of products: "bf16 (fp32 master)"
    std::string metric;                       ///< "iteration_time", "tokens_per_s", "mfu", "peak_memory", …
    std::optional<double> value;              ///< of the metric, in `unit`
    std::string unit;                         ///< empty: that which the metric's name says
    std::string notes;                        ///< free text; MaxText's state the slices of a pod
    std::string group;                        ///< configuration family of one source
    std::optional<double> iteration_time;     ///< s, where the table derives it
    std::optional<double> mlp_matrices;       ///< 2: GELU, 3: gated
    /// What the row's configuration counts: less than 1 where the row is doubtful, or one of a large family
    /// of similar ones. Repeats of a configuration share it (shared_weights()), so that each row states it
    /// whole.
    double weight{1.0};
    std::string misstated;  ///< why the row cannot be predicted: "gpus: '-8' is not a whole number above 0"
    int number{0};          ///< of the row, from 1

    /// Whether the row measures a forward pass over whole prompts instead of a training step.
    [[nodiscard]] bool is_prefill() const { return metric == "prefill_latency"; }
};

/// Reads a CSV table with a header line. Columns are found by name, in any order and case; other columns are
/// ignored. Numeric fields that are not numbers ("MLA", "128/128") count as not stated; degrees of
/// parallelism, values and other numbers that are none are `misstated`.
/// \throws InputError if the file cannot be read, is not separated by commas, lacks a required column or any
///         row, or has rows with the same id, more fields than the header, numbers that are not finite, or a
///         weight that is none
std::vector<TruthRow> read_truth(const std::string& file);

}  // namespace dse::eval
