#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/json_output.hpp"

namespace dse::app {

/// A model's config.json, of which every field is either asked for, known to decide neither sizes nor work,
/// or unknown.
class ConfigFile {
  public:
    /// \throws InputError for what is no JSON object, or none of a model
    explicit ConfigFile(const std::filesystem::path& path);

    /// "llama": which family's fields it has.
    [[nodiscard]] const std::string& model_type() const { return model_type_; }
    /// Of its first entry under `architectures`; empty where there is none.
    [[nodiscard]] std::string architecture() const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// A size that has to be there. \throws InputError where it is missing or no integer from 1 to 2^53
    std::int64_t size(const std::string& field);
    /// A size that may be absent or null.
    std::int64_t size(const std::string& field, std::int64_t otherwise);
    bool flag(const std::string& field, bool otherwise);
    /// nullptr where it is absent or null. The field counts as known.
    const Json* find(const std::string& field);

    /// Fields that nobody asked for and that are not known to be without effect, ascending.
    [[nodiscard]] std::vector<std::string> unknown() const;

  private:
    std::filesystem::path path_;
    Json json_;  ///< of the text model, where it is one part of several
    std::string model_type_;
    std::set<std::string> asked_;
    std::vector<std::string> outside_;  ///< fields beside that part: other parts
};

/// Whether a file looks like a model's configuration: a JSON object with `model_type` or `architectures`.
bool is_model_config(const std::filesystem::path& path);

}  // namespace dse::app
