#pragma once

#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/eval/why/shadow_price.hpp"
#include "dse/results/table.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Shadow prices at one row.
struct PricedRow {
    std::size_t row{0};
    std::vector<eval::ShadowPrice> prices;
};

/// Shadow prices at the first rows, each of which is evaluated again with slightly larger and smaller
/// parameters of its machine.
/// \param sweep    sweep of the rows
/// \param most     largest number of rows
/// \param metrics  metrics to price; those that the sweep defines itself are skipped
std::vector<PricedRow> price_rows(const study::Sweep& sweep, const results::Table& rows, std::size_t most,
                                  const std::vector<std::string>& metrics);

std::string price_text(const results::Table& rows, const std::vector<PricedRow>& priced);
Json price_json(const results::Table& rows, const std::vector<PricedRow>& priced);

}  // namespace dse::app
