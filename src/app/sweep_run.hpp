#pragma once

#include <cstdint>
#include <functional>

#include "app/fill_parts.hpp"
#include "app/progress_display.hpp"
#include "dse/base/error.hpp"
#include "dse/explore/campaign.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// How a run says at its end what it found.
enum class SummaryStyle : std::uint8_t { text, json };

/// How a sweep is run.
struct RunOptions {
    explore::RunOptions campaign;  ///< its `progress` is shown in the style below
    ProgressStyle progress{ProgressStyle::automatic};
    SummaryStyle summary{SummaryStyle::text};
    /// Beside all rows of a sweep whose objectives are parts.
    PartsOf parts{PartsOf::front};
};

/// How the ranks of a job end.
struct RunEnd {
    ExitCode code{ExitCode::ok};
    int lost{0};  ///< ranks that are gone: MPI must then not be left in order
};

/// Runs a sweep, from opening the output to the summary on stdout. To be called by all ranks of a channel;
/// rank 0 says what there is to say. \param load  is called once \throws InputError, Stopped (in rank 0)
RunEnd run_sweep(dist::Channel& channel, const std::function<study::Sweep()>& load,
                 const RunOptions& options);

}  // namespace dse::app
