#include "dse/study/predictor_names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::study {

void PredictorFamily::require(const std::string& member) const {
    if (std::find(members.begin(), members.end(), member) != members.end()) return;
    throw InputError(fmt::format("unknown {} '{}'{}", name, member, suggestion(member, members)));
}

}  // namespace dse::study
