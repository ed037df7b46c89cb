#include "app/service_report.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

using metrics::Metrics;

struct LatencyRow {
    const char* name;
    std::array<double Metrics::*, 5> fields;
};

constexpr std::array<LatencyRow, 4> latencies{{
    {"time to first token",
     {&Metrics::ttft_mean, &Metrics::ttft_p50, &Metrics::ttft_p90, &Metrics::ttft_p95, &Metrics::ttft_p99}},
    {"time per output token",
     {&Metrics::tpot_mean, &Metrics::tpot_p50, &Metrics::tpot_p90, &Metrics::tpot_p95, &Metrics::tpot_p99}},
    {"between two tokens",
     {&Metrics::itl_mean, &Metrics::itl_p50, &Metrics::itl_p90, &Metrics::itl_p95, &Metrics::itl_p99}},
    {"end to end",
     {&Metrics::e2e_mean, &Metrics::e2e_p50, &Metrics::e2e_p90, &Metrics::e2e_p95, &Metrics::e2e_p99}},
}};

std::string latency_text(const Metrics& metrics) {
    TextTable table;
    table.add_column("latency", TextTable::Align::left);
    for (const char* name : {"mean", "p50", "p90", "p95", "p99"}) table.add_column(name);
    for (const LatencyRow& row : latencies) {
        std::vector<std::string> cells{row.name};
        for (const auto field : row.fields)
            cells.push_back(std::isnan(metrics.*field) ? "-" : human_seconds(metrics.*field));
        table.add_row(std::move(cells));
    }
    return table.text(2);
}

std::string highest_rate_text(const Metrics& m) {
    if (std::isnan(m.max_request_rate)) return {};
    if (m.max_request_rate == 0.0 && m.requests_refused > 0.0)
        return fmt::format("  no rate meets them: {:g} requests do not fit even on their own\n",
                           m.requests_refused);
    if (m.max_request_rate == 0.0)
        return fmt::format(
            "  no rate meets them, down to {:.2g} requests/s: requests that are served alone miss a level, "
            "or are given up\n",
            m.max_request_rate_high);
    const std::string high = std::isnan(m.max_request_rate_high)
                                 ? std::string{" or more"}
                                 : fmt::format(" to {:.4g}", m.max_request_rate_high);
    std::string text =
        fmt::format("  highest rate that meets them: {:.4g}{} requests/s", m.max_request_rate, high);
    if (!std::isnan(m.usd_per_mtoken_at_max_rate))
        text += fmt::format(", at {:.3g} USD per million output tokens", m.usd_per_mtoken_at_max_rate);
    if (std::isnan(m.max_request_rate_high))
        text +=
            "\n  (a higher one would need more traffic.requests, since no queue grows before all have "
            "arrived, "
            "or is above 4,096 times the stated one)";
    return text + "\n";
}

/// "-22 % to +29 %"
std::string bar_text(double low, double value, double high) {
    return fmt::format("{:+.0f} % to {:+.0f} %", 100.0 * (low / value - 1.0), 100.0 * (high / value - 1.0));
}

/// How far measured means and medians are from predicted ones.
std::string bars_text(const Metrics& m) {
    if (std::isnan(m.ttft_mean_low) || std::isnan(m.tpot_mean_low)) return {};
    return fmt::format(
        "  measured means and medians (80 %): time to first token {}, time per output token {};\n"
        "  higher percentiles were not compared with measurements\n",
        bar_text(m.ttft_mean_low, m.ttft_mean, m.ttft_mean_high),
        bar_text(m.tpot_mean_low, m.tpot_mean, m.tpot_mean_high));
}

std::string levels_text(const Metrics& m) {
    if (std::isnan(m.slo_worst) && std::isnan(m.slo_attainment)) return {};
    // Nobody may have been answered at the stated rate, and levels of a time per token may meet answers of
    // one.
    if (std::isnan(m.slo_worst))
        return fmt::format("  levels: {} of the requests meet them\n", human_share(m.slo_attainment)) +
               highest_rate_text(m);
    std::string text = fmt::format(
        "  levels: {} of the requests meet them ({:.3g} requests/s); the worst latency is {:.3g} times "
        "its level\n",
        human_share(m.slo_attainment), m.goodput, m.slo_worst);
    return text + highest_rate_text(m);
}

/// A line for one of two pools; empty with one pool.
std::string pool_text(const char* pool, double utilization, double queue_mean, double queue_max,
                      double cache_use_mean, double cache_use_max) {
    if (std::isnan(utilization)) return {};
    return fmt::format(
        "  {} pool: busy {} of the time   {:.4g} waiting (at most {:g} at one worker)   cache {} used (at "
        "most {})\n",
        pool, human_share(utilization), queue_mean, queue_max, human_share(cache_use_mean),
        human_share(cache_use_max));
}

/// What failures of replicas did, and clients without patience; empty if there were none.
std::string failures_text(const Metrics& m) {
    if (!(m.availability < 1.0))
        return m.requests_lost > 0.0
                   ? fmt::format("  clients gave up {:g} requests before they were answered\n",
                                 m.requests_lost)
                   : "";
    return fmt::format("  replicas are up {} of the time   {:g} requests started over   {:g} requests lost\n",
                       human_share(m.availability), m.requests_retried, m.requests_lost);
}

/// How the rate changes over time; empty if it does not.
std::string course_text(const graph::Traffic& traffic) {
    if (traffic.ramp_to.value() > 0.0)
        return fmt::format(", after {} at {:g}", human_seconds(traffic.ramp_time.value()),
                           traffic.ramp_to.value());
    if (traffic.day.value() > 0.0)
        return fmt::format(" on average, ± {} over {}", human_share(traffic.day_swing),
                           human_seconds(traffic.day.value()));
    return {};
}

/// What prompts begin with; empty if they have nothing in common.
std::string prefix_text(const graph::RequestPrefixes& prefixes) {
    if (prefixes.prefix == 0) return {};
    const std::string who =
        prefixes.prefix_share < 1.0 ? human_share(prefixes.prefix_share) + " of them " : "";
    return fmt::format(
        " ({}behind {} of {} tokens)", who,
        prefixes.prefixes == 1 ? "a common prefix" : fmt::format("one of {} prefixes", prefixes.prefixes),
        prefixes.prefix);
}

/// How requests continue others; empty if none does.
std::string turns_text(const graph::Traffic& turns) {
    if (!turns.continue_others()) return {};
    const std::string many = fmt::format(", in conversations of {}{} turns",
                                         turns.turns_spread > 0.0 ? "about " : "", turns.turns);
    const std::string gap = human_seconds(turns.turn_gap.value());
    if (turns.clients == 0) return fmt::format("{}, {} apart", many, gap);
    return turns.turn_gap.value() > 0.0 ? fmt::format("{}, {} after each answer", many, gap) : many;
}

/// What caches had of the prompts; empty if they had nothing.
std::string hits_text(const Metrics& m) {
    if (!(m.cache_hit_rate > 0.0)) return {};
    return fmt::format(
        "  found in a cache: {} of the prompts' tokens{}\n", human_share(m.cache_hit_rate),
        m.host_hit_rate > 0.0 ? fmt::format(", {} in host memory", human_share(m.host_hit_rate)) : "");
}

}  // namespace

std::string traffic_text(const graph::Traffic& traffic) {
    if (!traffic.trace.empty()) {
        const std::string speed =
            traffic.speed == 1.0 ? "" : fmt::format(" at {:g} times their speed", traffic.speed);
        return fmt::format("requests from {}{}", traffic.trace, speed);
    }
    const auto arrivals = choice_names(traffic.arrivals)[static_cast<std::size_t>(traffic.arrivals)];
    const std::string who = traffic.clients > 0
                                ? fmt::format("{} clients", traffic.clients)
                                : fmt::format("{} at {:g} requests/s", arrivals, traffic.rate.value());
    if (traffic.classes.empty())
        return fmt::format("{}{}, {} of {}{}, answers of {} tokens{}", who, course_text(traffic),
                           traffic.continue_others() ? "messages" : "prompts", traffic.prompt,
                           prefix_text(traffic), traffic.output, turns_text(traffic));
    return fmt::format("{}{}, {} classes of requests", who, course_text(traffic), traffic.classes.size());
}

std::string classes_text(std::span<const serving::ClassOutcome> classes) {
    if (classes.empty()) return {};
    using serving::Latency;
    constexpr std::size_t mean = 0;
    constexpr std::size_t p99 = 4;
    TextTable table;
    table.add_column("class", TextTable::Align::left);
    for (const char* name :
         {"requests", "ttft mean", "p99", "tpot mean", "p99", "e2e p99", "meet levels", "worst/level"})
        table.add_column(name);
    const auto time = [](double seconds) { return std::isnan(seconds) ? "-" : human_seconds(seconds); };
    for (const serving::ClassOutcome& one : classes) {
        const auto sent = static_cast<double>(one.answered + one.refused + one.lost);
        table.add_row({one.name, fmt::format("{}", one.answered), time(one.latency[Latency::ttft][mean]),
                       time(one.latency[Latency::ttft][p99]), time(one.latency[Latency::tpot][mean]),
                       time(one.latency[Latency::tpot][p99]), time(one.latency[Latency::e2e][p99]),
                       one.answered == 0 ? "-" : human_share(static_cast<double>(one.good) / sent),
                       std::isnan(one.worst_level) ? "-" : fmt::format("{:.3g}", one.worst_level)});
    }
    return table.text(2);
}

std::string service_text(const Metrics& m) {
    std::string text = latency_text(m) + bars_text(m);
    text +=
        fmt::format("  {:.4g} requests/s   {:.4g} output tokens/s ({:.4g} per device)", m.requests_per_second,
                    m.output_tokens_per_second, m.output_tokens_per_second_per_device);
    if (!std::isnan(m.usd_per_mtoken))
        text += fmt::format("   {:.3g} USD per million at this rate", m.usd_per_mtoken);
    text += "\n" + levels_text(m);
    text += fmt::format(
        "  {:.4g} running requests, {:.4g} waiting (steps leave at most {:g} at one replica)   cache {} used "
        "(at most "
        "{})\n",
        m.running_mean, m.queue_mean, m.queue_max, human_share(m.cache_use_mean),
        human_share(m.cache_use_max));
    text += pool_text("prefill", m.prefill_utilization, m.prefill_queue_mean, m.prefill_queue_max,
                      m.prefill_cache_use_mean, m.prefill_cache_use_max);
    text += pool_text("decode", m.decode_utilization, m.decode_queue_mean, m.decode_queue_max,
                      m.decode_cache_use_mean, m.decode_cache_use_max);
    text += hits_text(m);
    text += failures_text(m);
    text += fmt::format("  {:g} preemptions   {:g} requests refused   {:g} steps in {}\n", m.preemptions,
                        m.requests_refused, m.serving_steps, human_seconds(m.serving_time));
    return text + fmt::format("  decode step with the mean batch: {}\n", human_seconds(m.iteration_time));
}

}  // namespace dse::app
