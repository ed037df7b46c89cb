#include "app/questions/best_rows.hpp"

#include <cmath>
#include <iterator>
#include <limits>

#include "dse/base/check.hpp"

namespace dse::app {

BestRows::BestRows(const results::Table& columns, std::vector<metrics::Objective> objectives,
                   std::size_t most)
    : objectives_{std::move(objectives)}, most_{most}, rows_{results::without_rows(columns)} {
    DSE_EXPECT(most_ >= 1 && !objectives_.empty());
}

void BestRows::add(const results::Table& block) {
    const metrics::CostTable costs = results::costs(block, objectives_);
    for (std::size_t i = 0; i < block.rows(); ++i) {
        const std::span<const double> row = costs[i];
        if (std::isnan(row.front())) {
            if (block.status[i] == space::Status::ok) ++valueless_;
            continue;
        }
        ++answered_;
        if (order_.size() == most_ && row.front() > order_.rbegin()->first.front()) continue;
        std::vector<double> key{row.begin(), row.end()};
        for (double& cost : key) {  // NaN cannot be ordered
            if (std::isnan(cost)) cost = std::numeric_limits<double>::infinity();
        }
        order_.emplace(std::move(key), rows_.rows());
        rows_.append(block, i);
        if (order_.size() > most_) order_.erase(std::prev(order_.end()));
        if (rows_.rows() > 2 * most_ + 64) compact();
    }
}

void BestRows::compact() {
    results::Table kept = results::without_rows(rows_);
    std::set<Key> order;
    for (const Key& key : order_) {
        order.emplace(key.first, kept.rows());
        kept.append(rows_, key.second);
    }
    rows_ = std::move(kept);
    order_ = std::move(order);
}

results::Table BestRows::sorted() const {
    results::Table table = results::without_rows(rows_);
    for (const Key& key : order_) table.append(rows_, key.second);
    return table;
}

}  // namespace dse::app
