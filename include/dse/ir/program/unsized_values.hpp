#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Values of one kind whose size is not stated.
struct UnsizedValues {
    std::uint32_t line{0};  ///< of the first one in the file, from 1
    std::int64_t count{0};  ///< number of such values in all computations
    std::string reason;     ///< a sentence for users: the first one, and what they are counted as
};

/// Values that are counted as nothing or as one element, because their size is not stated: arrays with an
/// unbounded dynamic dimension (`tensor<?x8xf32>`, FX's `f32[s0, 8]`, HLO's `f32[?]`), and results of FX
/// operators that compute or move something but have no annotation. Unused elements of a tuple are not
/// included.
/// \return one entry per kind that occurs; empty if all sizes are known
std::vector<UnsizedValues> unsized_values(const Program& program);

/// Whether the size of an array is not stated: a dimension without size or bound, no rank, or no type at all;
/// for a tuple, of some member.
bool has_open_size(const Program& program, ValueId value);

}  // namespace dse::ir
