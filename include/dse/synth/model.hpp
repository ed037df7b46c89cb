#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// What a sample should be like; 0: drawn from the family.
struct Wish {
    std::int64_t devices{0};
    std::int64_t batch{0};
    std::int64_t sequence{0};
};

/// A model learned from a family of graphs.
class Model {
  public:
    virtual ~Model() = default;

    /// Draws a valid graph (is_valid). Equal seeds give equal graphs on every machine.
    [[nodiscard]] virtual SmallGraph sample(const Wish& wish, std::uint64_t seed) const = 0;
    [[nodiscard]] virtual nlohmann::json to_json() const = 0;
};

/// A kind of model: a row of the registry.
struct ModelKind {
    std::string name;
    std::string description;
    /// \pre the corpus is not empty
    /// \param nets  file of networks trained elsewhere; empty if there is none
    /// \throws InputError if the kind needs networks and got none, or the reverse
    std::unique_ptr<Model> (*fit)(const Corpus& corpus, const std::string& nets);
    /// \param labels  number of labels of the family
    /// \throws InputError or an exception of the JSON library if `json` is not such a model
    std::unique_ptr<Model> (*read)(const nlohmann::json& json, std::size_t labels);
};

/// Every kind of model; the first is the default.
const std::vector<ModelKind>& model_kinds();
/// \throws InputError listing the kinds that exist
const ModelKind& model_kind(std::string_view name);

}  // namespace dse::synth
