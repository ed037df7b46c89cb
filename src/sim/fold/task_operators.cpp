#include "dse/sim/fold/task_operators.hpp"

namespace dse::sim::fold {

namespace {

/// The sums of `height` outputs stay in registers while the inputs pass by.
template <std::size_t height>
void apply_fixed(const double* columns, std::size_t inputs, const double* in, double* out) {
    double sum[height];
    for (std::size_t i = 0; i < height; ++i) sum[i] = absent;
    for (std::size_t j = 0; j < inputs; ++j, columns += height) {
        const double value = in[j];
        for (std::size_t i = 0; i < height; ++i) sum[i] = later(columns[i] + value, sum[i]);
    }
    for (std::size_t i = 0; i < height; ++i) out[i] = sum[i];
}

}  // namespace

void apply(const double* columns, std::size_t inputs, std::size_t outputs, const double* in, double* out) {
    const std::size_t height = padded(outputs);
    switch (height) {
        case 4:
            return apply_fixed<4>(columns, inputs, in, out);
        case 8:
            return apply_fixed<8>(columns, inputs, in, out);
        case 12:
            return apply_fixed<12>(columns, inputs, in, out);
        default:
            break;
    }
    clear(out, height);
    for (std::size_t j = 0; j < inputs; ++j) raise_shifted(out, columns + j * height, in[j], height);
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
