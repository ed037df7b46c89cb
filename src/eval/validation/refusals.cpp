#include "dse/eval/validation/validate.hpp"

namespace dse::eval {

RefusalSummary refusals(const std::vector<Comparison>& comparisons) {
    RefusalSummary summary;
    for (const Comparison& comparison : comparisons) {
        // Of the memory rows, only measured peaks belong to runs.
        const bool is_run = !comparison.is_memory() || comparison.row.metric.starts_with("peak_memory") ||
                            comparison.row.metric == "device_memory";
        if (!comparison.is_compared() || !is_run || !(comparison.row.weight > 0.0)) continue;
        if (comparison.ran()) {
            ++summary.ran;
            if (!comparison.fits()) summary.ran_refused.push_back(comparison.row.id);
        } else {
            ++summary.out_of_memory;
            if (comparison.fits()) summary.out_of_memory_accepted.push_back(comparison.row.id);
        }
    }
    return summary;
}

}  // namespace dse::eval
