#include "app/failure_report.hpp"

#include <fmt/format.h>

#include "app/human.hpp"
#include "dse/base/check.hpp"

namespace dse::app {

ExitCode verdict(const FailureCount& count) {
    return count.rows > 0 && count.failures == count.rows ? ExitCode::answer_is_no : ExitCode::ok;
}

std::string failure_report(const FailureCount& count, const CommonReasons& reasons,
                           const std::filesystem::path& file) {
    DSE_EXPECT(count.failures > 0);
    const bool all = count.failures == count.rows;
    std::string text =
        all ? fmt::format("all {} point{} failed", human_count(count.rows), count.rows == 1 ? "" : "s")
            : fmt::format("{} of {} points failed", human_count(count.failures), human_count(count.rows));
    const CommonReason first = reasons.ordered(space::is_failure).front();
    text += fmt::format(", {} of them as in: {}", human_count(first.rows), first.example);
    return text + fmt::format(
                      "\nEvery point's reason: dse export {0} --csv. They are kept; --fresh evaluates "
                      "all points again.",
                      file.string());
}

}  // namespace dse::app
