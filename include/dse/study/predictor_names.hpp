#pragma once

#include <string>
#include <vector>

namespace dse::study {

/// What a part of the fidelity can be.
struct PredictorFamily {
    std::string name;                  ///< as messages say it: "compute model"
    std::vector<std::string> members;  ///< names of registry rows

    /// \throws InputError naming the nearest member when there is none of this name
    void require(const std::string& member) const;
};

/// The names that a sweep's fidelity may give, by its parts. Who has the predictors hands them in.
struct PredictorNames {
    PredictorFamily compute;
    PredictorFamily network;
    PredictorFamily engine;
};

}  // namespace dse::study
