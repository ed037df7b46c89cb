#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/validation/truth_row.hpp"

namespace dse::eval {

/// What a publication does not put in its table but says (or is known) of how it measured: the software
/// stack, and the machine behind the name of a chip. Facts, never fitted: constants belong to devices and
/// clusters.
struct TruthSource {
    struct Rule {
        /// Texts, with " + " between them, each of which the row's source, model, chip, ZeRO, precision or
        /// notes contain.
        std::string match;
        std::string stack;
    };
    std::string match;             ///< text that the source's name contains
    std::string stack;             ///< file of workloads/stacks
    std::string pipeline_stack{};  ///< of its rows with several pipeline stages; empty: as of others
    std::vector<Rule> stacks;      ///< exceptions, the last that matches wins
    std::map<std::string, std::string> clusters;  ///< by chip: file of hardware/clusters
    /// By name in the table: file of workloads/models, for what hidden sizes and heads do not describe.
    std::map<std::string, std::string> models;
    std::string gated_template{"llama"};  ///< of its models with a gated MLP
    std::int64_t etp{0};                  ///< tensor-parallel degree of its experts; 0: tp
    std::string recompute;                ///< what "per recipe" means, where the row says that
    /// By the beginning of what the row says of recomputation: the tensors that are made again, as in
    /// graph::WorkloadSpec::recompute_tensors.
    std::map<std::string, std::string> recompute_tensors;
    /// By text in the name of a model: the tensors that its recipe makes again, where the row says "per
    /// recipe".
    std::map<std::string, std::string> recipes;
    /// Why rows are not predicted whose model, precision or notes contain a text.
    std::vector<std::pair<std::string, std::string>> excluded;
    std::string schedule;               ///< of rows with one virtual stage
    std::int64_t virtual_stages{1};     ///< where the row does not say
    bool one_microbatch{false};         ///< its pipelines run the whole batch at once
    bool microbatch_a_stage{false};     ///< its pipelines run as many microbatches a step as they have stages
    bool sequence_parallel{false};      ///< where the row does not say
    std::string ends_with_gradients{};  ///< rule of rows whose steps have no optimizer; empty: none
    bool counts_recomputation{false};   ///< its FLOP/s are executed ones
};

/// Reads `sources` of a file of this form.
std::vector<TruthSource> read_truth_sources(const config::Node& node, config::Diagnostics& diagnostics);

/// The first source that a row belongs to, or nullptr.
const TruthSource* find_source(const std::vector<TruthSource>& sources, const TruthRow& row);

/// The stack of a row of the source.
const std::string& stack_of(const TruthSource& source, const TruthRow& row);

/// Whether a row's steps have no optimizer, nor its states.
bool ends_with_gradients(const TruthSource& source, const TruthRow& row);

/// Why the source's `excluded` leaves a row out, or nullptr.
const std::string* exclusion_of(const TruthSource& source, const TruthRow& row);

}  // namespace dse::eval
