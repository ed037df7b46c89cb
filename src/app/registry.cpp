#include <algorithm>

#include "app/command.hpp"

namespace dse::app {

const std::vector<Command>& commands() {
    static const std::vector<Command> table{
        {"run", "run a sweep, or go on with it (what 'dse SWEEP.yaml' does; also under mpirun)",
         &declare_run},
        {"plan", "what a sweep would do: axes, points, what each constraint drops, how long it takes",
         &declare_plan},
        {"point", "one point of a sweep in full: time and its parts, memory, who waits for whom",
         &declare_point},
        {"advise", "what to change in a run that was measured, step by step, and what each change buys",
         &declare_advise},
        {"answer", "points from standard input, answered line by line: for optimizers of one's own",
         &declare_answer},
        {"compare", "one point of a sweep under several predictors, side by side", &declare_compare},
        {"trace", "the execution traces (Chakra) of one point's ranks, and their communicators",
         &declare_trace},
        {"simulate", "existing execution traces (Chakra), played on a machine", &declare_simulate},
        {"check", "every error of sweeps, models, templates, devices and clusters, with its place",
         &declare_check},
        {"et", "execution traces (Chakra): what they hold, what is wrong with them, what differs",
         &declare_et},
        {"import",
         "a compiler's program (StableHLO, HLO, FX): what it holds, its execution traces; or a config.json "
         "as a model",
         &declare_import},
        {"synth",
         "families of traces: learned, sampled, judged (traces that stand in for those nobody may share)",
         &declare_synth},
        {"pareto", "the best points of a results file", &declare_pareto},
        {"sensitivity",
         "which axes decide the objectives of a results file; what one unit of the machine is worth",
         &declare_sensitivity},
        {"regret", "what designs lose against the best of them, draw by draw of what nobody knows exactly",
         &declare_regret},
        {"best", "the best points of a results file by one metric", &declare_best},
        {"diff", "two results files: what differs between their sweeps, rows and fronts", &declare_diff},
        {"report", "pictures of a results file", &declare_report},
        {"export", "rows of a results file for other tools", &declare_export},
        {"merge", "results files of one sweep, put together", &declare_merge},
        {"parts", "the parts of the iteration time, filled into a results file", &declare_parts},
        {"gemm", "time of one matrix product under every compute model", &declare_gemm},
        {"kernels", "times and power of single kernels of a file, beside what was measured",
         &declare_kernels},
        {"fit", "a device or network file from measured kernels and collectives, with errors held out",
         &declare_fit},
        {"systolic", "layers on a systolic array: SCALE-Sim's own inputs and reports", &declare_systolic},
        {"collective", "time of one collective under every network model", &declare_collective},
        {"validate", "predictions beside published measurements, with errors by source", &declare_validate},
        {"verify", "the proof of a front, derived anew and attacked", &declare_verify},
        {"init", "a sweep to begin with: commented, and it runs as it is", &declare_init},
        {"schema", "the JSON Schema of sweeps, models, templates, clusters, devices or stacks",
         &declare_schema},
        {"completion", "a script that makes a shell complete what follows dse", &declare_completion},
        {"man", "manual pages of all commands", &declare_man},
        {"list", "what sweeps can name: devices, clusters, models, samplers, …", &declare_list},
    };
    return table;
}

const Command* find_command(std::string_view name) {
    const auto found =
        std::find_if(commands().begin(), commands().end(), [&](const Command& c) { return c.name == name; });
    return found == commands().end() ? nullptr : &*found;
}

}  // namespace dse::app
