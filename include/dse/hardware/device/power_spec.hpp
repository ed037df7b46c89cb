#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Electric power of one device; see model/energy.hpp for the two ways it is used. All 0: energy is unknown.
/// Measured values of components are in hardware/energy/components.yaml, on which device files build.
struct PowerSpec {
    Watts tdp;   ///< sustained limit
    Watts idle;  ///< with nothing running and low clocks
    // For the component model, which is off if these are 0.
    JoulesPerFlop per_flop;         ///< 16-bit matrix unit, on top of `active`
    JoulesPerByte per_memory_byte;  ///< device memory traffic
    JoulesPerByte per_link_byte;    ///< bytes sent to other devices
    Watts active;                   ///< base power during a job: high clocks, leakage. 0: idle
    JoulesPerFlop per_flop_8bit;    ///< 0: such that peak rates draw the same power as in 16 bits
    JoulesPerFlop per_flop_4bit;    ///< likewise
    Grams embodied;                 ///< emissions of producing the device in CO2 equivalents. 0: unknown
};

Problems problems_of(const PowerSpec& power);

template <class Visitor>
void describe(Visitor& v, PowerSpec& power) {
    v.optional("tdp", power.tdp, config::not_negative, "sustained power limit");
    v.optional("idle", power.idle, config::not_negative, "power with nothing running");
    v.optional("active", power.active, config::not_negative,
               "base power during a job, without computation and data movement; by default idle");
    v.optional("per_flop", power.per_flop, config::not_negative,
               "energy of one 16-bit operation of the matrix units");
    v.optional("per_flop_8bit", power.per_flop_8bit, config::not_negative,
               "energy of one 8-bit operation of the matrix units");
    v.optional("per_flop_4bit", power.per_flop_4bit, config::not_negative,
               "energy of one 4-bit operation of the matrix units");
    v.optional("per_memory_byte", power.per_memory_byte, config::not_negative,
               "energy of one byte of memory traffic");
    v.optional("per_link_byte", power.per_link_byte, config::not_negative,
               "energy of one byte sent to another device");
    v.optional("embodied", power.embodied, config::not_negative,
               "emissions of producing the device, in CO2 equivalents");
    check_after_reading(v, power);
}

}  // namespace dse::hardware
