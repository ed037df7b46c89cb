#include "dse/dist/stop_signal.hpp"

#include <atomic>
#include <csignal>

namespace dse::dist {
namespace {

// A signal handler may only access lock-free atomics, and they must be global.
std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_stop_signal(int) {
    requested.store(true, std::memory_order_relaxed);
}

}  // namespace

void install_stop_signals() {
    struct sigaction action {};
    action.sa_handler = on_stop_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
    struct sigaction hangup {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
    for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
}

bool stop_requested() {
    return requested.load(std::memory_order_relaxed);
}

void request_stop() {
    requested.store(true, std::memory_order_relaxed);
}

void clear_stop_request() {
    requested.store(false, std::memory_order_relaxed);
}

}  // namespace dse::dist
