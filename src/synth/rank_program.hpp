#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/synth/small_graph.hpp"
#include "dse/trace/chakra/groups.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::synth {

/// The unfolded program of a rank: nodes of the device in topological order.
struct RankProgram {
    std::vector<Node> nodes;
    std::int64_t near{1};  ///< ranks in its near group
    std::int64_t ring{1};  ///< ranks along which its messages are sent
};

/// \throws InputError naming the trace that has a cycle or names an unknown group
RankProgram program_of(const trace::chakra::RankTrace& trace, std::int64_t rank,
                       const trace::chakra::Groups& groups, Vocabulary& labels);

/// The operator named in a node's name: "forward.3/layer[1]/gemm.4" is a "gemm".
std::string operator_in(std::string_view node_name);

}  // namespace dse::synth
