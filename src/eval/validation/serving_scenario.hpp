#pragma once

#include "dse/config/library.hpp"
#include "dse/eval/validation/serving_facts.hpp"
#include "dse/eval/validation/serving_row.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The scenario of mode serving for a measured row.
/// \throws ModelError with the reason if the row is not covered
study::Scenario serving_scenario(const ServingRow& row, const ServingFacts& facts,
                                 const config::Library& library);

}  // namespace dse::eval
