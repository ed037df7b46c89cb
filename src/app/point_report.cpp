#include "app/point_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "app/output_width.hpp"
#include "app/service_report.hpp"
#include "app/shifted_bars.hpp"
#include "dse/eval/measure.hpp"

namespace dse::app {
namespace {

/// Name of the axes of a group.
/// \param group  index into Parts::communication
std::string group_name(std::size_t group) {
    return graph::name(graph::group_axes(group));
}

Json communication_json(const sim::Parts& parts) {
    Json communication = Json::object();
    for (std::size_t group = 0; group < parts.communication.size(); ++group) {
        if (parts.communication[group] != 0.0) communication[group_name(group)] = parts.communication[group];
    }
    return communication;
}

/// Parts of the critical path.
Json parts_json(const sim::Parts& parts) {
    Json by_class = Json::object();
    for (std::size_t i = 0; i < parts.compute.size(); ++i) {
        if (parts.compute[i] != 0.0) {
            by_class[std::string{graph::name(static_cast<graph::OpClass>(i))}] = parts.compute[i];
        }
    }
    return Json{{"compute", parts.compute_time()},
                {"communication", communication_json(parts)},
                {"message", parts.message},
                {"idle", parts.idle},
                {"compute_by_class", by_class}};
}

/// Time of each stage's compute stream by what it was spent on, until the barrier is over.
Json stages_json(const std::vector<sim::Parts>& stages) {
    Json list = Json::array();
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const sim::Parts& parts = stages[stage];
        list.push_back({{"stage", stage},
                        {"busy", parts.own_time()},
                        {"compute", parts.compute_time()},
                        {"communication", communication_json(parts)},
                        {"idle", parts.idle},
                        {"message", parts.message},
                        {"imbalance", parts.imbalance},
                        {"bubble", parts.bubble},
                        {"waits", parts.message + parts.imbalance + parts.bubble}});
    }
    return list;
}

Json memory_json(const sim::BytesByKind& memory) {
    Json json = Json::object();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        json[std::string{graph::name(static_cast<graph::MemoryKind>(i))}] = memory[i];
    }
    return json;
}

std::string name_of(const graph::WorkloadSpec& workload) {
    if (!workload.synthetic.empty()) return fmt::format("{} (seed {})", workload.synthetic, workload.seed);
    return workload.ir.empty() ? workload.model : workload.ir;
}

std::string headline(const eval::Explanation& explanation) {
    const study::Scenario& scenario = *explanation.scenario;
    const graph::Mode mode = scenario.workload.mode;
    const std::string what = is_inference(mode)
                                 ? fmt::format("{} of ", choice_names(mode)[static_cast<std::size_t>(mode)])
                                 : std::string{};
    const std::int64_t tokens = scenario.workload.sequence;
    const std::string work = mode == graph::Mode::serving
                                 ? traffic_text(scenario.workload.traffic)
                                 : fmt::format("global batch {}{}", scenario.workload.global_batch,
                                               tokens > 0 ? fmt::format(", sequence {}", tokens) : "");
    return fmt::format(
        "{}{} on {} x {} ({}); {}\n", what, name_of(scenario.workload),
        human_count(static_cast<std::uint64_t>(std::max<std::int64_t>(scenario.system.devices, 0))),
        scenario.system.cluster.device.name, scenario.system.cluster.name, work);
}

/// Lines "name  time  share" for parts that add up to a whole.
class ShareTable {
  public:
    explicit ShareTable(double whole) : whole_{whole} {
        table_.add_column("", TextTable::Align::left);
        table_.add_column("");
        table_.add_column("");
    }
    void add(std::string name, double part, std::string text) {
        table_.add_row({std::move(name), std::move(text), human_share(part / whole_)});
    }
    [[nodiscard]] std::string text() const { return table_.text(2); }

  private:
    double whole_;
    TextTable table_;
};

/// Calls `add(name, seconds)` for every part that is not zero.
template <class Add>
void for_each_part(const sim::Parts& parts, Add add) {
    for (std::size_t i = 0; i < parts.compute.size(); ++i) {
        if (parts.compute[i] == 0.0) continue;
        add(fmt::format("compute: {}", graph::name(static_cast<graph::OpClass>(i))), parts.compute[i]);
    }
    for (std::size_t group = 0; group < parts.communication.size(); ++group) {
        if (parts.communication[group] == 0.0) continue;
        add("communication: " + group_name(group), parts.communication[group]);
    }
    if (parts.message != 0.0) add("messages between stages", parts.message);
    if (parts.idle != 0.0) add("idle (copies, launches)", parts.idle);
}

/// Of kernels beside communication that the path leads through: without it, the path of a run that waits for
/// its gathers reads as if its devices idled.
std::string hidden_kernels_text(const sim::Result& result) {
    const sim::PathParts& parts = result.parts.value();
    if (parts.busiest_stage >= result.stages.size()) return {};
    const double computed = result.stages[parts.busiest_stage].compute_time();
    const double on_path = parts.busy.compute_time() + parts.bubble.compute_time();
    constexpr double worth_telling = 0.01;
    if (computed - on_path < worth_telling * result.iteration_time) return {};
    return paragraph(fmt::format(
        "  Kernels run during {} of the iteration, most of them beside communication on this path, which is "
        "exposed only where they wait for it (column exposed, below).",
        human_share(computed / result.iteration_time)));
}

std::string parts_text(const sim::Result& result) {
    const sim::PathParts& parts = result.parts.value();
    ShareTable table{result.iteration_time};
    const auto add = [&](std::string name, double seconds) {
        table.add(std::move(name), seconds, human_seconds(seconds));
    };
    for_each_part(parts.busy, add);
    add("bubble (filling and draining)", parts.bubble.sum());
    for_each_part(parts.bubble,
                  [&add](const std::string& name, double seconds) { add("  of it " + name, seconds); });
    add("sum = iteration time", parts.sum());
    const std::string heading = paragraph(
        fmt::format("Where the time goes, along the critical path (bubble: through other stages, while stage "
                    "{}, the busiest one, waits):",
                    parts.busiest_stage));
    return heading + table.text() + hidden_kernels_text(result);
}

/// Table of pipeline stages; empty if there is only one.
std::string stages_text(const sim::Result& result) {
    if (result.stages.size() < 2) return {};
    TextTable table;
    for (const char* heading :
         {"stage", "compute", "communication", "idle", "messages", "imbalance", "bubble"}) {
        table.add_column(heading);
    }
    const auto share = [&](double part) { return human_share(part / result.iteration_time); };
    for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
        const sim::Parts& parts = result.stages[stage];
        table.add_row({std::to_string(stage), share(parts.compute_time()), share(parts.communication_time()),
                       share(parts.idle), share(parts.message), share(parts.imbalance), share(parts.bubble)});
    }
    return fmt::format("\nWhat the compute stream of each stage does or waits for:\n{}", table.text(2));
}

bool is_of_other_mode(graph::MemoryKind kind, graph::Mode mode) {
    if (kind == graph::MemoryKind::recurrent_state) return true;  // few models have them
    if (kind == graph::MemoryKind::kv_cache) return !is_inference(mode);
    return is_inference(mode) &&
           (kind == graph::MemoryKind::gradients || kind == graph::MemoryKind::optimizer);
}

/// Metrics of the row. Of a point that does not fit, which has none, those of its memory.
metrics::Metrics told_metrics(const eval::Explanation& explanation) {
    metrics::Metrics told = explanation.record.metrics;
    if (explanation.record.status != space::Status::out_of_memory || !has_result(explanation)) return told;
    const metrics::Metrics& simulated = explanation.metrics;
    told.memory_capacity = simulated.memory_capacity;
    told.memory_peak = simulated.memory_peak;
    told.memory_peak_low = simulated.memory_peak_low;
    told.memory_peak_high = simulated.memory_peak_high;
    told.probability_fits = simulated.probability_fits;
    return told;
}

std::string memory_text(const eval::Explanation& explanation) {
    const sim::BytesByKind memory = memory_by_kind(explanation);
    const double capacity = explanation.scenario->system.cluster.device.memory.capacity.value();
    double total = 0.0;
    const graph::Mode mode = explanation.scenario->workload.mode;
    ShareTable table{capacity};
    for (std::size_t i = 0; i < memory.size(); ++i) {
        total += memory[i];
        // Inference has neither gradients nor optimizer states, and training has no cache.
        if (memory[i] == 0.0 && is_of_other_mode(static_cast<graph::MemoryKind>(i), mode)) continue;
        table.add(std::string{graph::name(static_cast<graph::MemoryKind>(i))}, memory[i],
                  human_bytes(memory[i]));
    }
    table.add("sum = peak", total, human_bytes(total));
    std::string text = fmt::format("Memory of the fullest device (stage {}) at its peak, of {}:\n{}",
                                   explanation.memory.stage, human_bytes(capacity), table.text());
    const metrics::Metrics metrics = told_metrics(explanation);
    if (!std::isnan(metrics.probability_fits)) {
        text += fmt::format("A run would have {} to {} (80 %), and fits with a probability of {}.\n",
                            human_bytes(metrics.memory_peak_low), human_bytes(metrics.memory_peak_high),
                            human_share(metrics.probability_fits));
    }
    if (explanation.memory.host > 0.0) {
        text += fmt::format("Peak host memory per device: {} of {}.\n", human_bytes(explanation.memory.host),
                            human_bytes(explanation.scenario->system.cluster.host.capacity.value()));
    }
    return text;
}

/// Metrics of a server; empty for training.
std::string serving_text(const metrics::Metrics& m, graph::Mode mode) {
    if (!is_inference(mode)) return {};
    std::string text = fmt::format("  time to first token {}", human_seconds(m.time_to_first_token));
    if (mode == graph::Mode::decode)
        text += fmt::format("   time per output token {}", human_seconds(m.time_per_output_token));
    text += fmt::format("   {} tokens/s per device\n", human_count(m.tokens_per_second_per_device));
    if (!std::isnan(m.requests_per_second)) text += fmt::format("  {:.3g} requests/s", m.requests_per_second);
    return text + fmt::format("  at most {} sequences fit\n", human_count(m.batch_limit));
}

/// Interval in which a measurement would lie; empty if no errors are known.
std::string bars_text(double low, double high) {
    if (std::isnan(low)) return {};
    return fmt::format(" (measured: {} to {}, 80 %)", human_seconds(low), human_seconds(high));
}

/// Energy, cost and emissions per token; empty if there are no tokens or if power is unknown.
std::string tokens_text(const metrics::Metrics& m) {
    if (std::isnan(m.joules_per_token)) return {};
    std::string text =
        fmt::format("  power {:.4g} kW   {} per token", m.power / 1e3, human_value(m.joules_per_token, "J"));
    std::vector<std::string> of_a_million;
    if (!std::isnan(m.usd_per_mtoken)) of_a_million.push_back(human_value(m.usd_per_mtoken, "USD"));
    if (!std::isnan(m.gco2e_per_mtoken))
        of_a_million.push_back(human_value(m.gco2e_per_mtoken, "g") + " CO2e");
    if (!of_a_million.empty())
        text += fmt::format("   {} per million tokens", fmt::join(of_a_million, " and "));
    return text + "\n";
}

/// Why the interval does not hold the prediction; empty if it does.
std::string shift_text(const metrics::Metrics& m, bool has_stack) {
    if (!is_shifted(m.iteration_time, m.iteration_time_low, m.iteration_time_high)) return {};
    return fmt::format("    measured steps take longer than predicted of {} (docs/accuracy.md)\n",
                       has_stack ? "a chip known by its datasheet alone"
                                 : "an idealized framework: state a stack (dse list stacks)");
}

std::string figures_text(const metrics::Metrics& m, const graph::WorkloadSpec& workload) {
    const graph::Mode mode = workload.mode;
    if (mode == graph::Mode::serving) return service_text(m);
    const std::string rate = std::isnan(m.tokens_per_second) ? human_value(m.samples_per_second, "samples/s")
                                                             : human_value(m.tokens_per_second, "tokens/s");
    return serving_text(m, mode) +
           fmt::format("  iteration time {}{}   MFU {}   {}\n{}", human_seconds(m.iteration_time),
                       bars_text(m.iteration_time_low, m.iteration_time_high), human_share(m.mfu), rate,
                       shift_text(m, !workload.preset.name.empty())) +
           fmt::format("  energy {}   cost {}   per iteration\n", human_value(m.energy, "J"),
                       human_value(m.cost, "USD")) +
           tokens_text(m);
}

}  // namespace

Json value_json(const space::Space& space, std::size_t slot, double value) {
    using config::FieldType;
    switch (space.slot_info(slot).type) {
        case FieldType::integer:
            return static_cast<std::int64_t>(value);
        case FieldType::flag:
            return value != 0.0;
        case FieldType::choice:
        case FieldType::text:
            return space.format(slot, value);
        case FieldType::number:
        case FieldType::quantity:
            break;
    }
    return value;
}

bool has_result(const eval::Explanation& explanation) {
    return explanation.result.iteration_time > 0.0;
}

sim::BytesByKind memory_by_kind(const eval::Explanation& explanation) {
    sim::BytesByKind memory = explanation.memory.by_kind;
    const double peak = eval::peak_memory(*explanation.scenario, explanation.memory).value();
    memory[static_cast<std::size_t>(graph::MemoryKind::workspace)] += peak - explanation.memory.total;
    return memory;
}

Json point_json(const space::Space& space, const eval::Explanation& explanation) {
    const space::Record& record = explanation.record;
    Json json = json_object();
    json["status"] = space::name(record.status);
    json["reason"] = record.reason;
    Json& point = json["point"] = Json{{"id", record.point.id}};
    for (std::size_t slot = 0; slot < space.width(); ++slot) {
        point[space.slot_name(slot)] = value_json(space, slot, record.point.values[slot]);
    }
    const metrics::Metrics told = told_metrics(explanation);
    Json& metrics = json["metrics"] = Json::object();
    for (const metrics::MetricField& field : metrics::metric_fields())
        metrics[std::string{field.name}] = told.*field.member;
    const bool known = has_result(explanation);
    const bool has_parts = known && explanation.result.parts;
    json["parts"] = has_parts ? parts_json(explanation.result.parts->busy) : Json::object();
    json["bubble"] = has_parts ? parts_json(explanation.result.parts->bubble) : Json::object();
    if (has_parts) json["busiest_stage"] = explanation.result.parts->busiest_stage;
    json["stages"] = stages_json(explanation.result.stages);
    json["memory"] = known ? memory_json(memory_by_kind(explanation)) : Json::object();
    if (known) json["last_stage"] = explanation.result.last_stage;
    return json;
}

std::string point_text(const study::Sweep& sweep, const eval::Explanation& explanation,
                       std::optional<std::uint64_t> id) {
    const space::Record& record = explanation.record;
    std::string text = headline(explanation);
    text += fmt::format("  point{}: {}\n", id ? fmt::format(" {}", *id) : "",
                        study::describe(*sweep.space, record.point));
    text += fmt::format("  status: {}{}{}\n", space::name(record.status), record.reason.empty() ? "" : ": ",
                        record.reason);
    if (record.status == space::Status::ok)
        text +=
            figures_text(record.metrics, explanation.scenario->workload) + classes_text(explanation.classes);
    if (!has_result(explanation)) return text;
    if (explanation.result.parts)
        text += "\n" + parts_text(explanation.result) + stages_text(explanation.result);
    return text + "\n" + memory_text(explanation);
}

}  // namespace dse::app
