#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// What a sample is asked to be; 0: as the family has it.
struct Wish {
    std::int64_t devices{0};
    std::int64_t batch{0};
    std::int64_t sequence{0};
};

/// What was learned of a family of graphs.
class Model {
  public:
    virtual ~Model() = default;

    /// A graph that is_valid; equal seeds, equal graphs, on every machine.
    [[nodiscard]] virtual SmallGraph sample(const Wish& wish, std::uint64_t seed) const = 0;
    [[nodiscard]] virtual nlohmann::json to_json() const = 0;
};

/// A kind of model: a registry row.
struct ModelKind {
    std::string name;
    std::string description;
    /// \pre the corpus has a graph
    /// \param nets  file of networks that were trained elsewhere; empty for none
    /// \throws InputError where the kind needs networks, or has none
    std::unique_ptr<Model> (*fit)(const Corpus& corpus, const std::string& nets);
    /// \param labels  of the family \throws InputError, or the JSON library's exceptions, where it is none
    std::unique_ptr<Model> (*read)(const nlohmann::json& json, std::size_t labels);
};

/// Every kind of model; the first is the default.
const std::vector<ModelKind>& model_kinds();
/// \throws InputError naming those that there are
const ModelKind& model_kind(std::string_view name);

}  // namespace dse::synth
