#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "dse/synth/model.hpp"
#include "synth/layerdag/aims.hpp"
#include "synth/layerdag/nets.hpp"
#include "synth/markov/group_sizes.hpp"
#include "synth/markov/volumes.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Layerwise autoregressive discrete diffusion: networks, trained elsewhere, draw each layer given all before
/// it. Conditions and volumes are those of MarkovModel.
/// Source: Li et al., "LayerDAG: a layerwise autoregressive diffusion model for directed acyclic graph
/// generation", arXiv 2411.02322; docs/synthetic.md says what is different.
class LayerdagModel final : public Model {
  public:
    /// \param file  of the networks
    static std::unique_ptr<Model> fit(const Corpus& corpus, const std::string& file);
    static std::unique_ptr<Model> read(const nlohmann::json& json, std::size_t labels);

    [[nodiscard]] SmallGraph sample(const Wish& wish, std::uint64_t seed) const override;
    [[nodiscard]] nlohmann::json to_json() const override;

  private:
    void learn_repeats(const SmallGraph& graph);
    void draw_repeats(SmallGraph& graph, Random& random) const;

    nlohmann::json file_;  ///< of the networks
    Nets nets_;
    std::vector<std::uint16_t> label_;  ///< the family's, of each of the networks'
    GroupSizes groups_;
    Aims aims_;
    Table repeats_;  ///< (repeats before, label of the layer's first node, eighth along) and wider ones
    VolumeTables volumes_;
};

}  // namespace dse::synth
