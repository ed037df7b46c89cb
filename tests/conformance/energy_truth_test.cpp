#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "dse/eval/validation/validate_energy.hpp"
#include "support/source_dir.hpp"

/// Measured power and energy of servers. Two coefficients of H100 and two of B200 were fitted to their power
/// at the measured pace (hardware/energy/components.yaml); models left out, its error is 11 %.
namespace dse::conformance {
namespace {

TEST_F(ConformanceData, servers_draw_about_what_their_operations_and_bytes_say) {
    const config::Library library({DSE_SOURCE_DIR});
    config::Diagnostics diagnostics;
    const std::string file = std::string{DSE_SOURCE_DIR} + "/workloads/measured/energy.yaml";
    const auto facts = eval::read_energy_facts(config::load_yaml(file, diagnostics), diagnostics);
    diagnostics.throw_if_any();
    const auto rows = eval::read_energy_rows(path("energy/energy_llm_serving.csv"));
    const auto summaries = eval::summarize(eval::validate_energy(rows, facts, library));
    for (const eval::EnergySummary& s : summaries) {
        fmt::print(
            "  {:<14} {:>3} rows, J/token {:5.1f} % ({:+6.1f} %), power {:5.1f} %, at pace {:5.1f} %\n",
            s.name, s.rows, 100 * s.energy.median, 100 * s.energy.bias, 100 * s.power.median,
            100 * s.power_at_pace.median);
    }
    const eval::EnergySummary& all = summaries.back();
    EXPECT_GE(all.rows, 130U);
    EXPECT_LE(all.energy.median, 0.16);
    EXPECT_LE(std::abs(all.energy.bias), 0.105);
    EXPECT_LE(all.power.median, 0.13);
    EXPECT_LE(all.power_at_pace.median, 0.11);
}

}  // namespace
}  // namespace dse::conformance
