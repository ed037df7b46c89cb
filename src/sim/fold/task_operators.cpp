#include "dse/sim/fold/task_operators.hpp"

#include <algorithm>
#include <array>

#include "dse/base/check.hpp"
#include "dse/sim/fold/max_plus.hpp"
#include "quad.hpp"

namespace dse::sim::fold {

namespace {

/// Keeps the sums of all outputs in registers while it goes through the inputs. The outputs are so many quads
/// and, if `and_pair`, a pair.
template <std::size_t quads, bool and_pair>
[[gnu::always_inline]] inline void apply_fixed(const double* columns, std::size_t inputs, const double* in,
                                               double* out) {
    Quad sum[std::max<std::size_t>(quads, 1)];
    for (Quad& quad : sum) quad = Quad{absent, absent, absent, absent};
    Pair last = both(absent);
    for (std::size_t j = 0; j < inputs; ++j) {
        const Quad value{in[j], in[j], in[j], in[j]};
        for (std::size_t i = 0; i < quads; ++i, columns += quad_block) raise_quad(sum[i], columns, value);
        if constexpr (and_pair) {
            last = later(load(columns) + both(in[j]), last);
            columns += row_block;
        }
    }
    for (std::size_t i = 0; i < quads; ++i) store_quad(out + i * quad_block, sum[i]);
    if constexpr (and_pair) store(out + quads * quad_block, last);
}

}  // namespace

DSE_WIDE_TOO
void apply(const double* columns, std::size_t inputs, std::size_t outputs, const double* in, double* out) {
    const std::size_t height = padded(outputs);
    switch (height / row_block) {
        case 1:
            return apply_fixed<0, true>(columns, inputs, in, out);
        case 2:
            return apply_fixed<1, false>(columns, inputs, in, out);
        case 3:
            return apply_fixed<1, true>(columns, inputs, in, out);
        case 4:
            return apply_fixed<2, false>(columns, inputs, in, out);
        case 5:
            return apply_fixed<2, true>(columns, inputs, in, out);
        case 6:
            return apply_fixed<3, false>(columns, inputs, in, out);
        default:
            break;
    }
    std::array<double, 2 * graph::most_values> sum{};
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
