#pragma once

#include "dse/synth/model.hpp"
#include "synth/markov/group_sizes.hpp"
#include "synth/markov/outline.hpp"
#include "synth/markov/volumes.hpp"
#include "synth/markov/wiring.hpp"

namespace dse::synth {

/// A Markov chain over layers: the size of a layer, its operators, their parents and their sizes depend on
/// the previous layer. The model consists of counts, so that it is quick to read and to train.
class MarkovModel final : public Model {
  public:
    static std::unique_ptr<Model> fit(const Corpus& corpus);
    static std::unique_ptr<Model> read(const nlohmann::json& json, std::size_t labels);

    [[nodiscard]] SmallGraph sample(const Wish& wish, std::uint64_t seed) const override;
    [[nodiscard]] nlohmann::json to_json() const override;

  private:
    GroupSizes groups_;
    OutlineTables outlines_;
    Wiring wiring_;
    VolumeTables volumes_;
};

}  // namespace dse::synth
