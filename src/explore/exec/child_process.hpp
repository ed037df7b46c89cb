#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace dse::explore {

/// A program that is talked to through its standard input and output. It ends with this object, and with this
/// process, however that ends; what it has started itself ends with this object.
class ChildProcess {
  public:
    using Clock = std::chrono::steady_clock;

    /// What is waited for.
    enum class Until { line, end };

    struct Reply {
        enum class Kind { line, ended, late };
        Kind kind{Kind::ended};
        std::string text;  ///< the line, or all output until the end
    };

    /// A command that cannot be run ends at once, and says so on its standard error.
    /// \throws InputError when the system gives no process
    ChildProcess(const std::vector<std::string>& command, const std::string& folder);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Writes the input and reads until there is what is waited for. \param stopped  looked at all the time
    /// \throws Stopped
    Reply ask(std::string_view input, Until until, std::optional<Clock::time_point> deadline,
              const std::function<bool()>& stopped);

    /// Whether it has said more than it was asked for.
    [[nodiscard]] bool has_more() const { return !output_.empty(); }

    /// The end of what it wrote to its standard error since it was last asked.
    [[nodiscard]] const std::string& errors() const { return errors_; }

    /// How it ended: nothing with exit status 0, else "ended with status 1", "was ended by signal 11 (…)".
    /// \pre the last reply was `ended`
    std::string how_it_ended();

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
    std::optional<int> status_;  ///< once it was waited for
};

}  // namespace dse::explore
