#pragma once

#include "app/sweep_options.hpp"
#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// A run as it is, and all layouts that it may have instead.
struct RunLayouts {
    study::Sweep own;
    study::Sweep all;
};

/// Reads a run and its layouts: those of the file's axes, or usual ones for a file without any.
/// \throws InputError if it has no layouts of steps, or only one
RunLayouts load_run_layouts(const SweepOptions& options);

/// The same point in the space of all layouts, matched by names of axes and values as text. An axis that the
/// file of the run does not have is a usual one, whose first value is that of the run.
/// \param point  of layouts.own
/// \throws InputError if it is not among them
space::Point own_point(const RunLayouts& layouts, const space::Point& point);

}  // namespace dse::app
