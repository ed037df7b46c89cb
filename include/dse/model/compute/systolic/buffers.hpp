#pragma once

#include "dse/model/compute/systolic/folds.hpp"
#include "dse/model/compute/systolic/layer.hpp"

namespace dse::model {

/// A double buffer between the array and memory: the array works on one half while the other is filled (or,
/// for outputs, drained).
struct OperandBuffer {
    double words{1};      ///< of both halves together, >= 2
    double bandwidth{1};  ///< to memory, in words per cycle, > 0; infinite: no stalls

    [[nodiscard]] double half() const;
};

struct SystolicBuffers {
    OperandBuffer ifmap;
    OperandBuffer filter;
    OperandBuffer ofmap;
};

/// Traffic of one operand between its buffer and memory.
struct MemoryTraffic {
    double words{0};
    double first_cycle{0};  ///< negative before the array starts
    double last_cycle{0};
};

/// One layer on an array with buffers.
struct BufferedRun {
    double cycles{0};                ///< SystolicFolds::cycles() plus stalls
    double stall_cycles{0};          ///< cycles in which the array waits for its buffers
    double cycles_with_prefetch{0};  ///< from the first word read from memory to the last word written to it
    MemoryTraffic ifmap;
    MemoryTraffic filter;
    MemoryTraffic ofmap;
};

/// Simulates the folds of a layer with its buffers, in SCALE-Sim's order (row folds inside column folds).
///
/// Rules, the same for every bandwidth:
///  - an operand that fits into half its buffer is read once; otherwise each fold reads its tile, unless it
///  is
///    the tile of the previous fold and fits;
///  - before cycle 0 the first half is filled. From then on words are read ahead as long as the other half
///  has
///    room, each operand on its own port;
///  - a fold starts when its tile, or the part that fits into half the buffer, has arrived; a longer tile
///  streams
///    in during the fold, which then takes at least that long;
///  - outputs, partial sums included, are written fold by fold; a fold does not end before both halves have
///  room
///    for its output.
/// More bandwidth therefore never takes longer, and infinite bandwidth causes no stalls. Cycles are integers;
/// equal folds in equal states are simulated once. If all operands fit and nothing stalls, the results equal
/// SCALE-Sim's. SCALE-Sim's own event model counts some stalls twice and thrashes on operands slightly above
/// half a buffer; its stalls are not reproduced. \param folds  folds of the layer's product
BufferedRun play_buffers(const SystolicFolds& folds, const SystolicLayer& layer,
                         const SystolicBuffers& buffers);

}  // namespace dse::model
