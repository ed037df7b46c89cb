#include "dse/model/compute/systolic/reports.hpp"

#include <cmath>

#include <fmt/format.h>

namespace dse::model {
namespace {

/// Builds a report line by line: each field ends with a comma, and all but the first start with a blank.
class Report {
  public:
    explicit Report(const char* heading) : text_{heading} { text_ += ",\n"; }

    void begin_layer(std::size_t layer) { text_ += fmt::format("{},", layer); }
    void count(double value) { text_ += fmt::format(" {:.0f},", value); }
    /// Formats a number like Python does a float: always with a decimal point.
    void real(double value) {
        const std::string digits = fmt::format("{}", value);
        const bool is_plain = digits.find_first_of(".einf") == std::string::npos;
        text_ += fmt::format(" {}{},", digits, is_plain ? ".0" : "");
    }
    void port(const PortCycles& port, double words) {
        real(port.first);
        real(port.last);
        count(words);
    }
    void traffic(const MemoryTraffic& traffic) {
        real(traffic.first_cycle);
        real(traffic.last_cycle);
        count(traffic.words);
    }
    void end_layer() { text_ += '\n'; }

    [[nodiscard]] std::string text() && { return std::move(text_); }

  private:
    std::string text_;
};

template <class Line>
std::string report(const char* heading, std::span<const SystolicLayerRun> runs, Line&& line) {
    Report report{heading};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        report.begin_layer(i);
        line(report, runs[i]);
        report.end_layer();
    }
    return std::move(report).text();
}

double average(const MemoryTraffic& traffic) {
    return traffic.words / (traffic.last_cycle - traffic.first_cycle + 1.0);
}

}  // namespace

std::string compute_report(std::span<const SystolicLayerRun> runs) {
    return report(
        "LayerID, Total Cycles (incl. prefetch), Total Cycles, Stall Cycles, Overall Util %, Mapping "
        "Efficiency %,"
        " Compute Util %",
        runs, [](Report& report, const SystolicLayerRun& run) {
            report.count(run.memory.cycles_with_prefetch);
            report.count(run.memory.cycles);
            report.count(run.memory.stall_cycles);
            report.real(100.0 * run.folds.overall_utilization(run.memory.cycles));
            report.real(100.0 * run.folds.mapping_efficiency());
            report.real(100.0 * run.folds.compute_utilization());
        });
}

std::string bandwidth_report(std::span<const SystolicLayerRun> runs) {
    return report(
        "LayerID, Avg IFMAP SRAM BW, Avg FILTER SRAM BW, Avg OFMAP SRAM BW, Avg IFMAP DRAM BW, Avg FILTER "
        "DRAM BW,"
        " Avg OFMAP DRAM BW",
        runs, [](Report& report, const SystolicLayerRun& run) {
            report.real(run.folds.ifmap_reads() / run.memory.cycles);
            report.real(run.folds.filter_reads() / run.memory.cycles);
            report.real(run.folds.ofmap_writes() / run.memory.cycles);
            report.real(average(run.memory.ifmap));
            report.real(average(run.memory.filter));
            report.real(average(run.memory.ofmap));
        });
}

std::string access_report(std::span<const SystolicLayerRun> runs) {
    return report(
        "LayerID, SRAM IFMAP Start Cycle, SRAM IFMAP Stop Cycle, SRAM IFMAP Reads, SRAM Filter Start Cycle, "
        "SRAM"
        " Filter Stop Cycle, SRAM Filter Reads, SRAM OFMAP Start Cycle, SRAM OFMAP Stop Cycle, SRAM OFMAP "
        "Writes,"
        " DRAM IFMAP Start Cycle, DRAM IFMAP Stop Cycle, DRAM IFMAP Reads, DRAM Filter Start Cycle, DRAM "
        "Filter"
        " Stop Cycle, DRAM Filter Reads, DRAM OFMAP Start Cycle, DRAM OFMAP Stop Cycle, DRAM OFMAP Writes",
        runs, [](Report& report, const SystolicLayerRun& run) {
            report.port(run.ifmap, run.folds.ifmap_reads());
            report.port(run.filter, run.folds.filter_reads());
            report.port(run.ofmap, run.folds.ofmap_writes());
            report.traffic(run.memory.ifmap);
            report.traffic(run.memory.filter);
            report.traffic(run.memory.ofmap);
        });
}

}  // namespace dse::model
