#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/graph/adapter.hpp"

namespace dse::eval {

/// How a publication measured, as far as its table does not say so: the software stack, and the machine that
/// the name of a chip stands for. These are documented or known facts, never fitted; constants belong to
/// devices and clusters.
struct TruthSource {
    struct Rule {
        /// Texts separated by " + ", each of which must occur in the row's source, model, chip, ZeRO,
        /// precision or notes.
        std::string match;
        std::string stack;
    };
    /// Degrees that a publication misprints or leaves out, as the recipe that it ran has them.
    struct Correction {
        std::string match;                       ///< as in Rule
        std::optional<double> tp{};              ///< nothing: as the row says
        std::optional<double> pp{};              ///< likewise
        std::optional<double> virtual_stages{};  ///< likewise
        std::optional<double> ep{};              ///< likewise
        std::optional<double> microbatch{};      ///< likewise
        std::optional<double> end_layers{};      ///< nothing: as the source says
        std::string recompute{};                 ///< empty: likewise
        std::string stage_layers{};              ///< empty: equal shares, but for end_layers
        graph::RankOrder rank_order{};           ///< the default: as the row says
        double capacity_factor{0.0};             ///< rows per expert over the mean; 0: dropless
        graph::Imbalance imbalance{};            ///< of the router, if it is not balanced
        std::int64_t loss_tiles{0};              ///< 0: as the stack says
        std::int64_t bf16_last_layers{0};        ///< 0: as the stack says
    };
    /// Adapters of the rows that fine-tune by them.
    struct AdapterRule {
        std::string match;  ///< as in Rule
        graph::Adapter adapter;
    };
    std::string match;             ///< text that the name of the source contains
    std::string stack;             ///< file of workloads/stacks
    std::string pipeline_stack{};  ///< stack of rows with several pipeline stages; empty: as for others
    std::vector<Rule> stacks;      ///< exceptions; the last match applies
    std::vector<Correction> corrections{};  ///< each that matches applies
    std::vector<AdapterRule> adapters{};    ///< the last match applies; none: all parameters are trained
    std::map<std::string, std::string> clusters;  ///< by chip: file of hardware/clusters
    /// By name in the table: file of workloads/models, for models that the table's sizes do not describe.
    std::map<std::string, std::string> models;
    std::string gated_template{"llama"};  ///< template of its models with a gated MLP
    std::string plain_template{"gpt"};    ///< template of those with a plain one
    std::int64_t etp{0};                  ///< tensor-parallel degree of its experts; 0: tp
    std::string recompute;                ///< meaning of "per recipe" in the recomputation column
    /// By prefix of the recomputation column: the recomputed tensors, as in
    /// graph::WorkloadSpec::recompute_tensors.
    std::map<std::string, std::string> recompute_tensors;
    /// By text in the name of a model: the tensors that its recipe recomputes if the row says "per recipe".
    std::map<std::string, std::string> recipes;
    /// Pairs of a text and a reason: rows whose model, precision or notes contain the text are not predicted.
    std::vector<std::pair<std::string, std::string>> excluded;
    /// Likewise, rows that are predicted, and count apart (Comparison::set_aside).
    std::vector<std::pair<std::string, std::string>> set_aside{};
    /// Entries of the embedding, for tables that do not state them and software that does not pad them: each
    /// of tp devices has the whole part of its share. 0: as the row says, padded to a multiple of tp.
    std::int64_t vocabulary{0};
    std::string schedule;            ///< schedule of rows with one virtual stage
    std::int64_t virtual_stages{1};  ///< if the row does not state them
    /// Layers that the embedding and the head each count as when layers are assigned to pipeline stages.
    std::int64_t end_layers{0};
    bool one_microbatch{false};         ///< each replica processes its whole batch as one microbatch
    bool microbatch_a_stage{false};     ///< its pipelines run as many microbatches per step as stages
    bool sequence_parallel{false};      ///< if the row does not state it
    std::string ends_with_gradients{};  ///< match for rows whose steps have no optimizer; empty: none
    bool counts_recomputation{false};   ///< whether its FLOP/s include recomputation
};

/// Reads `sources` from a file.
std::vector<TruthSource> read_truth_sources(const config::Node& node, config::Diagnostics& diagnostics);

/// Reports stacks, clusters and models that the sources name and the library does not have.
void require_files(const config::Node& node, const config::Library& library,
                   config::Diagnostics& diagnostics);

/// The first source that matches a row, or nullptr.
const TruthSource* find_source(const std::vector<TruthSource>& sources, const TruthRow& row);

/// The stack that applies to a row of the source.
const std::string& stack_of(const TruthSource& source, const TruthRow& row);

/// The adapters that apply to a row of the source.
graph::Adapter adapter_of(const TruthSource& source, const TruthRow& row);

/// The row with the source's corrections.
TruthRow corrected(TruthRow row, const TruthSource& source);

/// Whether a row's steps have no optimizer and no optimizer states.
bool ends_with_gradients(const TruthSource& source, const TruthRow& row);

/// The reason for which the source's `excluded` leaves a row out, or nullptr.
const std::string* exclusion_of(const TruthSource& source, const TruthRow& row);

/// The reason for which the source's `set_aside` lets a row count apart, or nullptr.
const std::string* set_aside_of(const TruthSource& source, const TruthRow& row);

}  // namespace dse::eval
