#include "results/guarded_child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::results {
namespace {

using Clock = std::chrono::steady_clock;

/// Longer messages are truncated.
constexpr std::size_t max_message = 4096;

void limit(decltype(RLIMIT_CPU) what, rlim_t value) {
    rlimit now{};
    getrlimit(what, &now);
    now.rlim_cur = std::min<rlim_t>(value, now.rlim_max);
    setrlimit(what, &now);
}

void apply(const ChildLimits& limits) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, static_cast<rlim_t>(limits.time.count()));
    if (memory_is_limited) limit(RLIMIT_AS, limits.memory);
}

/// The child must not use the parent's handlers, which end a sweep or report a crash.
void reset_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) {
        std::signal(number, SIG_DFL);
    }
}

void silence() {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
}

void tell(int to, std::string_view message) {
    message = message.substr(0, max_message);
    // If the message cannot be sent, the exit status remains, which suffices.
    static_cast<void>(::write(to, message.data(), message.size()) < 0);
}

[[noreturn]] void be_the_child(const std::function<void()>& work, const ChildLimits& limits, int to,
                               pid_t parent) {
    // Nobody would hear what it says, and HDF5 reads some damaged files until its time is up.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    reset_signals();
    silence();
    apply(limits);
    int status = 0;
    try {
        work();
    } catch (const std::bad_alloc&) {
        tell(to, "it asks for more memory than it may have");
        status = 1;
    } catch (const std::exception& error) {
        tell(to, error.what());
        status = 1;
    }
    ::_exit(status);
}

/// Reads from a pipe until its other end is closed. \return whether it was closed in time
bool listen(int from, Clock::time_point deadline, std::string& message) {
    std::array<char, 512> bytes{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) return false;
        pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
        const int count = ::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1000)));
        if (count <= 0) continue;
        const ssize_t got = ::read(from, bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        message.append(bytes.data(), static_cast<std::size_t>(got));
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw InputError(fmt::format("lost a child process: {}", std::strerror(errno)));
    }
    return status;
}

std::string judge(int status, bool in_time, std::string message) {
    constexpr std::string_view too_long = "reading it takes too long";
    if (!in_time) return std::string{too_long};
    if (WIFEXITED(status)) {
        const bool good = WEXITSTATUS(status) == 0;
        return good || !message.empty() ? std::move(message) : "the process that read it gave up";
    }
    if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) return std::string{too_long};
    return fmt::format("the process that read it ended by signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
}

}  // namespace

std::string run_guarded(const std::function<void()>& work, const ChildLimits& limits) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        throw InputError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(pipe[0]);
        be_the_child(work, limits, pipe[1], parent);
    }
    ::close(pipe[1]);
    std::string message;
    bool in_time = false;
    if (child > 0) in_time = listen(pipe[0], Clock::now() + 2 * limits.time, message);
    ::close(pipe[0]);
    if (child < 0) throw InputError(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (!in_time) ::kill(child, SIGKILL);
    return judge(wait_for(child), in_time, std::move(message));
}

}  // namespace dse::results
