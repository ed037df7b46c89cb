#include <algorithm>

#include "app/command.hpp"

namespace dse::app {

const std::vector<Command>& commands() {
    static const std::vector<Command> table{
        {"run", "run a sweep, or resume it (same as 'dse SWEEP.yaml'; also under mpirun)", &declare_run},
        {"plan", "show what a sweep would do: axes, points, effect of each constraint, expected time",
         &declare_plan},
        {"point", "explain one point of a sweep: time and its parts, memory, critical path", &declare_point},
        {"advise", "suggest changes to a measured run, step by step, with the gain of each", &declare_advise},
        {"answer", "evaluate points from standard input, line by line, for external optimizers",
         &declare_answer},
        {"compare", "compare one point of a sweep under several predictors", &declare_compare},
        {"trace", "write execution traces (Chakra) of one point", &declare_trace},
        {"simulate", "simulate existing execution traces (Chakra) on a machine", &declare_simulate},
        {"check",
         "report all errors in sweeps, models, machines, software stacks, tables and other input files, with "
         "their locations",
         &declare_check},
        {"et", "inspect, check, compare and convert execution traces (Chakra)", &declare_et},
        {"import",
         "summarize a compiler's program (StableHLO, HLO, FX) and write its traces; or convert a config.json "
         "to a model",
         &declare_import},
        {"synth",
         "learn, sample and evaluate families of traces (stand-ins for traces that cannot be shared)",
         &declare_synth},
        {"pareto", "show the Pareto front of a results file", &declare_pareto},
        {"sensitivity",
         "show which axes determine the objectives of a results file, and the value of each machine "
         "parameter",
         &declare_sensitivity},
        {"regret", "show what each design loses against the best one, over draws of uncertain values",
         &declare_regret},
        {"best", "show the best points of a results file by one metric", &declare_best},
        {"diff", "compare the sweeps, rows and fronts of two results files", &declare_diff},
        {"report", "draw figures or an interactive page of a results file", &declare_report},
        {"export", "export the rows of a results file to other formats", &declare_export},
        {"merge", "merge results files of the same sweep", &declare_merge},
        {"parts", "add the parts of the iteration time to a results file", &declare_parts},
        {"gemm", "predict the time of one matrix product with every compute model", &declare_gemm},
        {"kernels", "compare predicted with measured times and power of single kernels", &declare_kernels},
        {"fit", "fit a device or network file to measured kernels and collectives, with held-out errors",
         &declare_fit},
        {"systolic", "simulate layers on a systolic array, with SCALE-Sim's inputs and reports",
         &declare_systolic},
        {"collective", "predict the time of one collective with every network model", &declare_collective},
        {"validate", "compare predictions with published measurements, with errors by source",
         &declare_validate},
        {"verify", "check the optimality proof of a front", &declare_verify},
        {"init", "write a commented, runnable sweep", &declare_init},
        {"schema", "print the JSON Schema of sweeps, models, templates, clusters, devices or stacks",
         &declare_schema},
        {"completion", "print a completion script for a shell", &declare_completion},
        {"man", "print or write the manual pages", &declare_man},
        {"list", "list what sweeps can use: devices, clusters, models, samplers, …", &declare_list},
    };
    return table;
}

const Command* find_command(std::string_view name) {
    const auto found =
        std::find_if(commands().begin(), commands().end(), [&](const Command& c) { return c.name == name; });
    return found == commands().end() ? nullptr : &*found;
}

}  // namespace dse::app
