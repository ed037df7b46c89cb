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

/// Of the first rows, each evaluated again with the numbers of its machine a little larger and smaller.
/// \param sweep    that the rows are of
/// \param metrics  that are priced; those of the sweep's own are left out
std::vector<PricedRow> price_rows(const study::Sweep& sweep, const results::Table& rows, std::size_t most,
                                  const std::vector<std::string>& metrics);

std::string price_text(const results::Table& rows, const std::vector<PricedRow>& priced);
Json price_json(const results::Table& rows, const std::vector<PricedRow>& priced);

}  // namespace dse::app
