#pragma once

#include <cstdint>
#include <filesystem>

#include "app/common_reasons.hpp"
#include "dse/base/error.hpp"

namespace dse::app {

/// How many rows of a results file say no more than that their evaluation broke or ran out of time.
struct FailureCount {
    std::uint64_t failures{0};
    std::uint64_t rows{0};
};

/// What a run that wrote them ends with: `answer_is_no` where not one point has an answer, so that a script
/// notices. One that does not fit, or that a model refuses, has one.
ExitCode verdict(const FailureCount& count);

/// What stands on stderr then: how many failed, the commonest reason, and how to see the others.
/// \param reasons  of the rows; those of failures among them
/// \pre count.failures > 0
std::string failure_report(const FailureCount& count, const CommonReasons& reasons,
                           const std::filesystem::path& file);

}  // namespace dse::app
