#pragma once

#include <cstdint>
#include <filesystem>

#include "app/common_reasons.hpp"
#include "dse/base/error.hpp"

namespace dse::app {

/// Number of rows of a results file whose evaluation failed or ran out of time.
struct FailureCount {
    std::uint64_t failures{0};
    std::uint64_t rows{0};
};

/// Exit code of a run that wrote these rows: `answer_is_no` if all rows are failures, so that scripts notice.
/// Points that do not fit into memory or that a model rejects are not failures.
ExitCode verdict(const FailureCount& count);

/// Message for stderr: how many points failed, the most frequent reason, and how to see the others.
/// \param reasons  reasons of the rows, including those of failures
/// \pre count.failures > 0
std::string failure_report(const FailureCount& count, const CommonReasons& reasons,
                           const std::filesystem::path& file);

}  // namespace dse::app
