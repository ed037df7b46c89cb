#pragma once

namespace dse::dist {

/// SIGINT, SIGTERM and SIGUSR1 ask for an orderly end: their handler sets a flag that the farm looks at
/// between points. A file that may not grow (SIGXFSZ) and a closed pipe (SIGPIPE) become errors of the write.
void install_stop_signals();

/// Whether one of them came.
bool stop_requested();

/// Sets or clears the flag, as a signal would.
void request_stop();
void clear_stop_request();

}  // namespace dse::dist
