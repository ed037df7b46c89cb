#include "dse/hardware/device/systolic_spec.hpp"

namespace dse::hardware {

Problems problems_of(const SystolicSpec& systolic) {
    Problems problems = out_of_range(systolic);
    problems.expect((systolic.rows > 0) == (systolic.columns > 0), "columns",
                    "rows and columns go together (an array has both, no array neither)");
    problems.expect(systolic.staged == Bytes{} || systolic.staging_bandwidth > BytesPerSecond{},
                    "staging_bandwidth", "missing (what is staged moves at some rate)");
    return problems;
}

}  // namespace dse::hardware
