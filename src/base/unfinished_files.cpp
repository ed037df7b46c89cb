#include "dse/base/unfinished_files.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace dse {
namespace {

/// Read by a signal handler, which may neither lock nor allocate.
std::array<std::atomic<char*>, 64> paths;
static_assert(std::atomic<char*>::is_always_lock_free);

extern "C" void remove_and_end(int signal) {
    for (std::atomic<char*>& path : paths) {
        // Taken, so that no other thread frees it meanwhile.
        const char* const name = path.exchange(nullptr);
        if (name != nullptr) ::unlink(name);
    }
    std::raise(signal);  // its action is the default one again, and ends the process
}

void install(int signal) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
    struct sigaction action {};
    action.sa_handler = remove_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
}

}  // namespace

void remove_on_signal(const std::string& path) {
    char* const name = ::strdup(path.c_str());
    for (std::atomic<char*>& place : paths) {
        char* nothing = nullptr;
        if (!place.compare_exchange_strong(nothing, name)) continue;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) install(signal);
        return;
    }
    std::free(name);
}

void keep_on_signal(const std::string& path) noexcept {
    for (std::atomic<char*>& place : paths) {
        char* name = place.load();
        if (name == nullptr || path != name || !place.compare_exchange_strong(name, nullptr)) continue;
        std::free(name);
        return;
    }
}

}  // namespace dse
