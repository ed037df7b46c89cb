#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Electric power of one device; see model/energy.hpp for the two ways it is used. All 0: energy is unknown.
struct PowerSpec {
    Watts tdp;   ///< sustained limit
    Watts idle;  ///< with nothing running
    // Of the component model; 0: the component model does not apply.
    JoulesPerFlop per_flop;         ///< 16-bit matrix unit, on top of idle
    JoulesPerByte per_memory_byte;  ///< device memory traffic
    JoulesPerByte per_link_byte;    ///< bytes sent to other devices
};

Problems problems_of(const PowerSpec& power);

template <class Visitor>
void describe(Visitor& v, PowerSpec& power) {
    v.optional("tdp", power.tdp, config::not_negative, "sustained power limit");
    v.optional("idle", power.idle, config::not_negative, "power with nothing running");
    v.optional("per_flop", power.per_flop, config::not_negative,
               "energy of one operation of the matrix units");
    v.optional("per_memory_byte", power.per_memory_byte, config::not_negative,
               "energy of one byte of memory traffic");
    v.optional("per_link_byte", power.per_link_byte, config::not_negative,
               "energy of one byte sent to another device");
    check_after_reading(v, power);
}

}  // namespace dse::hardware
