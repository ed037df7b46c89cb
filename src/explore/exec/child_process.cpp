#include "explore/exec/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::explore {
namespace {

/// Interval between checks of the clock and of signals.
constexpr int patience_ms = 50;
/// Time for a program to end in order before it is killed; mpirun gives a rank one second.
constexpr std::chrono::milliseconds grace{200};
constexpr std::size_t longest_tail = 1000;
/// A program with endless output must not fill the memory.
constexpr std::size_t longest_output = std::size_t{16} << 20U;

void close_fd(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
}

struct Ends {
    int ours{-1};
    int theirs{-1};
};

/// A socket, because writing to one whose other end is closed can be kept from raising SIGPIPE.
Ends make_ends() {
    std::array<int, 2> fds{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
        throw InputError(fmt::format("cannot talk to a program: {}", std::strerror(errno)));
    return {fds[0], fds[1]};
}

/// The environment without the variables that mark a process as a rank: a program that uses MPI itself would
/// otherwise take itself for this process.
std::vector<char*> environment() {
    std::vector<char*> variables;
    for (char** variable = ::environ; *variable != nullptr; ++variable) {
        const std::string_view text{*variable};
        const bool is_ours = text.starts_with("OMPI_COMM_WORLD_") || text.starts_with("OMPI_UNIVERSE_") ||
                             text.starts_with("OMPI_MCA_ess") || text.starts_with("OMPI_MCA_orte") ||
                             text.starts_with("PMIX_") || text.starts_with("PMI_");
        if (!is_ours) variables.push_back(*variable);
    }
    variables.push_back(nullptr);
    return variables;
}

[[noreturn]] void become(const std::vector<char*>& arguments, const std::vector<char*>& variables,
                         const char* folder, pid_t parent) {
    // Runs in a process group of its own, set before the program starts, so that whatever it starts can be
    // ended with it.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
    const char* what = folder;
    if (::chdir(folder) == 0) {
        what = arguments.front();
        ::execvpe(arguments.front(), arguments.data(), variables.data());
    }
    const char* why = std::strerror(errno);
    for (const char* part : {"cannot run '", what, "': ", why, "\n"})
        static_cast<void>(::write(STDERR_FILENO, part, std::strlen(part)) < 0);
    ::_exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::string& folder) {
    start(command, folder);
}

void ChildProcess::start(const std::vector<std::string>& command, const std::string& folder) {
    Ends input = make_ends();
    Ends output = make_ends();
    Ends error = make_ends();
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
    arguments.push_back(nullptr);
    const std::vector<char*> variables = environment();
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(input.theirs, STDIN_FILENO);
        ::dup2(output.theirs, STDOUT_FILENO);
        ::dup2(error.theirs, STDERR_FILENO);
        become(arguments, variables, folder.c_str(), parent);
    }
    for (Ends* ends : {&input, &output, &error}) close_fd(ends->theirs);
    input_fd_ = input.ours;
    output_fd_ = output.ours;
    error_fd_ = error.ours;
    if (pid_ < 0) {
        for (int* fd : {&input_fd_, &output_fd_, &error_fd_}) close_fd(*fd);
        throw InputError(fmt::format("cannot start '{}': {}", command.front(), std::strerror(errno)));
    }
    // Set by both processes, since either may run first.
    ::setpgid(pid_, pid_);
}

ChildProcess::~ChildProcess() {
    close_fd(input_fd_);
    if (!has_ended()) {
        ::kill(-pid_, SIGTERM);
        const Clock::time_point end = Clock::now() + grace;
        while (!has_ended() && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    ::kill(-pid_, SIGKILL);
    if (!status_) ::waitpid(pid_, nullptr, 0);
    for (int* fd : {&output_fd_, &error_fd_}) close_fd(*fd);
}

ChildProcess::Reply ChildProcess::ask(std::string_view input, Until until,
                                      std::optional<Clock::time_point> deadline,
                                      const std::function<bool()>& stopped) {
    errors_.clear();
    for (;;) {
        if (until == Until::line) {
            if (auto text = line()) return {Reply::Kind::line, std::move(*text)};
        }
        if (output_fd_ < 0) return {Reply::Kind::ended, std::exchange(output_, {})};
        if (stopped()) throw Stopped("stopped in the middle of a point");
        if (deadline && Clock::now() >= *deadline) return {Reply::Kind::late, {}};
        look(input);
        if (output_.size() > longest_output) return {Reply::Kind::line, std::exchange(output_, {})};
    }
}

/// Waits until there is something to read or to write, and does it.
void ChildProcess::look(std::string_view& input) {
    std::array<pollfd, 3> fds{pollfd{output_fd_, POLLIN, 0}, pollfd{error_fd_, POLLIN, 0},
                              pollfd{input.empty() ? -1 : input_fd_, POLLOUT, 0}};
    const int ready = ::poll(fds.data(), fds.size(), patience_ms);
    if (ready > 0) {
        if (fds[2].revents != 0) write_some(input);
        if (fds[1].revents != 0) read_some(error_fd_, errors_);
        if (fds[0].revents != 0) read_some(output_fd_, output_);
        keep_tail();
    } else if (ready == 0 && has_ended()) {
        // A process that it has started keeps its output open; none of that output is an answer.
        close_fd(output_fd_);
    }
}

void ChildProcess::write_some(std::string_view& input) {
    const ssize_t written = ::send(input_fd_, input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written > 0) {
        input.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EAGAIN && errno != EINTR) {
        input = {};  // it has stopped reading: its output will say why
    }
}

/// \return whether there may be more
bool ChildProcess::read_some(int& from, std::string& to) {
    std::array<char, 4096> bytes{};
    const ssize_t got = ::recv(from, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got > 0) {
        to.append(bytes.data(), static_cast<std::size_t>(got));
        return true;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) close_fd(from);
    return false;
}

void ChildProcess::keep_tail() {
    if (errors_.size() > longest_tail) errors_.erase(0, errors_.size() - longest_tail);
}

std::optional<std::string> ChildProcess::line() {
    const std::size_t end = output_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string text = output_.substr(0, end);
    output_.erase(0, end + 1);
    return text;
}

bool ChildProcess::has_ended() {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_.has_value();
}

std::string ChildProcess::how_it_ended() {
    const Clock::time_point end = Clock::now() + grace;
    while (!has_ended() && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    while (error_fd_ >= 0 && read_some(error_fd_, errors_)) keep_tail();
    if (!status_) return "closed its output";
    if (WIFSIGNALED(*status_))
        return fmt::format("was ended by signal {} ({})", WTERMSIG(*status_),
                           ::strsignal(WTERMSIG(*status_)));
    return WEXITSTATUS(*status_) == 0 ? "" : fmt::format("ended with status {}", WEXITSTATUS(*status_));
}

bool ChildProcess::ended_with_the_job(const std::function<bool()>& stopped) const {
    if (stopped()) return true;
    const int signal = status_ && WIFSIGNALED(*status_) ? WTERMSIG(*status_) : 0;
    constexpr std::array ends_a_job{SIGTERM, SIGINT, SIGHUP, SIGUSR1};
    if (std::find(ends_a_job.begin(), ends_a_job.end(), signal) == ends_a_job.end()) return false;
    const Clock::time_point end = Clock::now() + grace;
    while (!stopped() && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds{2});
    return stopped();
}

}  // namespace dse::explore
