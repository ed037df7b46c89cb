#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dse/trace/msccl/algorithm.hpp"

namespace dse::trace::msccl {

/// A step of a rank's block.
struct StepRef {
    std::size_t rank;
    std::size_t block;
    std::size_t step;
};

/// What an algorithm does, executed without time: every step once it has what it waits for.
struct AlgorithmRun {
    std::vector<StepRef> order;  ///< of all steps
    bool is_checked{false};      ///< whether it is known what the collective must leave where
    std::int64_t wrong{0};       ///< chunks of outputs that do not hold what the collective leaves there
    std::string example;         ///< of these, one
};

/// Executes an algorithm on names of chunks instead of numbers, and compares the outputs with what its
/// collective (allreduce, allgather, reducescatter, alltoall) leaves there.
/// \throws InputError if a step would wait for ever, or receives another number of chunks than is sent, or
///         messages are left
AlgorithmRun run_algorithm(const Algorithm& algorithm);

}  // namespace dse::trace::msccl
