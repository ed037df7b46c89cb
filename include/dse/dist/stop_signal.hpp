#pragma once

namespace dse::dist {

/// Installs handlers of SIGINT, SIGTERM and SIGUSR1, and of SIGHUP unless it is ignored (nohup), which
/// request an orderly stop by setting a flag that the farm checks between points. File size limits (SIGXFSZ)
/// and closed pipes (SIGPIPE) become errors of the write.
void install_stop_signals();

/// Whether a stop was requested.
bool stop_requested();

/// Sets or clears the flag, as a signal would.
void request_stop();
void clear_stop_request();

}  // namespace dse::dist
