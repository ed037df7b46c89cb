#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dse/graph/precision.hpp"

namespace dse::study {

/// What a sweep must know about the models and programs that its points name. Provided by their reader.
struct WorkloadFacts {
    struct Model {
        std::string name;
        bool works_on_sequences{true};  ///< whether samples are sequences
        bool drafts{false};             ///< whether it has heads that draft tokens
        std::int64_t positions{0};      ///< rows of its table of positions; 0: it has none
        std::int64_t context{0};        ///< longest sequence of its published weights; 0: not stated
        bool has_shared_expert{false};  ///< which every token goes through beside those that it chooses
        bool has_experts{false};        ///< among which tokens choose
    };
    struct Program {
        std::string name;
        std::int64_t devices{1};                    ///< number of devices it was compiled for
        std::optional<graph::Precision> precision;  ///< format of most of its products, if it has any
    };
    /// Prompt and answer of the longest request of the traces [tokens]; 0: there is no trace.
    std::int64_t longest_request{0};
    /// The valid ones, in the order in which the sweep names them.
    std::vector<Model> models;
    std::vector<Program> programs;
    /// Digests of the contents of programs and cost tables, by the file name used in the sweep.
    std::vector<std::pair<std::string, std::string>> digests;
};

}  // namespace dse::study
