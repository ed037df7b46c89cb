#pragma once

#include "dse/synth/model.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Numbers of devices of a family's jobs, and how they are divided into groups.
class GroupSizes {
  public:
    void learn(const Conditions& conditions);
    /// Draws what the wish leaves open, the layout given the number of devices. Group sizes divide the number
    /// of devices.
    [[nodiscard]] Conditions draw(const Wish& wish, Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    static GroupSizes from_json(const nlohmann::json& json);

  private:
    Table devices_;   ///< ()
    Table near_;      ///< (octave of the devices), ()
    Table ring_;      ///< (octave of the devices), ()
    Table batch_;     ///< (octave of the devices), ()
    Table sequence_;  ///< (octave of the batch), ()
};

}  // namespace dse::synth
