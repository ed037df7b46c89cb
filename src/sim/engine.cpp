#include "dse/sim/engine.hpp"

namespace dse::sim {

void to_seconds(Result& result, double unit) {
    if (unit == 1.0) return;
    result.iteration_time *= unit;
    Parts parts;
    parts.add(result.parts, unit);
    result.parts = parts;
}

}  // namespace dse::sim
