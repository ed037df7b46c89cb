#include "dse/explore/program.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "explore/exec/child_process.hpp"
#include "explore/exec/program_answer.hpp"

namespace dse::explore {
namespace {

using Kind = ChildProcess::Reply::Kind;

class Program {
  public:
    Program(std::shared_ptr<const space::Space> space, std::function<bool()> stopped)
        : space_{std::move(space)}, exec_{*space_->exec()}, stopped_{std::move(stopped)} {}

    void answer(const space::Point& point, space::Record& record) {
        if (exec_.input == space::ExecInput::arguments) return answer_by_arguments(point, record);
        if (!child_) child_ = std::make_unique<ChildProcess>(exec_.command, exec_.folder);
        const ChildProcess::Reply reply = ask(point_line(*space_, point), ChildProcess::Until::line);
        take(reply, record);
        if (reply.kind == Kind::line && child_->has_more())
            lose(space::Status::failed, "the program wrote more than one line for a point", record);
        // After a crash or a protocol error the program is restarted, so that no point affects another.
        if (space::is_failure(record.status)) child_.reset();
    }

  private:
    void answer_by_arguments(const space::Point& point, space::Record& record) {
        child_ = std::make_unique<ChildProcess>(point_command(*space_, point), exec_.folder);
        take(ask({}, ChildProcess::Until::end), record);
        child_.reset();
    }

    ChildProcess::Reply ask(const std::string& input, ChildProcess::Until until) {
        std::optional<ChildProcess::Clock::time_point> deadline;
        const double limit = exec_.time_limit.value();
        if (limit > 0.0)
            deadline = ChildProcess::Clock::now() + std::chrono::duration_cast<ChildProcess::Clock::duration>(
                                                        std::chrono::duration<double>(limit));
        return child_->ask(input, until, deadline, stopped_);
    }

    void take(const ChildProcess::Reply& reply, space::Record& record) {
        if (reply.kind == Kind::late)
            return lose(space::Status::timed_out,
                        fmt::format("the program took longer than {:g} s (exec.time_limit)",
                                    exec_.time_limit.value()),
                        record);
        if (reply.kind == Kind::line) return take_answer(*space_, reply.text, record);
        const std::string how = child_->how_it_ended();
        if (how.empty() && exec_.input == space::ExecInput::arguments)
            return take_answer(*space_, last_line(reply.text), record);
        // A row that says so would stay failed when the sweep goes on.
        if (child_->ended_with_the_job(stopped_)) throw Stopped("stopped in the middle of a point");
        lose(space::Status::failed,
             fmt::format("the program {}", how.empty() ? "ended without an answer" : how), record);
    }

    /// Programs may report their progress before the answer.
    static std::string last_line(std::string text) {
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
        return text.substr(text.rfind('\n') + 1);
    }

    void lose(space::Status status, std::string reason, space::Record& record) const {
        record.status = status;
        record.metrics = {};
        record.more.clear();
        std::string errors = child_->errors();
        while (!errors.empty() && errors.back() == '\n') errors.pop_back();
        record.reason = std::move(reason);
        if (!errors.empty()) record.reason += ": " + config::printable(errors);
    }

    std::shared_ptr<const space::Space> space_;
    const space::ExecSpec& exec_;
    std::function<bool()> stopped_;
    std::unique_ptr<ChildProcess> child_;
};

}  // namespace

Evaluate program_answers(std::shared_ptr<const space::Space> space, std::function<bool()> stopped) {
    DSE_REQUIRE(space->exec().has_value());
    const auto program = std::make_shared<Program>(std::move(space), std::move(stopped));
    return [program](const space::Point& point, Fidelity, space::Record& record) {
        program->answer(point, record);
    };
}

}  // namespace dse::explore
