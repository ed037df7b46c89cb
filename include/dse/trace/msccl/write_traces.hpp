#pragma once

#include <cstdint>
#include <string>

#include "dse/base/output_file.hpp"
#include "dse/trace/msccl/algorithm.hpp"
#include "dse/trace/msccl/run_algorithm.hpp"

namespace dse::trace::msccl {

/// When a step begins behind one of its block that sends.
enum class SendEnd : std::uint8_t {
    departure,  ///< at once: messages queue at the ports of a device
    arrival,    ///< when the message has arrived, as in the traces of ASTRA-sim's own converter
};

/// Bytes of a chunk of a collective, rounded up.
/// \param bytes  of the whole vector, > 0
std::int64_t chunk_bytes(const Algorithm& algorithm, std::int64_t bytes);

/// Writes PREFIX.0.et, PREFIX.1.et, …: what each rank sends, receives and computes, as Chakra traces that
/// ASTRA-sim and netsim::read_schedule read as a collective.
/// \param run  of this algorithm
/// \param bytes  of the whole vector, > 0
/// \return nodes written
/// \throws InputError if a file cannot be written, or a rank has nothing to do
std::uint64_t write_traces(const Algorithm& algorithm, const AlgorithmRun& run, std::int64_t bytes,
                           SendEnd send_end, const std::string& prefix, Existing existing);

}  // namespace dse::trace::msccl
