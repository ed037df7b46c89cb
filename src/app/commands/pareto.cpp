#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/output_width.hpp"
#include "app/questions/asked_rows.hpp"
#include "app/questions/marked_row.hpp"
#include "app/questions/robust_rows.hpp"
#include "app/questions/row_groups.hpp"
#include "app/questions/row_question.hpp"
#include "app/questions/standing.hpp"
#include "app/result_columns.hpp"
#include "dse/results/front_rows.hpp"

namespace dse::app {
namespace {

struct ParetoOptions {
    RowQuestion question;
    std::string mark;
    std::size_t top{0};
    bool robust{false};
    bool json{false};
    bool csv{false};
};

/// Points that no other point of their group dominates.
struct Front {
    RowGroups::Values values;  ///< of the axes that group the rows
    results::Table rows;       ///< in the order of the first objective, best first
};

/// The output for a file.
struct Fronts {
    AskedRows asked;
    std::vector<metrics::Objective> objectives{};
    std::vector<std::string> metrics{};
    std::vector<Front> fronts{};
    /// Number of the rows that no other dominates; the rest cannot be distinguished from them. None: all
    /// rows.
    std::optional<std::size_t> undominated{};
    std::optional<Standing> standing{};
    results::Table marked{};  ///< the row that stands there
    std::string mark{};       ///< how the marked row was found

    [[nodiscard]] std::size_t size() const {
        return std::accumulate(fronts.begin(), fronts.end(), std::size_t{0},
                               [](std::size_t sum, const Front& front) { return sum + front.rows.rows(); });
    }
};

/// Lists on stderr the objectives that are omitted because no point has a value.
void name_unanswered(const std::vector<metrics::Objective>& wanted,
                     const std::vector<metrics::Objective>& found) {
    for (const metrics::Objective& objective : wanted) {
        if (std::find(found.begin(), found.end(), objective) == found.end()) {
            std::cerr << fmt::format("{}: no point has a value of it, left out\n", objective.metric);
        }
    }
}

/// Says on stderr which objectives of a robust front are compared as if they were exact.
void name_exact(const Fronts& answer) {
    for (const metrics::Objective& objective : answer.objectives) {
        const bool has_bars = std::ranges::any_of(answer.fronts, [&](const Front& front) {
            return front.rows.rows() > 0 && RobustFront::has_bars(front.rows, 0, objective.metric);
        });
        if (has_bars) continue;
        std::cerr << fmt::format(
            "dse: note: nothing is known of the errors of '{}' here: it is compared as if it were exact "
            "(--objectives names others, as iteration_time or cost)\n",
            objective.metric);
    }
}

using FrontsByValues = std::map<RowGroups::Values, results::FrontRows>;
using RowsByValues = std::map<RowGroups::Values, results::Table>;

/// By values of the group: the rows that cannot be distinguished from its front, given the errors of
/// predictions.
RowsByValues widened(const FrontsByValues& fronts, const RowQuestion& question) {
    const SharedErrors shared = shared_errors(question);
    std::map<RowGroups::Values, RobustFront> robust;
    RowsByValues wide;
    for (const auto& [values, front] : fronts) {
        wide.emplace(values, results::without_rows(front.rows()));
        if (front.rows().rows() > 0) robust.try_emplace(values, front.rows(), front.answered(), shared);
    }
    each_robust_row(question, robust,
                    [&](const RowGroups::Values& values, const results::Table& rows, std::size_t row) {
                        wide.at(values).append(rows, row);
                    });
    return wide;
}

void add_fronts(const FrontsByValues& fronts, const ParetoOptions& options, Fronts& answer) {
    RowsByValues wide;
    if (options.robust) {
        wide = widened(fronts, options.question);
        answer.undominated = 0;
    }
    for (const auto& [values, front] : fronts) {
        for (const metrics::Objective& objective : front.answered()) {
            if (std::find(answer.objectives.begin(), answer.objectives.end(), objective) ==
                answer.objectives.end())
                answer.objectives.push_back(objective);
        }
        if (answer.undominated) *answer.undominated += front.rows().rows();
        const results::Table& rows = options.robust ? wide.at(values) : front.rows();
        answer.fronts.push_back({values, results::best_first(rows, front.answered())});
    }
}

Fronts read_fronts(const ParetoOptions& options) {
    const RowQuestion& question = options.question;
    Fronts answer{.asked = AskedRows{question}};
    answer.asked.warn();
    const results::Table& columns = answer.asked.columns();
    const std::vector<metrics::Objective> wanted = objectives_of(question, columns);
    answer.metrics = shown_metrics_of(question, columns);
    FrontsByValues fronts;
    answer.asked.each([&](const RowGroups::Values& values, const results::Table& rows) {
        fronts.try_emplace(values, columns, wanted).first->second.add(rows);
    });
    add_fronts(fronts, options, answer);
    name_unanswered(wanted, answer.objectives);
    if (options.robust) name_exact(answer);
    return answer;
}

/// Compares the marked row with the rows that meet the conditions and, with --by, have the same values of
/// those axes.
void add_standing(const ParetoOptions& options, Fronts& answer) {
    const std::vector<metrics::Objective>& objectives = answer.objectives;
    MarkedRow marked{answer.asked.columns(), options.mark, objectives};
    RowQuestion of_all = options.question;
    of_all.by.clear();
    AskedRows{of_all}.each([&](const auto&, const results::Table& rows) { marked.add(rows); });
    answer.marked = marked.row();
    const RowGroups::Values own = group_of(answer.marked, answer.asked.by(), 0);
    const auto each_of_own = [&](const results::BlockVisitor& visit) {
        AskedRows{options.question}.each([&](const RowGroups::Values& values, const results::Table& rows) {
            if (values == own) visit(rows);
        });
    };
    results::FrontRows front{answer.asked.columns(), objectives};
    each_of_own([&](const results::Table& block) { front.add(block); });
    answer.standing.emplace(answer.marked, front.rows(), front.answered());
    each_of_own([&](const results::Table& block) { answer.standing->add(block); });
    answer.mark = options.mark;
    if (marked.matches() > 1)
        answer.mark +=
            fmt::format(" (the best of {} feasible rows with these values)", human_count(marked.matches()));
}

std::size_t shown_of(const Front& front, std::size_t top) {
    return top == 0 ? front.rows.rows() : std::min(top, front.rows.rows());
}

Json answer_json(const Fronts& answer, std::size_t top) {
    Json json = json_object();
    json["sweep"] = answer.asked.columns().schema.sweep.name;
    if (const auto& settings = answer.asked.columns().schema.sweep.settings; !settings.empty())
        json["settings"] = settings;
    json["points"] = answer.asked.points();
    if (answer.asked.columns().unsealed) json["unsealed"] = true;
    Json& wanted = json["objectives"] = Json::object();
    for (const auto& objective : answer.objectives)
        wanted[objective.metric] = metrics::name(objective.direction);
    json["front_size"] = answer.size();
    if (answer.undominated) json["undominated"] = *answer.undominated;
    if (!answer.asked.by().empty()) json["by"] = answer.asked.by_text();
    if (answer.standing) json["mark"] = answer.standing->json();
    Json& rows = json["rows"] = Json::array();
    for (const Front& front : answer.fronts) {
        for (std::size_t i = 0; i < shown_of(front, top); ++i) rows.push_back(row_json(front.rows, i));
    }
    return json;
}

void print_front(const Fronts& answer, const Front& front, std::size_t top) {
    const std::vector<std::size_t> shown = first_rows(front.rows, shown_of(front, top));
    std::vector<std::size_t> varied = answer.asked.varied();
    if (!answer.asked.by().empty())
        std::cout << fmt::format("{}: {} on its front\n", answer.asked.group_text(front.values),
                                 human_count(std::uint64_t{front.rows.rows()}));
    for (const std::size_t axis : answer.asked.by()) std::erase(varied, axis);  // the heading tells it
    std::cout << rows_text(front.rows, shown, answer.objectives, varied, {}, answer.metrics);
    const std::size_t left = front.rows.rows() - shown.size();
    if (left > 0) std::cout << fmt::format("  … and {} more (--top)\n", left);
}

void print_standing(const Fronts& answer) {
    std::cout << paragraph(fmt::format(
        "marked: {}{}", answer.mark,
        answer.asked.by().empty()
            ? ""
            : fmt::format(", among the rows with {}",
                          answer.asked.group_text(group_of(answer.marked, answer.asked.by(), 0)))));
    if (answer.standing->answered()) {
        std::cout << rows_text(answer.marked, first_rows(answer.marked), answer.objectives,
                               answer.asked.varied(), {}, answer.metrics);
        std::cout << fitted_lines(answer.standing->text());
        return;
    }
    const Json row = answer.standing->json()["row"];
    const std::string reason = row["reason"].is_string() ? row["reason"].get<std::string>() : "";
    std::cout << paragraph(fmt::format(
        "  not ranked: {}", reason.empty()
                                ? "it violates a condition (where), or has no value of an objective"
                                : row["status"].get<std::string>() + ", " + reason));
}

void print_answer(const Fronts& answer, std::size_t top) {
    const std::string which =
        answer.asked.by().empty() ? "the front" : "the fronts by " + answer.asked.by_text();
    const std::string standing = answer.undominated
                                     ? fmt::format("are indistinguishable from the {} on",
                                                   human_count(std::uint64_t{*answer.undominated}))
                                 : answer.size() == 1 ? "is on"
                                                      : "are on";
    std::cout << paragraph(
        fmt::format("{}: {} of {} points {} {}{}", results::title(answer.asked.columns().schema.sweep),
                    human_count(std::uint64_t{answer.size()}), human_count(answer.asked.points()), standing,
                    which, answer.asked.columns().unsealed ? " (UNSEALED)" : ""));
    for (const Front& front : answer.fronts) {
        if (front.rows.rows() > 0) print_front(answer, front, top);
    }
    std::cout << fitted_lines(answer.asked.remarks());
    if (answer.standing) print_standing(answer);
}

void print_fronts_csv(const Fronts& answer, std::size_t top) {
    write_csv_heading(std::cout, answer.asked.columns());
    for (const Front& front : answer.fronts) {
        write_csv_rows(std::cout, front.rows, first_rows(front.rows, shown_of(front, top)));
    }
}

ExitCode pareto(const ParetoOptions& options) {
    Fronts answer = read_fronts(options);
    if (!options.mark.empty() && !answer.objectives.empty()) add_standing(options, answer);
    if (options.json) {
        print_json(answer_json(answer, options.top));
    } else if (options.csv) {
        print_fronts_csv(answer, options.top);
    } else if (answer.size() > 0) {
        print_answer(answer, options.top);
    }
    if (answer.size() > 0) return ExitCode::ok;
    return none_feasible(options.question, answer.asked.columns(), answer.asked.points());
}

}  // namespace

Action declare_pareto(CLI::App& app) {
    const auto options = std::make_shared<ParetoOptions>();
    app.add_option("file", options->question.file, "results of a sweep, finished or still running")
        ->required()
        ->type_name("FILE.h5");
    add_row_question(app, options->question);
    app.add_option(
           "--mark", options->mark,
           "how this point compares: its rank, its distance to the front, the smallest improving change")
        ->type_name("tp=8,pp=16,…");
    app.add_option("--top", options->top,
                   "show at most this many points, sorted by the first objective; 0: all")
        ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 40U))
        ->type_name("N");
    app.add_flag("--robust", options->robust,
                 "also show points that are indistinguishable from the front given the prediction errors");
    CLI::Option* json = app.add_flag("--json", options->json, "print JSON");
    app.add_flag("--csv", options->csv, "print CSV")->excludes(json);
    return [options] { return pareto(*options); };
}

}  // namespace dse::app
