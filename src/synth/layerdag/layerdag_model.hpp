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

/// Layerwise autoregressive discrete diffusion: networks, trained elsewhere, draw each layer given all
/// earlier layers. Conditions and volumes are drawn as in MarkovModel.
/// Source: Li et al., "LayerDAG: a layerwise autoregressive diffusion model for directed acyclic graph
/// generation", arXiv 2411.02322; docs/synthetic.md lists the differences.
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

    nlohmann::json file_;  ///< contents of the file of networks
    Nets nets_;
    std::vector<std::uint16_t> label_;  ///< by label of the networks: label of the family
    GroupSizes groups_;
    Aims aims_;
    Table repeats_;  ///< (previous repeats, label of the layer's first node, position in eighths) and wider
                     ///< contexts
    VolumeTables volumes_;
};

}  // namespace dse::synth
