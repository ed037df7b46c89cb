#pragma once

#include "dse/graph/work.hpp"
#include "dse/hardware/device/systolic_spec.hpp"

namespace dse::model {

/// A systolic array of rows × columns processing elements, each with one multiply-add per cycle.
struct SystolicArray {
    double rows{1};     ///< >= 1, an integer
    double columns{1};  ///< >= 1, an integer
    hardware::Dataflow dataflow{hardware::Dataflow::ws};
};

/// The mapping of one product (m × k)(k × n) to an array: sequential folds of rows × columns elements, each
/// of which streams `stream` vectors through the array. A partial fold at the edge costs as much as a full
/// one.
///
/// Closed form of SCALE-Sim v3's cycle-by-cycle simulation without memory stalls; R = rows, C = columns:
///
///     dataflow   over rows   over columns   streamed   cycles of a fold
///     os         m           n              k          R + C + k − 2
///     ws         k           n              m          2R + C + m − 2     (R to load the weights)
///     is         k           m              n          2R + C + n − 2
///
/// Counts are integers in doubles, exact up to 2^53. \throws nothing
/// Source: Samajdar et al., "A systematic methodology for characterizing scalability of DNN accelerators
/// using SCALE-Sim" (ISPASS 2020); checked against 166 runs of SCALE-Sim v3 (1d62b68a).
class SystolicFolds {
  public:
    /// \param array  its dataflow must not be `best`
    /// \param product  one product; the batch is ignored; m, n, k >= 1, integers
    SystolicFolds(const SystolicArray& array, const graph::GemmShape& product);

    [[nodiscard]] const SystolicArray& array() const { return array_; }
    [[nodiscard]] double row_folds() const { return row_folds_; }
    [[nodiscard]] double column_folds() const { return column_folds_; }
    [[nodiscard]] double folds() const { return row_folds_ * column_folds_; }
    /// Elements of the product along the rows of the array; the last fold has the remainder.
    [[nodiscard]] double over_rows() const { return over_rows_; }
    [[nodiscard]] double over_columns() const { return over_columns_; }
    [[nodiscard]] double streamed() const { return streamed_; }
    [[nodiscard]] double cycles_of_fold() const { return cycles_of_fold_; }
    /// Index of the last cycle in which an output leaves the array. Cycles are numbered from 0, so that it is
    /// one less than the sum over the folds.
    [[nodiscard]] double cycles() const { return folds() * cycles_of_fold_ - 1.0; }

    /// Share of the processing elements that hold a part of the product, averaged over folds.
    [[nodiscard]] double mapping_efficiency() const;
    /// Share of cycles of a fold with multiply-adds, averaged over folds. Like SCALE-Sim, it counts C − 1
    /// cycles more than a fold takes for ws and is.
    [[nodiscard]] double compute_utilization() const;
    /// Multiply-adds as a share of those possible in `cycles`. \param cycles  stalls included
    [[nodiscard]] double overall_utilization(double cycles) const;

    /// Words read from and written to the buffers.
    [[nodiscard]] double ifmap_reads() const;
    [[nodiscard]] double filter_reads() const;
    /// Partial sums are written once per fold. Like SCALE-Sim, it adds R + C per fold for os.
    [[nodiscard]] double ofmap_writes() const;

  private:
    SystolicArray array_;
    graph::GemmShape product_;
    double over_rows_;
    double over_columns_;
    double streamed_;
    double row_folds_;
    double column_folds_;
    double cycles_of_fold_;
};

/// The same for any dataflow; for `best` the one with the fewest cycles (ties: os before ws before is).
SystolicFolds folds_of(const SystolicArray& array, const graph::GemmShape& product);

}  // namespace dse::model
