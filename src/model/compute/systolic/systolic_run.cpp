#include "dse/model/compute/systolic/systolic_run.hpp"

#include <algorithm>
#include <cmath>

namespace dse::model {
namespace {

using hardware::Dataflow;

/// Words that SCALE-Sim's bandwidth estimate reads before cycle 0: a whole number of hundredths of a buffer,
/// at most half of it.
double estimated_prefetch(double words, const OperandBuffer& buffer) {
    constexpr double words_per_cycle = 10.0;
    constexpr double sets_of_half = 50.0;
    const double set = std::floor(buffer.words / 100.0);
    const double sets = std::min(sets_of_half, std::ceil(words / set));
    return std::ceil(sets * set / words_per_cycle);
}

/// The same buffers, with outputs written at one word per cycle and column.
SystolicBuffers with_estimate(SystolicBuffers buffers, const SystolicArray& array) {
    buffers.ofmap.bandwidth = array.columns;
    return buffers;
}

BufferedRun estimate(const SystolicFolds& folds, const SystolicLayer& layer, const SystolicBuffers& buffers) {
    BufferedRun run = play_buffers(folds, layer, with_estimate(buffers, folds.array()));
    run.ifmap.first_cycle = -estimated_prefetch(layer.ifmap_words(), buffers.ifmap);
    run.filter.first_cycle = -estimated_prefetch(layer.filter_words(), buffers.filter);
    run.cycles_with_prefetch = run.ofmap.last_cycle - std::min(run.ifmap.first_cycle, run.filter.first_cycle);
    return run;
}

/// Cycles of requests at the array's edge. A requested word arrives one cycle later; the vectors of adjacent
/// rows and columns are one cycle apart.
class Ports {
  public:
    Ports(const SystolicFolds& folds, double stall_cycles)
        : folds_{folds}, last_fold_{(folds.folds() - 1.0) * folds.cycles_of_fold() + stall_cycles} {}

    /// The operand that is loaded into the array and stays there, bottom row first.
    [[nodiscard]] PortCycles stationary() const {
        return {rows() - rows_of_first() + 1.0, last_fold_ + rows()};
    }
    /// The operand that streams in over the rows, after the stationary operand if there is one.
    [[nodiscard]] PortCycles over_rows() const { return streaming(preload(), rows_of_last()); }
    [[nodiscard]] PortCycles over_columns() const { return streaming(preload(), columns_of_last()); }
    /// Stationary sums leave bottom row first, others as they are completed.
    [[nodiscard]] PortCycles sums() const {
        const double stream = folds_.streamed();
        if (preload() == 0.0)
            return {stream - 1.0 + rows() - rows_of_first(),
                    last_fold_ + stream - 1.0 + rows() - 1.0 + columns_of_last() - 1.0};
        const double begin = 2.0 * rows() - 1.0;
        return {begin, last_fold_ + begin + stream - 1.0 + columns_of_last() - 1.0};
    }

  private:
    [[nodiscard]] PortCycles streaming(double begin, double width) const {
        return {begin + 1.0, last_fold_ + begin + folds_.streamed() - 1.0 + width - 1.0 + 1.0};
    }
    [[nodiscard]] double rows() const { return folds_.array().rows; }
    [[nodiscard]] double preload() const { return folds_.array().dataflow == Dataflow::os ? 0.0 : rows(); }
    [[nodiscard]] double rows_of_first() const { return std::min(rows(), folds_.over_rows()); }
    [[nodiscard]] double rows_of_last() const {
        return folds_.over_rows() - (folds_.row_folds() - 1.0) * rows();
    }
    [[nodiscard]] double columns_of_last() const {
        return folds_.over_columns() - (folds_.column_folds() - 1.0) * folds_.array().columns;
    }

    const SystolicFolds& folds_;
    double last_fold_;
};

}  // namespace

SystolicLayerRun run_layer(const ScaleSimArchitecture& architecture, const SystolicLayer& layer) {
    const SystolicFolds folds{architecture.array, layer.product()};
    const BufferedRun memory = architecture.interface == InterfaceBandwidth::calc
                                   ? estimate(folds, layer, architecture.buffers)
                                   : play_buffers(folds, layer, architecture.buffers);
    const Ports ports{folds, memory.stall_cycles};
    switch (architecture.array.dataflow) {
        case Dataflow::os:
            return {layer.name, folds, memory, ports.over_rows(), ports.over_columns(), ports.sums()};
        case Dataflow::is:
            return {layer.name, folds, memory, ports.stationary(), ports.over_rows(), ports.sums()};
        default:
            return {layer.name, folds, memory, ports.over_rows(), ports.stationary(), ports.sums()};
    }
}

}  // namespace dse::model
