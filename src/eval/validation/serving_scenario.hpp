#pragma once

#include "dse/config/library.hpp"
#include "dse/eval/validation/serving_facts.hpp"
#include "dse/eval/validation/serving_row.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// What a row measured, as a point of mode serving.
/// \throws ModelError saying why it is none
study::Scenario serving_scenario(const ServingRow& row, const ServingFacts& facts,
                                 const config::Library& library);

}  // namespace dse::eval
