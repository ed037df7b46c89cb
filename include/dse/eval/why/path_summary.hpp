#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/eval/why/played_point.hpp"

namespace dse::eval {

/// Time that one operator of the model has on the critical path, summed over layers, microbatches and stages.
struct PathRow {
    std::string name;   ///< name of the node, or its description if it has none
    std::string where;  ///< region: "decoder_layer backward"
    std::string what;   ///< "gemm", "all_gather tp", "message pp", "barrier"
    double count{0};    ///< per iteration
    double seconds{0};  ///< per iteration
};

/// The critical path by operator, longest first. Including the barrier at the end of the path, the rows sum
/// to the iteration time.
std::vector<PathRow> summarize_path(const PlayedPoint& point, const Explanation& explanation);

/// How often the critical path moves from one stage to another, per iteration.
double stage_changes(const PlayedPoint& point);

}  // namespace dse::eval
