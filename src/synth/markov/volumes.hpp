#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/synth/small_graph.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Logarithms of the conditions that volumes depend on: devices, ranks of a near group and of a ring, batch,
/// sequence; in sixteenths of an octave, 0 if unknown.
inline constexpr std::size_t feature_count = 5;
using Features = std::array<std::int32_t, feature_count>;
Features features_of(const Conditions& conditions);

/// Binned sizes of a family's nodes. The first node of a label follows from the conditions of the job and a
/// scale of the whole graph; each further one from the previous node with the same label, and from its
/// parent.
class VolumeTables {
  public:
    static VolumeTables fit(const Corpus& corpus);
    /// \param graph  with known conditions and labels
    void draw(SmallGraph& graph, Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    static VolumeTables from_json(const nlohmann::json& json, std::size_t labels);

  private:
    friend class VolumeFit;

    /// Linear model of the bin of a label's first node, given the features.
    struct Trend {
        std::int64_t mean{0};                              ///< in bins / 1024
        std::array<std::int32_t, feature_count> slopes{};  ///< in bins per octave / 1024
        std::int64_t least{1};                             ///< lowest bin seen for any node with the label
        std::int64_t most{1};
    };
    /// Largest distance of any feature from the range seen, in octaves.
    [[nodiscard]] std::int64_t octaves_beyond(const Features& features) const;
    [[nodiscard]] std::int32_t expected(std::size_t variable, const Features& features) const;

    std::vector<Trend> trends_;  ///< by label and quantity
    Features fewest_{};          ///< minimum of each feature over all graphs
    Features most_{};
    Table scale_;    ///< (): bins by which a whole graph exceeds the prediction of the trends
    Table first_;    ///< (variable): bins in excess of trend and scale, or absent
    Table further_;  ///< (variable, offset of the node's previous quantity or of the previous node, parent's
                     ///< label) and wider contexts
    Table place_;    ///< (variable, bin): position in the bin, in sixteenths
};

}  // namespace dse::synth
