#include "dse/sim/fold/task_operators.hpp"

#include <array>

#include "apply_columns.hpp"
#include "dse/base/check.hpp"
#include "dse/sim/fold/max_plus.hpp"

namespace dse::sim::fold {

DSE_WIDE_TOO
void apply_tall(const double* columns, std::size_t inputs, std::size_t height, const double* in,
                double* out) {
    std::array<double, 2 * graph::most_values> sum{};
    DSE_EXPECT(height <= sum.size());
    clear(sum.data(), height);
    for (std::size_t j = 0; j < inputs; ++j) raise_shifted(sum.data(), columns + j * height, in[j], height);
    copy(out, sum.data(), height);
}

DSE_WIDE_TOO
void apply(const double* columns, std::size_t inputs, std::size_t outputs, const double* in, double* out) {
    apply_columns(columns, inputs, outputs, in, out);
}

void TaskOperators::reset(const graph::Graph& graph, const ScheduleProgram& program,
                          RegionOperators& regions) {
    const std::size_t variants = program.variants();
    const std::size_t a_chunk = variants_a_chunk(graph.schedule);
    operators_.resize(graph.programs.size() * variants);
    built_.assign(operators_.size(), 0);
    first_of_stage_.clear();
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        const std::uint32_t of = graph.program_of[stage];
        first_of_stage_.push_back(static_cast<std::uint32_t>(of * variants));
        for (std::size_t variant = 0; variant < variants; ++variant) {
            const std::size_t place = of * variants + variant;
            if (built_[place] != 0 || !program.uses(stage, variant)) continue;
            const std::size_t number = variant % a_chunk;
            const graph::RegionId region =
                graph::region_of(graph.programs[of].chunks[variant / a_chunk], number);
            const std::size_t columns = regions.columns_of(region, of);
            const Operator& rows = regions.of(region, of);
            const std::size_t boundaries = number + 1 == graph::regions_a_chunk ? 2 : 1;
            const std::size_t before_saved = graph.streams.size() + boundaries;
            operators_[place] = {static_cast<std::uint16_t>(rows.inputs),
                                 static_cast<std::uint16_t>(rows.outputs),
                                 static_cast<std::uint16_t>(rows.inputs - before_saved),
                                 static_cast<std::uint16_t>(rows.outputs - before_saved),
                                 columns,
                                 regions.streams_of(region, of)};
            built_[place] = 1;
        }
    }
}

}  // namespace dse::sim::fold
