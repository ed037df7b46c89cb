#include "dse/sim/fold/task_operators.hpp"

#include <array>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

namespace {

/// The sums of `height` outputs stay in registers while the inputs pass by.
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
    std::array<double, 2 * workload::most_values> sum;
    DSE_EXPECT(height <= sum.size());
    clear(sum.data(), height);
    for (std::size_t j = 0; j < inputs; ++j) raise_shifted(sum.data(), columns + j * height, in[j], height);
    copy(out, sum.data(), height);
}

void TaskOperators::reset(const workload::Graph& graph, RegionOperators& regions) {
    graph_ = &graph;
    regions_ = &regions;
    chunks_ = graph.schedule.chunks;
    operators_.assign(graph.programs.size() * chunks_ * variants, TaskOperator{});
}

void TaskOperators::build(std::uint32_t program, const workload::Task& task, TaskOperator& result) {
    const workload::RegionId region = workload::region_of(graph_->programs[program], task, graph_->schedule);
    result.columns = regions_->columns_of(region, program);
    const Operator& rows = regions_->of(region, program);
    result.inputs = static_cast<std::uint16_t>(rows.inputs);
    result.outputs = static_cast<std::uint16_t>(rows.outputs);
    result.built = true;
}

}  // namespace dse::sim::fold
