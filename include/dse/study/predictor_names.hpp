#pragma once

#include <string>
#include <vector>

namespace dse::study {

/// The predictors available for one part of the fidelity.
struct PredictorFamily {
    std::string name;                  ///< for messages: "compute model"
    std::vector<std::string> members;  ///< names of registry rows

    /// \throws InputError naming the nearest member if there is none of this name
    void require(const std::string& member) const;
};

/// The names allowed in a sweep's fidelity, by part. The owner of the predictors provides them.
struct PredictorNames {
    PredictorFamily compute;
    PredictorFamily network;
    PredictorFamily engine;
};

}  // namespace dse::study
