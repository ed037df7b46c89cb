#pragma once

#include "dse/graph/work.hpp"
#include "dse/hardware/device/systolic_spec.hpp"

namespace dse::model {

/// A systolic array of rows × columns processing elements, one multiply-add a cycle each.
struct SystolicArray {
    double rows{1};     ///< >= 1, whole
    double columns{1};  ///< >= 1, whole
    hardware::Dataflow dataflow{hardware::Dataflow::ws};
};

/// How one product (m × k)(k × n) is cut to fit an array: folds of rows × columns elements, one after the
/// other, each streaming `stream` vectors through the array. A fold at the edge costs as much as a full one.
///
/// Closed form of what SCALE-Sim v3 simulates cycle by cycle without memory stalls; R = rows, C = columns:
///
///     dataflow   over rows   over columns   streamed   cycles of a fold
///     os         m           n              k          R + C + k − 2
///     ws         k           n              m          2R + C + m − 2     (R to load the weights)
///     is         k           m              n          2R + C + n − 2
///
/// Counts are whole numbers in doubles, exact up to 2^53. \throws nothing
/// Source: Samajdar et al., "A systematic methodology for characterizing scalability of DNN accelerators
/// using SCALE-Sim" (ISPASS 2020); checked against 166 runs of SCALE-Sim v3 (1d62b68a).
class SystolicFolds {
  public:
    /// \param array  with a dataflow other than `best`
    /// \param product  one product, its batch ignored; m, n, k >= 1, whole
    SystolicFolds(const SystolicArray& array, const graph::GemmShape& product);

    [[nodiscard]] const SystolicArray& array() const { return array_; }
    [[nodiscard]] double row_folds() const { return row_folds_; }
    [[nodiscard]] double column_folds() const { return column_folds_; }
    [[nodiscard]] double folds() const { return row_folds_ * column_folds_; }
    /// Elements of the product along the rows of the array; the last fold holds the rest.
    [[nodiscard]] double over_rows() const { return over_rows_; }
    [[nodiscard]] double over_columns() const { return over_columns_; }
    [[nodiscard]] double streamed() const { return streamed_; }
    [[nodiscard]] double cycles_of_fold() const { return cycles_of_fold_; }
    /// From the first cycle to the last one in which an output leaves the array; both are counted from 0, so
    /// that it is one less than the sum of the folds.
    [[nodiscard]] double cycles() const { return folds() * cycles_of_fold_ - 1.0; }

    /// Share of the processing elements that hold a part of the product, averaged over folds.
    [[nodiscard]] double mapping_efficiency() const;
    /// Share of multiply-adds in the cycles of a fold, averaged over folds. SCALE-Sim counts C − 1 cycles
    /// more than a fold takes in ws and is; so does this.
    [[nodiscard]] double compute_utilization() const;
    /// Multiply-adds over those that the array could have done in cycles(). \param cycles  with any stalls
    [[nodiscard]] double overall_utilization(double cycles) const;

    /// Words read from and written to the buffers beside the array.
    [[nodiscard]] double ifmap_reads() const;
    [[nodiscard]] double filter_reads() const;
    /// Partial sums are written once a fold. SCALE-Sim adds R + C a fold for os, the shape of the fold; so
    /// does this.
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

/// The same of whatever dataflow the array has; of `best` the one of fewest cycles (os before ws before is).
SystolicFolds folds_of(const SystolicArray& array, const graph::GemmShape& product);

}  // namespace dse::model
