#pragma once

#include <cstdint>
#include <functional>

#include "app/fill_parts.hpp"
#include "app/progress_display.hpp"
#include "dse/base/error.hpp"
#include "dse/explore/campaign.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Format of the summary at the end of a run.
enum class SummaryStyle : std::uint8_t { text, json };

/// Options for running a sweep.
struct RunOptions {
    explore::RunOptions campaign;  ///< its `progress` is displayed in the style below
    ProgressStyle progress{ProgressStyle::automatic};
    SummaryStyle summary{SummaryStyle::text};
    /// All rows get parts anyway if objectives, metrics or conditions of the sweep use them.
    PartsOf parts{PartsOf::front};
};

/// How a job ends.
struct RunEnd {
    ExitCode code{ExitCode::ok};
    int lost{0};  ///< number of lost ranks; if there are any, MPI must not be finalized
};

/// Runs a sweep, from opening the output to the summary on stdout. Must be called by all ranks of a channel;
/// rank 0 prints.
/// \param load  called once
/// \throws InputError, Stopped (on rank 0)
RunEnd run_sweep(dist::Channel& channel, const std::function<study::Sweep()>& load,
                 const RunOptions& options);

}  // namespace dse::app
