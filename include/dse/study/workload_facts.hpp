#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dse/graph/precision.hpp"

namespace dse::study {

/// What a sweep must know of the models and programs that its points name. Who reads them hands it in.
struct WorkloadFacts {
    struct Model {
        std::string name;
        bool works_on_sequences{true};  ///< whether a sample is one
    };
    struct Program {
        std::string name;
        std::int64_t devices{1};                    ///< that it is for
        std::optional<graph::Precision> precision;  ///< the format of most of its products, if it has some
    };
    /// Those that are right, in the order in which the sweep names them.
    std::vector<Model> models;
    std::vector<Program> programs;
    /// Of every program's and table of foreign costs' content, by the sweep's name of the file.
    std::vector<std::pair<std::string, std::string>> digests;
};

}  // namespace dse::study
