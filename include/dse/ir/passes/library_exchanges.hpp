#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Writes out the exchanges between devices that a library makes inside a call, as all-to-alls behind it: a
/// custom call says what it reads and writes, but not whom it speaks with.
///
/// `pfft3d` (jaxDecomp over cuDecomp) transforms an array that lies cut along some of its dimensions, along
/// each in turn: for every cut dimension all devices that share what lies along it exchange the array. The
/// cuts are those of the first of the entry's values whose sharding says how it lies; without one the call
/// stays as it is.
/// Source: Romero et al., "Distributed-memory simulations of turbulent flows on modern GPU systems using an
/// adaptive pencil decomposition library" (PASC 2022), section 3
Program with_library_exchanges(Program program);

}  // namespace dse::ir
