#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::model {

/// Greenhouse gases, in CO2 equivalents.
struct Carbon {
    Grams electricity;  ///< NaN where the grid's intensity is not stated
    /// Share of making devices and nodes; 0 where it or the machine's lifetime is not stated.
    Grams making;

    [[nodiscard]] Grams all() const { return electricity + making; }
};

/// Of so much time of the whole job: electricity by the grid's intensity, and of what making the machine
/// emitted the share of its lifetime that the time is. \param energy  of the job
Carbon carbon(const hardware::SystemSpec& system, Seconds duration, Joules energy);

}  // namespace dse::model
