#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/synth/small_graph.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Logarithms that volumes depend on: of devices, ranks of a near group and of a ring, batch, sequence; in
/// sixteenths of an octave, 0 where one is not known.
inline constexpr std::size_t feature_count = 5;
using Features = std::array<std::int32_t, feature_count>;
Features features_of(const Conditions& conditions);

/// Sizes of a family's nodes, by bins: a label's first node follows the conditions of its job and the scale
/// of the whole graph; each further one the last of the same label, and its parent.
class VolumeTables {
  public:
    static VolumeTables fit(const Corpus& corpus);
    /// \param graph  whose conditions and labels are known
    void draw(SmallGraph& graph, Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    static VolumeTables from_json(const nlohmann::json& json, std::size_t labels);

  private:
    friend class VolumeFit;

    /// Bins that the first node of a label has, given the features.
    struct Trend {
        std::int64_t mean{0};                              ///< bins / 1024
        std::array<std::int32_t, feature_count> slopes{};  ///< bins an octave / 1024
        std::int64_t least{1};                             ///< bin that any node of the label was seen with
        std::int64_t most{1};
    };
    /// Octaves that features lie outside of those that were seen, the farthest of them.
    [[nodiscard]] std::int64_t octaves_beyond(const Features& features) const;
    [[nodiscard]] std::int32_t expected(std::size_t variable, const Features& features) const;

    std::vector<Trend> trends_;  ///< by label and quantity
    Features fewest_{};          ///< of each feature, over all graphs
    Features most_{};
    Table scale_;    ///< (): bins that a whole graph is larger than its conditions say
    Table first_;    ///< (variable): bins beyond that, or absent
    Table further_;  ///< (variable, offset of the node's quantity before, or of the last node; label above)
    Table place_;    ///< (variable, bin): sixteenth of the bin
};

}  // namespace dse::synth
