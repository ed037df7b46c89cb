#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Electric power of one device; see model/energy.hpp for the two ways it is used. All 0: energy is unknown.
/// What is measured of a component stands in hardware/energy/components.yaml, which devices build upon.
struct PowerSpec {
    Watts tdp;   ///< sustained limit
    Watts idle;  ///< with nothing running, clocks low
    // Of the component model; 0: the component model does not apply.
    JoulesPerFlop per_flop;         ///< 16-bit matrix unit, on top of `active`
    JoulesPerByte per_memory_byte;  ///< device memory traffic
    JoulesPerByte per_link_byte;    ///< bytes sent to other devices
    Watts active;                   ///< during a job, whatever it does: clocks up, leakage. 0: idle
    JoulesPerFlop per_flop_8bit;    ///< 0: as peak rates say, at the power of 16 bits
    JoulesPerFlop per_flop_4bit;    ///< likewise
    Grams embodied;                 ///< CO2 equivalents of making the device. 0: unknown
};

Problems problems_of(const PowerSpec& power);

template <class Visitor>
void describe(Visitor& v, PowerSpec& power) {
    v.optional("tdp", power.tdp, config::not_negative, "sustained power limit");
    v.optional("idle", power.idle, config::not_negative, "power with nothing running");
    v.optional("active", power.active, config::not_negative,
               "power during a job before it computes or moves anything; default: idle");
    v.optional("per_flop", power.per_flop, config::not_negative,
               "energy of one operation of the matrix units in 16 bits");
    v.optional("per_flop_8bit", power.per_flop_8bit, config::not_negative, "the same in 8 bits");
    v.optional("per_flop_4bit", power.per_flop_4bit, config::not_negative, "the same in 4 bits");
    v.optional("per_memory_byte", power.per_memory_byte, config::not_negative,
               "energy of one byte of memory traffic");
    v.optional("per_link_byte", power.per_link_byte, config::not_negative,
               "energy of one byte sent to another device");
    v.optional("embodied", power.embodied, config::not_negative,
               "greenhouse gases of making the device, in CO2 equivalents");
    check_after_reading(v, power);
}

}  // namespace dse::hardware
