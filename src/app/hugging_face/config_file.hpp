#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/json_output.hpp"

namespace dse::app {

/// A model's config.json. Every field is either requested, known to affect neither sizes nor work, or
/// unknown.
class ConfigFile {
  public:
    /// \throws InputError if the file is not a JSON object, or not the configuration of a model
    explicit ConfigFile(const std::filesystem::path& path);

    /// The family, which determines the fields: "llama".
    [[nodiscard]] const std::string& model_type() const { return model_type_; }
    /// The first entry of `architectures`; empty if there is none.
    [[nodiscard]] std::string architecture() const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// A required size. \throws InputError if it is missing or not an integer from 1 to 2^40
    std::int64_t size(const std::string& field);
    /// A size that may be absent or null, but not 0: `head_dim: 0` does not mean that none is stated.
    std::int64_t size(const std::string& field, std::int64_t otherwise);
    /// A number of things that a model may have none of, or a length for which 0 means that it has none.
    /// \throws InputError if it is stated and not an integer from 0 to 2^40
    std::int64_t count(const std::string& field, std::int64_t otherwise);
    /// Counts a size that was read from within a field with those of the others.
    /// \throws InputError, as the functions above do, if all sizes so far together make more parameters than
    /// can be added up
    void add_size(const std::string& field, std::int64_t number);
    bool flag(const std::string& field, bool otherwise);
    /// nullptr if the field is absent or null. The field counts as known.
    const Json* find(const std::string& field);
    /// Which of the `layers` layers are of a type by `layer_types`; nothing if the field is absent.
    /// \param others  what other layers may be
    /// \throws InputError if it is not a list with one such name per layer
    std::optional<std::vector<bool>> layers_of_type(std::int64_t layers, std::string_view type,
                                                    std::initializer_list<const char*> others);

    /// Sizes that the file leaves to transformers, with the values of its classes: a text model within a
    /// larger one states only what differs from them.
    [[nodiscard]] const std::vector<std::pair<std::string, std::int64_t>>& defaults() const {
        return defaults_;
    }

    /// Fields that were not requested and are not known to be without effect, in ascending order.
    [[nodiscard]] std::vector<std::string> unknown() const;

  private:
    void add_defaults();
    std::int64_t integer(const std::string& field, std::int64_t least, std::int64_t otherwise,
                         const char* what);

    std::filesystem::path path_;
    Json json_;  ///< the text model, if it is one of several parts
    std::string model_type_;
    std::set<std::string> asked_;
    std::map<std::string, std::int64_t> sizes_;  ///< by field: those that were read, defaults among them
    std::vector<std::pair<std::string, std::int64_t>> defaults_;
    std::vector<std::string> outside_;  ///< fields outside of that part: the other parts
};

/// Whether a file looks like a model's configuration: a JSON object with `model_type` or `architectures`.
bool is_model_config(const std::filesystem::path& path);

}  // namespace dse::app
