#include "app/requests_file.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {

void write_requests(const std::string& path, Existing existing, const eval::Evaluation& evaluation) {
    if (evaluation.series.empty())
        throw InputError("--requests: the point answers no requests (only those of mode serving do)");
    if (evaluation.metrics.requests_per_second == 0.0)
        throw InputError("--requests: the point answers no requests: all of their clients gave up");
    if (evaluation.requests.empty())
        throw InputError("--requests: the point answers more than a million requests, which are not kept");
    OutputFile file{path, existing};
    const auto& classes = evaluation.classes;
    file.stream() << "arrival_s,prompt_tokens,output_tokens,first_token_s,end_s,replica"
                  << (classes.empty() ? "\n" : ",class\n");
    for (const serving::AnsweredRequest& answered : evaluation.requests) {
        file.stream() << fmt::format("{},{},{},{},{},{}", serving::to_seconds(answered.request.arrival),
                                     answered.request.prompt, answered.request.output,
                                     serving::to_seconds(answered.first_token),
                                     serving::to_seconds(answered.last_token), answered.replica);
        if (!classes.empty()) file.stream() << ',' << classes[answered.request.kind].name;
        file.stream() << '\n';
    }
    file.close();
}

}  // namespace dse::app
