#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Values of which the text does not say how large they are, all of one kind.
struct UnsizedValues {
    std::uint32_t line{0};  ///< of the first one, in the file, from 1
    std::int64_t count{0};  ///< how many there are, of every computation
    std::string reason;     ///< a sentence for people: which one is the first, and what they count as
};

/// What is counted as nothing, or as one element, because a size is not in the text: arrays with a dimension
/// that only a run decides and no bound limits (`tensor<?x8xf32>`, FX's `f32[s0, 8]`, HLO's `f32[?]`), and
/// FX's operators that compute or move something and have no annotation. Parts of a tuple that nobody asks
/// for are not among them. \return one entry a kind that there is; empty: all sizes are known
std::vector<UnsizedValues> unsized_values(const Program& program);

/// Whether the text does not say how large an array is: a dimension without size or bound, no rank, or no
/// type at all; of a tuple, some member.
bool has_open_size(const Program& program, ValueId value);

}  // namespace dse::ir
