#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/bytes_option.hpp"
#include "app/choice_option.hpp"
#include "app/et/et.hpp"
#include "app/force.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "dse/base/error.hpp"
#include "dse/trace/msccl/write_traces.hpp"

namespace dse::app::et {
namespace {

namespace msccl = trace::msccl;

struct MscclOptions {
    std::string file;
    std::string prefix;
    std::string bytes;
    msccl::SendEnd send_end{msccl::SendEnd::departure};
    bool json{false};
    Existing existing{Existing::refuse};
};

/// Largest number of chunks that a rank sends.
std::int64_t most_sent(const msccl::Algorithm& algorithm) {
    std::int64_t most = 0;
    for (const msccl::AlgorithmRank& rank : algorithm.ranks) {
        std::int64_t sent = 0;
        for (const msccl::ThreadBlock& block : rank.blocks) {
            for (const msccl::Step& step : block.steps) sent += step.sends() ? step.count : 0;
        }
        most = std::max(most, sent);
    }
    return most;
}

std::int64_t messages(const msccl::Algorithm& algorithm) {
    std::int64_t count = 0;
    for (const msccl::AlgorithmRank& rank : algorithm.ranks) {
        for (const msccl::ThreadBlock& block : rank.blocks)
            count += std::ranges::count_if(block.steps, &msccl::Step::sends);
    }
    return count;
}

/// What the algorithm does, and whether it is right.
void print_text(const msccl::Algorithm& algorithm, const msccl::AlgorithmRun& run) {
    std::cout << fmt::format(
        "{}: {} among {} ranks, {} chunks; {} messages, {:.4g} vectors sent by a rank at most\n",
        algorithm.name.empty() ? algorithm.path : algorithm.name,
        algorithm.collective.empty() ? "no stated collective" : algorithm.collective, algorithm.ranks.size(),
        algorithm.chunks_per_loop, messages(algorithm),
        static_cast<double>(most_sent(algorithm)) / static_cast<double>(algorithm.chunks_per_loop));
    if (!run.is_checked) {
        std::cout << "not checked: what this collective leaves where is not known\n";
    } else if (run.wrong == 0) {
        std::cout << "right: every rank ends with what the collective leaves there\n";
    } else {
        std::cout << fmt::format("wrong: {}, for example {} (rank.chunk of the inputs)\n",
                                 counted(static_cast<std::size_t>(run.wrong), "chunk"), run.example);
    }
}

void print_as_json(const msccl::Algorithm& algorithm, const msccl::AlgorithmRun& run) {
    Json json = json_object();
    json["name"] = algorithm.name;
    json["collective"] = algorithm.collective;
    json["ranks"] = algorithm.ranks.size();
    json["chunks"] = algorithm.chunks_per_loop;
    json["messages"] = messages(algorithm);
    json["most_sent"] =
        static_cast<double>(most_sent(algorithm)) / static_cast<double>(algorithm.chunks_per_loop);
    json["checked"] = run.is_checked;
    json["wrong"] = run.wrong;
    if (run.wrong > 0) json["example"] = run.example;
    print_json(json);
}

ExitCode convert(const MscclOptions& options) {
    if (options.prefix.empty() != options.bytes.empty())
        throw InputError("--output and --bytes belong together: messages in traces have a size");
    const msccl::Algorithm algorithm = msccl::read_algorithm(options.file);
    const msccl::AlgorithmRun run = msccl::run_algorithm(algorithm);
    if (options.json) {
        print_as_json(algorithm, run);
    } else {
        print_text(algorithm, run);
    }
    if (!options.prefix.empty()) {
        const double bytes = std::ceil(bytes_option(options.bytes).value());
        constexpr double most_bytes = 0x1p53;
        if (bytes > most_bytes) throw InputError(fmt::format("--bytes {}: too large", options.bytes));
        const auto whole = static_cast<std::int64_t>(bytes);
        const std::uint64_t nodes =
            msccl::write_traces(algorithm, run, whole, options.send_end, options.prefix, options.existing);
        std::cerr << fmt::format("{}.<rank>.et: {} ranks, {} nodes, chunks of {} bytes\n", options.prefix,
                                 algorithm.ranks.size(), human_count(nodes), chunk_bytes(algorithm, whole));
    }
    return run.wrong == 0 ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_msccl(CLI::App& app) {
    const auto options = std::make_shared<MscclOptions>();
    app.add_option("algorithm", options->file, "a collective algorithm in MSCCL's XML")
        ->required()
        ->type_name("FILE.xml");
    app.add_option("-o,--output", options->prefix,
                   "PREFIX of the traces to write (default: none are written)")
        ->type_name("PREFIX");
    app.add_option(
           "--bytes", options->bytes,
           "size of the whole vector, with a unit: each rank's or, for an all-gather, the gathered one")
        ->type_name("SIZE");
    const std::map<std::string, msccl::SendEnd> ends{{"departure", msccl::SendEnd::departure},
                                                     {"arrival", msccl::SendEnd::arrival}};
    app.add_option(
           "--next-step", options->send_end,
           "when a thread block goes on behind a send: at its departure (default), or at its arrival, as "
           "ASTRA-sim's own converter has it")
        ->transform(choice_of(ends))
        ->type_name("departure|arrival");
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return convert(*options); };
}

}  // namespace dse::app::et
