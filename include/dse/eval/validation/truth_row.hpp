#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dse::eval {

/// One published measurement with its configuration, as the table has it. Empty text and no value: not
/// stated.
struct TruthRow {
    std::string id;
    std::string source;
    std::string model;
    std::string chip;
    std::optional<double> layers, hidden, ffn, heads, kv_heads, head_dim, vocab, sequence;
    std::string experts;
    std::optional<double> gpus, tp, pp, virtual_stages, dp, cp, ep, global_batch, microbatch;
    std::optional<double> sequence_parallel;
    std::string zero;
    std::string recompute;
    std::string precision;
    std::string metric;
    std::optional<double> value;
    std::string unit;
    std::string notes;
    std::string group;                     ///< configuration family of one source
    std::optional<double> iteration_time;  ///< s, where the table derives it
    std::optional<double> mlp_matrices;    ///< 2: GELU, 3: gated
    double weight{1.0};
    int line{0};

    /// A forward pass over whole prompts, not a training step.
    [[nodiscard]] bool is_prefill() const { return metric == "prefill_latency"; }
};

/// Reads a table of comma-separated values with a header line; columns by name, in any order, others are
/// ignored. Numbers that are none ("MLA", "128/128") count as not stated. \throws InputError when the file
/// cannot be read or lacks a column that rows cannot do without
std::vector<TruthRow> read_truth(const std::string& file);

}  // namespace dse::eval
