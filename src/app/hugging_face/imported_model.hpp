#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/hugging_face/config_file.hpp"

namespace dse::app {

/// A block of a template and its number of repetitions.
struct ImportedBlock {
    std::string name;
    std::int64_t count{1};
    std::vector<std::pair<std::string, std::int64_t>> symbols{};  ///< its own: the tokens in a window

    bool operator==(const ImportedBlock&) const = default;
};

/// A model file's content that represents a published model.
struct ImportedModel {
    std::string name;
    std::string template_name;
    std::vector<std::pair<std::string, std::int64_t>> symbols{};
    std::vector<ImportedBlock> blocks{};
    std::int64_t draft_heads{0};     ///< layers that draft tokens in inference
    std::int64_t context{0};         ///< longest sequence [tokens]; 0: a table of positions, or not stated
    bool counted_in_prefill{false};  ///< the template has parameters that only inference uses
    /// Number of parameters according to the configuration, including all biases and norms.
    std::int64_t parameters{0};
    /// Parts of the model that the template lacks, one sentence each.
    std::vector<std::string> left_out{};
};

/// \param name  name of the model, which becomes the name of a file
/// \throws InputError for a family without a template, and for inconsistent sizes
ImportedModel imported_model(ConfigFile& config, std::string name);

/// Families that can be imported: values of model_type.
std::vector<std::string> importable_types();

/// Text of the model file (workloads/models). \param source  source of the numbers
std::string model_yaml(const ImportedModel& model, const std::string& source);

}  // namespace dse::app
