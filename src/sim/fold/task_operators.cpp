#include "dse/sim/fold/task_operators.hpp"

#include <array>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

namespace {

/// Keeps the sums of all outputs in registers while it goes through the inputs.
template <std::size_t pairs>
void apply_fixed(const double* columns, std::size_t inputs, const double* in, double* out) {
    Pair sum[pairs];
    for (Pair& pair : sum) pair = both(absent);
    for (std::size_t j = 0; j < inputs; ++j, columns += pairs * row_block) {
        const Pair value = both(in[j]);
        for (std::size_t i = 0; i < pairs; ++i) sum[i] = later(load(columns + i * row_block) + value, sum[i]);
    }
    for (std::size_t i = 0; i < pairs; ++i) store(out + i * row_block, sum[i]);
}

}  // namespace

void apply(const double* columns, std::size_t inputs, std::size_t outputs, const double* in, double* out) {
    const std::size_t height = padded(outputs);
    switch (height / row_block) {
        case 1:
            return apply_fixed<1>(columns, inputs, in, out);
        case 2:
            return apply_fixed<2>(columns, inputs, in, out);
        case 3:
            return apply_fixed<3>(columns, inputs, in, out);
        case 4:
            return apply_fixed<4>(columns, inputs, in, out);
        case 5:
            return apply_fixed<5>(columns, inputs, in, out);
        case 6:
            return apply_fixed<6>(columns, inputs, in, out);
        default:
            break;
    }
    std::array<double, 2 * graph::most_values> sum;
    DSE_EXPECT(height <= sum.size());
    clear(sum.data(), height);
    for (std::size_t j = 0; j < inputs; ++j) raise_shifted(sum.data(), columns + j * height, in[j], height);
    copy(out, sum.data(), height);
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
                                 static_cast<std::uint16_t>(rows.outputs - before_saved), columns};
            built_[place] = 1;
        }
    }
}

}  // namespace dse::sim::fold
