#include "dse/hardware/systolic_spec.hpp"

#include <array>

namespace dse::hardware {

std::span<const std::string_view> choice_names(Dataflow) {
    static constexpr std::array<std::string_view, 4> names{"os", "ws", "is", "best"};
    return names;
}

Problems problems_of(const SystolicSpec& systolic) {
    Problems problems;
    problems.not_negative("rows", static_cast<double>(systolic.rows), "processing elements; 0: no array");
    problems.not_negative("columns", static_cast<double>(systolic.columns), "processing elements");
    problems.expect((systolic.rows > 0) == (systolic.columns > 0), "columns",
                    "rows and columns go together (an array has both, no array neither)");
    problems.not_negative("latency", systolic.latency, "a time");
    problems.not_negative("staged", systolic.staged, "an amount of data");
    problems.not_negative("staging_bandwidth", systolic.staging_bandwidth, "a bandwidth");
    problems.expect(systolic.staged == Bytes{} || systolic.staging_bandwidth > BytesPerSecond{},
                    "staging_bandwidth", "missing (what is staged moves at some rate)");
    return problems;
}

}  // namespace dse::hardware
