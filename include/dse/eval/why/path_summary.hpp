#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/eval/why/played_point.hpp"

namespace dse::eval {

/// Time of the critical path that one operator of the model takes, over all its layers, microbatches and
/// stages.
struct PathRow {
    std::string name;   ///< of the node, or what it is
    std::string where;  ///< region: "decoder_layer backward"
    std::string what;   ///< "gemm", "all_gather tp", "message pp", "barrier"
    double count{0};    ///< in an iteration
    double seconds{0};  ///< of an iteration
};

/// The critical path by operators, longest first. With the barrier, which stands last in it, they sum to the
/// iteration time.
std::vector<PathRow> summarize_path(const PlayedPoint& point, const Explanation& explanation);

/// How often the path goes from one stage to another, in an iteration.
double stage_changes(const PlayedPoint& point);

}  // namespace dse::eval
