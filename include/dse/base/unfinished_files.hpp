#pragma once

#include <string>

namespace dse {

/// Has a file removed if SIGINT, SIGTERM or SIGHUP ends the process before keep_on_signal(): the beginning of
/// a file may pass for a whole one. Signals that are ignored, or that have a handler, are left as they are:
/// commands that stop at them clean up on their way out.
/// \param path  not a device; of more than 64 files at a time, the further ones stay where they are
void remove_on_signal(const std::string& path);

/// The file is whole, or has been removed already. Nothing happens if it was not announced.
void keep_on_signal(const std::string& path) noexcept;

}  // namespace dse
