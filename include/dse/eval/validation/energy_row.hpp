#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/eval/validation/serving_facts.hpp"

namespace dse::eval {

/// A measured server that generates with a full batch: what its devices drew together.
struct EnergyRow {
    std::string id;  ///< model, task, devices and batch
    std::string model;
    std::string task;  ///< which prompts
    std::string precision;
    std::string gpu;
    std::int64_t devices{1};
    std::int64_t tp{1};
    std::int64_t dp{1};
    std::int64_t ep{1};
    bool has_experts{false};
    double batch{1.0};                       ///< requests under way, mean
    double output{1.0};                      ///< tokens a request, mean
    std::optional<double> power;             ///< W, of the devices alone
    std::optional<double> joules_per_token;  ///< likewise
    std::optional<double> tokens_per_second;
};

/// Whether the first line of a file names the columns of such a table.
bool is_energy_table(const std::string& file);

/// Reads a table of ML.ENERGY's columns (model, task, weight_precision, gpu, gpus, tp, dp, ep,
/// avg_batch_size, avg_output_tokens, avg_power_w, energy_per_token_j, output_tokens_per_s); others are
/// ignored. \throws InputError when the file cannot be read or lacks one of them
std::vector<EnergyRow> read_energy_rows(const std::string& file);

/// Tokens of a task's prompts, which such tables leave out.
struct TaskFacts {
    std::string name;
    std::int64_t prompt{1};
};

template <class Visitor>
void describe(Visitor& v, TaskFacts& task) {
    v.required("name", task.name, "in the table");
    v.required("prompt", task.prompt, config::at_least(1), "tokens of a prompt, about");
}

/// What a table of measured power does not say. Facts of software; none belongs to a row.
struct EnergyFacts {
    std::vector<NamedFile> models;    ///< workloads/models
    std::vector<NamedFile> clusters;  ///< hardware/clusters
    std::vector<NamedFile> precisions;
    std::vector<TaskFacts> tasks;
    std::string stack{"vllm_2025"};  ///< workloads/stacks
    Seconds host_time;               ///< of a step, beside the devices' time
    Seconds host_time_sequence;      ///< the same, for each sequence under way
    std::int64_t prompts_at_once{1};
};

template <class Visitor>
void describe(Visitor& v, EnergyFacts& facts) {
    v.records("models", facts.models, "files of models");
    v.records("clusters", facts.clusters, "files of clusters");
    v.records("precisions", facts.precisions, "of weights");
    v.records("tasks", facts.tasks, "prompts");
    v.optional("stack", facts.stack, "file of workloads/stacks");
    v.optional("host_time", facts.host_time, config::not_negative, "of a step, beside the devices' time");
    v.optional("host_time_sequence", facts.host_time_sequence, config::not_negative,
               "the same, for each sequence under way");
    v.optional("prompts_at_once", facts.prompts_at_once, config::at_least(1), "that a step reads");
}

EnergyFacts read_energy_facts(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace dse::eval
