#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Makes exchanges between devices inside library calls explicit, as all-to-alls after the call: a custom
/// call states what it reads and writes, but not the devices that it communicates with.
///
/// `pfft3d` (jaxDecomp over cuDecomp) transforms an array that is partitioned along some of its dimensions,
/// along each dimension in turn: for every partitioned dimension, the devices that together hold it exchange
/// the array. The partitioning is taken from the first value of the entry whose sharding states it; without
/// one the call is left unchanged.
/// Source: Romero et al., "Distributed-memory simulations of turbulent flows on modern GPU systems using an
/// adaptive pencil decomposition library" (PASC 2022), section 3
Program with_library_exchanges(Program program);

}  // namespace dse::ir
