#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::model {

/// Greenhouse gases, in CO2 equivalents.
struct Carbon {
    Grams electricity;  ///< NaN if the carbon intensity of the grid is unknown
    /// Share of the production of devices and nodes; 0 if that or the machine's lifetime is unknown.
    Grams making;

    [[nodiscard]] Grams all() const { return electricity + making; }
};

/// Emissions of the whole job: electricity times the grid's intensity, and the emissions of producing the
/// machine times the duration's share of its lifetime.
/// \param energy  energy of the job
Carbon carbon(const hardware::SystemSpec& system, Seconds duration, Joules energy);

}  // namespace dse::model
