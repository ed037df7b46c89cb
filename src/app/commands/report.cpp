#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command.hpp"
#include "app/force.hpp"
#include "app/python.hpp"
#include "app/questions/marked_row.hpp"
#include "app/questions/row_groups.hpp"
#include "app/questions/row_mask.hpp"
#include "app/questions/row_names.hpp"
#include "app/questions/row_question.hpp"
#include "app/row_conditions.hpp"
#include "app/unsealed.hpp"
#include "dse/base/temporary_path.hpp"
#include "dse/results/results_reader.hpp"
#include "dse/results/sweep_output.hpp"

namespace dse::app {
namespace {

struct ReportOptions {
    RowQuestion question;
    std::string mark;
    std::filesystem::path output;
    Existing existing{Existing::refuse};
};

constexpr std::array formats{".png", ".pdf", ".svg", ".html"};

/// Packages that the analysis imports: matplotlib for pictures, plotly for pages.
std::vector<std::string> packages_for(const std::filesystem::path& output) {
    return {"h5py", "pandas", output.extension() == ".html" ? "plotly" : "matplotlib"};
}

void write(const TemporaryPath& file, const std::string& content) {
    std::ofstream stream{file.path(), std::ios::binary};
    stream << content;
    if (!stream.flush())
        throw InputError(fmt::format("cannot write {}: is the disk full?", file.path().string()));
}

results::ResultsReader opened(const RowQuestion& question) {
    return {question.file, results::ResultsReader::Extent::finished, question.trust};
}

/// Id of the row that the user marks.
std::uint64_t marked_id(const ReportOptions& options, const std::vector<metrics::Objective>& objectives) {
    results::ResultsReader reader = opened(options.question);
    MarkedRow marked{reader.columns(), options.mark, objectives};
    reader.each([&](const results::Table& block) { marked.add(block); });
    return marked.row().point_id.front();
}

/// Checked before anything is computed, because pictures take time.
void require_output(const ReportOptions& options, bool is_chosen) {
    try {
        require_writable(options.output, options.existing);
    } catch (const InputError& error) {
        if (is_chosen) throw;
        throw InputError(fmt::format("{} (-o names another file)", error.what()));
    }
}

/// Arguments of the analysis besides the file.
std::vector<std::string> asked(const ReportOptions& options, const results::Table& columns) {
    const RowQuestion& question = options.question;
    std::vector<std::string> arguments;
    const std::vector<metrics::Objective> objectives = objectives_of(question, columns);
    if (!question.objectives.empty()) {
        std::vector<std::string> texts;
        for (const metrics::Objective& objective : objectives) texts.push_back(metrics::to_string(objective));
        arguments.push_back(fmt::format("--objectives={}", fmt::join(texts, ", ")));
    }
    if (!question.by.empty())
        arguments.push_back("--by=" + grouping_names(columns, RowGroups{columns, question.by}.columns()));
    if (!question.metrics.empty()) {
        const std::vector<std::string> shown = parse_metrics(columns, question.metrics);
        arguments.push_back("-x=" + shown.front());
        if (shown.size() > 1) arguments.push_back("-y=" + shown[1]);
    }
    if (!options.mark.empty()) arguments.push_back(fmt::format("--mark={}", marked_id(options, objectives)));
    return arguments;
}

ExitCode report(ReportOptions& options) {
    const RowQuestion& question = options.question;
    const bool is_chosen = !options.output.empty();
    if (!is_chosen) {
        options.output = question.file;
        options.output.replace_extension(formats.front());
    } else if (std::find(formats.begin(), formats.end(), options.output.extension()) == formats.end()) {
        throw InputError(fmt::format("cannot draw '{}': reports end in {}", options.output.string(),
                                     fmt::join(formats, ", ")));
    }
    std::error_code ignored;
    const bool is_unfinished = !std::filesystem::exists(question.file, ignored) &&
                               std::filesystem::exists(results::shard_folder(question.file), ignored);
    if (is_unfinished)
        throw InputError(
            fmt::format("{} is not finished: resume the sweep (dse pareto and dse best read its "
                        "rows so far)",
                        question.file));
    results::ResultsReader reader = opened(question);
    warn_if_unsealed(reader.columns(), question.file);  // the reader has reported any other error
    warn_if_incomplete(reader, question.file);
    require_output(options, is_chosen);
    std::vector<std::string> arguments{"-m",        "dse_analysis", question.file,
                                       "--summary", "-o",           options.output.string()};
    if (question.trust == results::Trust::unsealed) arguments.emplace_back("--unsealed");
    const std::vector<std::string> more = asked(options, reader.columns());
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> where = question.where;
    if (const auto condition = fidelity_condition(reader.columns().schema)) where.push_back(*condition);
    const TemporaryPath mask = TemporaryPath::file("dse-rows");
    if (!where.empty()) {
        write(mask, row_mask(reader, where));
        arguments.push_back("--rows=" + mask.path().string());
        for (const std::string& condition : where) arguments.push_back("--where=" + condition);
    }
    return run_python(packages_for(options.output), arguments);
}

}  // namespace

Action declare_report(CLI::App& app) {
    const auto options = std::make_shared<ReportOptions>();
    app.add_option("file", options->question.file, "results of a finished sweep")
        ->required()
        ->type_name("FILE.h5");
    app.add_option("-o,--output", options->output,
                   "figure to write (.png, .pdf, .svg), or interactive page (.html); by default FILE.png")
        ->type_name("FILE.png");
    add_row_question(app, options->question);
    app.add_option("--mark", options->mark, "highlight this point")->type_name("tp=8,pp=16,…");
    add_force(app, options->existing);
    return [options] { return report(*options); };
}

}  // namespace dse::app
