#pragma once

#include "dse/synth/model.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Devices of a family's jobs, and how they are cut into groups.
class GroupSizes {
  public:
    void learn(const Conditions& conditions);
    /// Groups divide the devices. What the wish leaves open is drawn, the layout given the devices.
    [[nodiscard]] Conditions draw(const Wish& wish, Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    static GroupSizes from_json(const nlohmann::json& json);

  private:
    Table devices_;   ///< ()
    Table near_;      ///< (octave of the devices), ()
    Table ring_;      ///< (octave of the devices), ()
    Table batch_;     ///< (octave of the devices), ()
    Table sequence_;  ///< (), of each batch
};

}  // namespace dse::synth
