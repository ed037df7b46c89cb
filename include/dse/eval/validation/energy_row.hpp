#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/eval/validation/serving_facts.hpp"

namespace dse::eval {

/// Measured power of all devices of a server that generates tokens with a full batch.
struct EnergyRow {
    std::string id;         ///< model, task, devices and batch
    std::string model;      ///< as the table calls it, like `gpu`
    std::string task;       ///< name of the set of prompts
    std::string precision;  ///< of the weights
    std::string gpu;
    std::int64_t devices{1};  ///< of the server
    // As the table states them: of a server that distributes experts over its devices, only ep is not 1.
    std::int64_t tp{1};
    std::int64_t dp{1};
    std::int64_t ep{1};
    bool has_experts{false};
    double batch{1.0};                        ///< mean number of running requests
    double output{1.0};                       ///< mean number of output tokens per request
    std::optional<double> power;              ///< W, of the devices alone
    std::optional<double> joules_per_token;   ///< of the devices alone
    std::optional<double> tokens_per_second;  ///< output tokens of all devices
};

/// Whether the header line of a file is that of such a table. \throws InputError if it cannot be read
bool is_energy_table(const std::string& file);

/// Reads a table with ML.ENERGY's columns (model, task, weight_precision, gpu, gpus, tp, dp, ep,
/// avg_batch_size, avg_output_tokens, avg_power_w, energy_per_token_j, output_tokens_per_s); other columns
/// are ignored.
/// \throws InputError if the file cannot be read or lacks a required column
std::vector<EnergyRow> read_energy_rows(const std::string& file);

/// Prompt length of a task, which such tables do not contain.
struct TaskFacts {
    std::string name;
    std::int64_t prompt{1};
};

template <class Visitor>
void describe(Visitor& v, TaskFacts& task) {
    v.required("name", task.name, "name in the table");
    v.required("prompt", task.prompt, config::at_least(1), "approximate number of tokens of a prompt");
}

/// Facts that a table of measured power does not contain. They describe software; none belongs to a single
/// row.
struct EnergyFacts {
    std::vector<NamedFile> models;      ///< files of workloads/models
    std::vector<NamedFile> clusters;    ///< files of hardware/clusters
    std::vector<NamedFile> precisions;  ///< precisions of weights
    std::vector<TaskFacts> tasks;
    std::string stack{"vllm_2025"};   ///< file of workloads/stacks
    Seconds host_time;                ///< host time per step, in addition to the devices' time
    Seconds host_time_sequence;       ///< additional host time per step and running sequence
    std::int64_t prompts_at_once{1};  ///< number of prompts that a step processes
};

template <class Visitor>
void describe(Visitor& v, EnergyFacts& facts) {
    v.records("models", facts.models, "files of models");
    v.records("clusters", facts.clusters, "files of clusters");
    v.records("precisions", facts.precisions, "precisions of weights");
    v.records("tasks", facts.tasks, "prompt lengths of tasks");
    v.optional("stack", facts.stack, "file of workloads/stacks");
    v.optional("host_time", facts.host_time, config::not_negative,
               "host time per step, in addition to the devices' time");
    v.optional("host_time_sequence", facts.host_time_sequence, config::not_negative,
               "additional host time per step and running sequence");
    v.optional("prompts_at_once", facts.prompts_at_once, config::at_least(1),
               "number of prompts that a step processes");
}

/// Reads a file such as workloads/measured/energy.yaml. \param diagnostics  gets all errors, with their place
EnergyFacts read_energy_facts(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace dse::eval
