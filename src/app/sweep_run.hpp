#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/progress_display.hpp"
#include "dse/base/error.hpp"
#include "dse/base/log.hpp"
#include "dse/dist/farm.hpp"
#include "dse/results/sweep_output.hpp"
#include "dse/space/sampler.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// How a run says at its end what it found.
enum class SummaryStyle : std::uint8_t { text, json };

/// How a sweep is run.
struct RunOptions {
    std::filesystem::path output;
    results::Start start{results::Start::resume};
    std::optional<std::uint64_t> limit;  ///< points to evaluate at most this time
    ProgressStyle progress{ProgressStyle::automatic};
    SummaryStyle summary{SummaryStyle::text};
    dist::FarmOptions farm;
};

/// How the ranks of a job end.
struct RunEnd {
    ExitCode code{ExitCode::ok};
    int lost{0};  ///< ranks that are gone: MPI must then not be left in order
};

/// A sweep that every rank has read for itself, with the points it looks at.
struct LoadedSweep {
    study::Sweep sweep;
    std::unique_ptr<space::Sampler> sampler;
};

/// Rank 0: everything from opening the output to the summary on stdout. Whatever goes wrong, the other ranks
/// have been sent home. \param loaded  is called once
/// \throws InputError, Stopped
RunEnd lead(dist::Channel& channel, const std::function<LoadedSweep()>& loaded, const RunOptions& options,
            const Logger& log);

/// Any other rank. What is wrong with the sweep here goes to rank 0, and only if rank 0 finds nothing wrong
/// with it.
RunEnd follow(dist::Channel& channel, const std::function<LoadedSweep()>& loaded, const RunOptions& options);

/// \throws InputError when the space is so large that no run could end
LoadedSweep with_sampler(study::Sweep sweep, const std::optional<std::uint64_t>& limit);

}  // namespace dse::app
