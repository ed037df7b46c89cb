#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/progress_display.hpp"
#include "app/proof_check.hpp"
#include "app/sweep_of_results.hpp"
#include "app/sweep_options.hpp"
#include "app/whole_number.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

using results::Proof;
using Verdict = Proof::Verdict;

struct VerifyOptions {
    std::string file;
    std::string progress{"auto"};
    SweepOptions sweep;
    ProofAttack attack;
    bool json{false};
};

double points_of(const ProofFindings& findings, Verdict verdict) {
    const auto found = findings.points.find(verdict);
    return found == findings.points.end() ? 0.0 : static_cast<double>(found->second);
}

double epsilon_of(const Proof& proof) {
    return proof.course.empty() ? 0.0 : proof.course.back().epsilon;
}

void print_json_findings(const Proof& proof, const ProofFindings& findings) {
    Json json = json_object();
    json["holds"] = findings.wrong == 0;
    json["epsilon"] = epsilon_of(proof);
    json["boxes"] = findings.boxes;
    json["of_boxes"] = proof.parts.size();
    json["wrong"] = findings.wrong;
    json["evaluated"] = findings.evaluated;
    json["event"] = findings.played;
    Json& points = json["points"];
    points["outside"] = points_of(findings, Verdict::outside);
    points["infeasible"] = points_of(findings, Verdict::infeasible);
    points["evaluated"] = points_of(findings, Verdict::evaluated);
    points["dominated"] = points_of(findings, Verdict::dominated);
    points["open"] = points_of(findings, Verdict::open);
    json["faults"] = findings.faults;
    print_json(json);
}

void print_findings(const Proof& proof, const ProofFindings& findings) {
    const bool is_sample = findings.boxes > 0 && findings.boxes < proof.parts.size();
    if (is_sample)
        std::cout << fmt::format("A sample of {} of {} boxes was tested.\n", human_count(findings.boxes),
                                 human_count(std::uint64_t{proof.parts.size()}));
    std::cout << fmt::format(
        "{} boxes: {:.6g} points outside of the space, {:.6g} without a result, {:.6g} evaluated, {:.6g} "
        "dominated, {:.6g} open\n",
        human_count(findings.boxes), points_of(findings, Verdict::outside),
        points_of(findings, Verdict::infeasible), points_of(findings, Verdict::evaluated),
        points_of(findings, Verdict::dominated), points_of(findings, Verdict::open));
    std::cout << fmt::format("tested with {} points, {} of them also by engine event\n",
                             human_count(findings.evaluated), human_count(findings.played));
    for (const std::string& fault : findings.faults) std::cout << "  " << fault << '\n';
    if (findings.wrong > 0) {
        std::cout << fmt::format(
            "{} wrong: the front is not proven\n",
            findings.wrong == 1 ? "1 box is" : human_count(findings.wrong) + " boxes are");
    } else {
        std::cout << fmt::format("{}: epsilon {:.4g}\n",
                                 is_sample ? "No fault in the sample" : "The proof holds", epsilon_of(proof));
    }
}

/// "42.0 %  8,353 of 19,889 boxes  56,600 points  ETA 1 min 20 s"
std::string check_text(const ProofCheckProgress& progress, double seconds) {
    const double share = static_cast<double>(progress.boxes) / static_cast<double>(progress.all_boxes);
    return fmt::format("{:5.1f} %  {} of {} boxes  {} points  ETA {}", 100.0 * share,
                       human_count(progress.boxes), human_count(progress.all_boxes),
                       human_count(progress.evaluated), human_duration(seconds * (1.0 - share) / share));
}

ProofFindings checked(const VerifyOptions& options, const Proof& proof, const study::Sweep& sweep) {
    const study::Sweep event = load_of_results(options.file, options.sweep, {"fidelity.engine=event"});
    const ProofRows rows = read_proof_rows(options.file, proof);
    ProgressDisplay display{progress_styles().at(options.progress), Logger{LogLevel::info}};
    const auto begin = std::chrono::steady_clock::now();
    return check_proof(sweep, event, proof, rows, options.attack, [&](const ProofCheckProgress& progress) {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        display.show([&] { return check_text(progress, taken.count()); });
    });
}

ExitCode verify(const VerifyOptions& options) {
    const std::optional<Proof> proof = results::read_proof(options.file);
    if (!proof)
        throw InputError(
            fmt::format("'{}' contains no proof (search: {{method: proven}} stores one)", options.file));
    const study::Sweep sweep = load_of_results(options.file, options.sweep);
    expect_same_sweep(sweep, options.file);
    const ProofFindings findings = checked(options, *proof, sweep);
    options.json ? print_json_findings(*proof, findings) : print_findings(*proof, findings);
    return findings.wrong == 0 ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_verify(CLI::App& app) {
    const auto options = std::make_shared<VerifyOptions>();
    app.add_option("file", options->file, "results of a sweep with 'search: {method: proven}'")
        ->required()
        ->type_name("FILE.h5");
    add_sweep_options(app, options->sweep);
    app.get_option("sweep")->required(false)->description("its sweep; by default the copy in the file");
    ProofAttack& attack = options->attack;
    app.add_option("--boxes", attack.boxes, "test this many boxes, drawn at random; 0: all")
        ->capture_default_str();
    app.add_option("--corners", attack.corners, "maximum number of corners to evaluate per box")
        ->capture_default_str();
    app.add_option("--points", attack.points, "random points per box")
        ->check(whole_number())
        ->capture_default_str();
    app.add_option("--events", attack.events, "corners to simulate with engine event as well")
        ->capture_default_str();
    app.add_option("--seed", attack.seed, "random seed")->check(whole_number())->capture_default_str();
    app.add_option("--progress", options->progress, "auto, line, log or none")
        ->check(CLI::IsMember(progress_styles()))
        ->type_name("HOW");
    app.add_flag("--json", options->json, "print JSON");
    app.footer(
        "Checks that the boxes of the proof tile the grid, derives every bound again from points at the\n"
        "corners of each box, and tests boxes with random points. Exit code 1: a box is wrong.");
    return [options] { return verify(*options); };
}

}  // namespace dse::app
