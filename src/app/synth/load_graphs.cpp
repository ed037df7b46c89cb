#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/json_output.hpp"
#include "app/synth/synth.hpp"
#include "app/trace_arguments.hpp"
#include "dse/base/error.hpp"
#include "dse/synth/fold.hpp"
#include "dse/synth/operator_lists.hpp"

namespace dse::app::synth {
namespace {

/// The facts about a job in PREFIX.conditions.json, if it exists.
dse::synth::JobFacts facts_of(const std::string& prefix) {
    dse::synth::JobFacts facts{prefix, 0, 0};
    const std::string path = prefix + ".conditions.json";
    if (!std::filesystem::exists(path)) return facts;
    try {
        const Json json = Json::parse(std::ifstream{path});
        facts.batch = json.value("global_batch", std::int64_t{0});
        facts.sequence = json.value("sequence", std::int64_t{0});
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("'{}': not the conditions of a job: {}", path, error.what()));
    }
    if (facts.batch < 0 || facts.sequence < 0)
        throw InputError(fmt::format("'{}': a batch or sequence below 0", path));
    return facts;
}

/// Whether a file describes traces beside it, as `PREFIX*` of a shell names it with them: the groups of their
/// communicators, or the conditions of a job.
bool is_beside_traces(const std::string& path) {
    if (!path.ends_with(".json")) return false;
    std::filesystem::path prefix = std::filesystem::path{path}.replace_extension();
    if (prefix.extension() == ".conditions") prefix.replace_extension();
    std::error_code ignored;
    return std::filesystem::is_regular_file(prefix.string() + ".0.et", ignored);
}

/// What to load: several ranks of a job stand for the job.
std::vector<std::string> jobs_of(const std::vector<std::string>& arguments) {
    std::map<std::string, int> ranks;
    for (const std::string& argument : arguments) ++ranks[job_beside(argument)];
    std::vector<std::string> jobs;
    std::set<std::string> taken;
    for (const std::string& argument : arguments) {
        if (is_beside_traces(argument)) continue;
        const std::string job = job_beside(argument);
        if (job.empty() || ranks[job] == 1)
            jobs.push_back(argument);
        else if (taken.insert(job).second)
            jobs.push_back(job);
    }
    return jobs;
}

}  // namespace

void load_graphs(const std::vector<std::string>& arguments, dse::synth::Corpus& corpus) {
    for (const std::string& argument : jobs_of(arguments)) {
        if (dse::synth::is_operator_list(argument)) {
            read_operator_lists(argument, corpus);
            continue;
        }
        const LoadedTraces traces = load_traces({argument, ""});
        fold_job(traces.set, traces.groups, facts_of(argument), corpus);
    }
}

}  // namespace dse::app::synth
