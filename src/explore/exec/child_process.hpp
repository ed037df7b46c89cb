#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace dse::explore {

/// A program that communicates through its standard input and output. It ends with this object and with this
/// process, however that ends; processes that it has started end with this object.
class ChildProcess {
  public:
    using Clock = std::chrono::steady_clock;

    /// The event that ask() waits for.
    enum class Until { line, end };

    struct Reply {
        enum class Kind { line, ended, late };
        Kind kind{Kind::ended};
        std::string text;  ///< the line, or all output until the end
    };

    /// A command that cannot be run ends at once, with a message on its standard error.
    /// \throws InputError if the system cannot create a process
    ChildProcess(const std::vector<std::string>& command, const std::string& folder);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Writes the input and reads until the awaited event.
    /// \param stopped  polled continuously
    /// \throws Stopped
    Reply ask(std::string_view input, Until until, std::optional<Clock::time_point> deadline,
              const std::function<bool()>& stopped);

    /// Whether there is more output than was asked for.
    [[nodiscard]] bool has_more() const { return !output_.empty(); }

    /// The last part of its standard error output since the last ask().
    [[nodiscard]] const std::string& errors() const { return errors_; }

    /// How it ended: empty for exit status 0, else "ended with status 1", "was ended by signal 11 (…)".
    /// \pre the last reply was `ended`
    std::string how_it_ended();

    /// Whether the signal that ends the job of this process has ended it: it got one by which jobs are
    /// stopped, and `stopped` is or soon becomes true, since the processes of a job are signalled one after
    /// the other.
    /// \pre how_it_ended() was called
    [[nodiscard]] bool ended_with_the_job(const std::function<bool()>& stopped) const;

  private:
    void start(const std::vector<std::string>& command, const std::string& folder);
    void look(std::string_view& input);
    void write_some(std::string_view& input);
    static bool read_some(int& from, std::string& to);
    void keep_tail();
    std::optional<std::string> line();
    bool has_ended();

    pid_t pid_{-1};
    int input_fd_{-1};
    int output_fd_{-1};
    int error_fd_{-1};
    std::string output_;
    std::string errors_;
    std::optional<int> status_;  ///< set once it has been waited for
};

}  // namespace dse::explore
