#include "dse/model/compute/systolic/folds.hpp"

#include <cmath>

#include "dse/base/check.hpp"

namespace dse::model {

using hardware::Dataflow;

SystolicFolds::SystolicFolds(const SystolicArray& array, const graph::GemmShape& product)
    : array_{array}, product_{product} {
    DSE_EXPECT(array.rows >= 1.0 && array.columns >= 1.0 && array.dataflow != Dataflow::best);
    DSE_EXPECT(product.m >= 1.0 && product.n >= 1.0 && product.k >= 1.0);
    const bool keeps_sums = array.dataflow == Dataflow::os;
    over_rows_ = keeps_sums ? product.m : product.k;
    over_columns_ = array.dataflow == Dataflow::is ? product.m : product.n;
    streamed_ = keeps_sums ? product.k : array.dataflow == Dataflow::ws ? product.m : product.n;
    row_folds_ = std::ceil(over_rows_ / array.rows);
    column_folds_ = std::ceil(over_columns_ / array.columns);
    const double preload = keeps_sums ? 0.0 : array.rows;
    cycles_of_fold_ = preload + array.rows + array.columns + streamed_ - 2.0;
}

double SystolicFolds::mapping_efficiency() const {
    return over_rows_ * over_columns_ / (folds() * array_.rows * array_.columns);
}

double SystolicFolds::compute_utilization() const {
    const double counted =
        array_.dataflow == Dataflow::os ? cycles_of_fold_ : cycles_of_fold_ + array_.columns - 1.0;
    return mapping_efficiency() * streamed_ / counted;
}

double SystolicFolds::overall_utilization(double cycles) const {
    return product_.m * product_.n * product_.k / (cycles * array_.rows * array_.columns);
}

double SystolicFolds::ifmap_reads() const {
    const double once = product_.m * product_.k;
    return array_.dataflow == Dataflow::is ? once : once * column_folds_;
}

double SystolicFolds::filter_reads() const {
    const double once = product_.k * product_.n;
    switch (array_.dataflow) {
        case Dataflow::os:
            return once * row_folds_;
        case Dataflow::is:
            return once * column_folds_;
        default:
            return once;
    }
}

double SystolicFolds::ofmap_writes() const {
    const double once = product_.m * product_.n;
    return array_.dataflow == Dataflow::os ? once + folds() * (array_.rows + array_.columns)
                                           : once * row_folds_;
}

SystolicFolds folds_of(const SystolicArray& array, const graph::GemmShape& product) {
    if (array.dataflow != Dataflow::best) return {array, product};
    SystolicFolds best{{array.rows, array.columns, Dataflow::os}, product};
    for (const Dataflow dataflow : {Dataflow::ws, Dataflow::is}) {
        const SystolicFolds other{{array.rows, array.columns, dataflow}, product};
        if (other.cycles() < best.cycles()) best = other;
    }
    return best;
}

}  // namespace dse::model
