#include "dse/sim/engine.hpp"

#include <algorithm>

namespace dse::sim {

void to_seconds(Result& result, double unit) {
    if (unit == 1.0) return;
    result.iteration_time *= unit;
    const auto scale = [unit](Parts& parts) {
        Parts scaled;
        scaled.add(parts, unit);
        parts = scaled;
    };
    if (result.parts) {
        scale(result.parts->busy);
        scale(result.parts->bubble);
    }
    std::for_each(result.stages.begin(), result.stages.end(), scale);
}

}  // namespace dse::sim
