#pragma once

#include <cstddef>
#include <string>

#include "dse/base/units.hpp"
#include "dse/sim/memory_peak.hpp"

namespace dse::eval {

/// How a scenario does not fit its devices. A value and no exception: in a sweep it is what most points are.
struct Shortage {
    Bytes need;      ///< of the fullest device, with what the allocator adds
    Bytes capacity;  ///< of the device
    std::size_t stage{0};
    sim::BytesByKind by_kind{};  ///< of `need`, without what the allocator adds
};

/// Writes "needs 103.2 GiB of 80.0 GiB on stage 0, most of it activations (71.0 GiB)" into `text`, whose
/// memory is reused.
void write_reason(const Shortage& shortage, std::string& text);

}  // namespace dse::eval
