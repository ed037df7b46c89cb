#pragma once

#include "dse/model/compute/systolic/folds.hpp"
#include "dse/model/compute/systolic/layer.hpp"

namespace dse::model {

/// A buffer between the array and the memory, in two halves: the array works on one while the other is filled
/// (or, for outputs, emptied).
struct OperandBuffer {
    double words{1};      ///< of both halves together, >= 2
    double bandwidth{1};  ///< to memory, in words a cycle, > 0; infinite: never a stall

    [[nodiscard]] double half() const;
};

struct SystolicBuffers {
    OperandBuffer ifmap;
    OperandBuffer filter;
    OperandBuffer ofmap;
};

/// What one operand moves between its buffer and the memory.
struct MemoryTraffic {
    double words{0};
    double first_cycle{0};  ///< negative before the array begins
    double last_cycle{0};
};

/// One layer on an array with buffers.
struct BufferedRun {
    double cycles{0};                ///< SystolicFolds::cycles() and the stalls
    double stall_cycles{0};          ///< in which the array waits for its buffers
    double cycles_with_prefetch{0};  ///< from the first word read from memory to the last one written there
    MemoryTraffic ifmap;
    MemoryTraffic filter;
    MemoryTraffic ofmap;
};

/// Plays the folds of a layer against its buffers, in SCALE-Sim's order (row folds inside column folds).
///
/// The rules, the same for every bandwidth:
///  - an operand that fits half its buffer is read once; else each fold reads its tile, unless it is the tile
///    of the fold before and fits;
///  - before cycle 0 the first half is filled. From then on words are read ahead as long as the other half
///  has
///    room, each operand on its own port;
///  - a fold begins when its tile, or what of it fits half the buffer, is there; a longer tile streams beside
///    the fold, which takes no less time than that;
///  - outputs, partial sums included, leave fold by fold; a fold does not end before both halves have room
///  for
///    what it writes.
/// So more bandwidth never takes longer, and infinite bandwidth has no stall. Whole cycles; equal folds in
/// equal state are not played again. Where all operands fit and nothing stalls this gives SCALE-Sim's
/// figures. SCALE-Sim's own event model counts some stalls twice and thrashes on operands just over half a
/// buffer; its stalls are not matched. \param folds  of the layer's product
BufferedRun play_buffers(const SystolicFolds& folds, const SystolicLayer& layer,
                         const SystolicBuffers& buffers);

}  // namespace dse::model
