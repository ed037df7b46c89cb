#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/hugging_face/config_file.hpp"

namespace dse::app {

/// A block of a template and how often it stands.
struct ImportedBlock {
    std::string name;
    std::int64_t count{1};
    std::int64_t window{0};  ///< tokens that its attention sees; 0: all
};

/// A model of ours that stands for a published one.
struct ImportedModel {
    std::string name;
    std::string template_name;
    std::vector<std::pair<std::string, std::int64_t>> symbols{};
    std::vector<ImportedBlock> blocks{};
    /// Parameters that the configuration makes, every bias and norm included.
    std::int64_t parameters{0};
    /// What the model has and the template does not, one sentence each.
    std::vector<std::string> left_out{};
};

/// \param name  of the model; it becomes the name of a file
/// \throws InputError for a family that no template stands for, and for sizes that do not fit each other
ImportedModel imported_model(ConfigFile& config, std::string name);

/// Families that can be imported: values of model_type.
std::vector<std::string> importable_types();

/// The model file (workloads/models). \param source  where the numbers come from
std::string model_yaml(const ImportedModel& model, const std::string& source);

}  // namespace dse::app
