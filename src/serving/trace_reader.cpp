#include "dse/serving/trace_reader.hpp"

#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/graph/traffic.hpp"
#include "serving/line_reader.hpp"
#include "serving/trace_line.hpp"

namespace dse::serving {
namespace {

/// Mooncake's: 512 tokens a block (Qin et al., FAST 2025, release of the traces).
constexpr std::int64_t piece_tokens = 512;

std::int32_t tokens_of(double count, const char* what) {
    if (count == 0.0) throw InputError(fmt::format("has no {} tokens (leave failed requests out)", what));
    if (count < 0.0 || count != std::floor(count) || count > static_cast<double>(graph::most_request_tokens))
        throw InputError(fmt::format("{} {} tokens are none that a request may have (1 to {})", count, what,
                                     graph::most_request_tokens));
    return static_cast<std::int32_t>(count);
}

/// Puts lines together, and refuses what cannot be.
class Collector {
  public:
    void add(const TraceLine& line) {
        if (!(line.time >= 0.0))
            throw InputError(fmt::format("arrives at {} s, before the beginning", line.time));
        const bool is_first = requests_.all.empty();
        if (is_first) first_ = line.time;
        if (!is_first && line.time < last_)
            throw InputError(fmt::format("arrives {} s before the line above it (sort the file by time)",
                                         last_ - line.time));
        last_ = line.time;
        if (last_ - first_ > longest_run)
            throw InputError(fmt::format("arrives {:g} s after the first request, and a run may last {:g} s",
                                         last_ - first_, longest_run));
        if (requests_.all.size() >= static_cast<std::size_t>(graph::most_run_requests))
            throw InputError(fmt::format("is one request more than the {} of a run (say most_requests)",
                                         graph::most_run_requests));
        requests_.all.push_back(
            {to_ticks(last_ - first_), tokens_of(line.prompt, "prompt"), tokens_of(line.output, "output")});
        add_pieces(line);
    }

    [[nodiscard]] bool has(std::int64_t most) const {
        return most > 0 && requests_.all.size() >= static_cast<std::size_t>(most);
    }

    Requests take() {
        if (requests_.pieces.empty()) requests_.first_piece.clear();
        requests_.piece_names = names_.size();
        if (!requests_.first_piece.empty())
            requests_.first_piece.push_back(static_cast<std::uint32_t>(requests_.pieces.size()));
        return std::move(requests_);
    }

  private:
    void add_pieces(const TraceLine& line) {
        requests_.piece_tokens = piece_tokens;
        requests_.first_piece.push_back(static_cast<std::uint32_t>(requests_.pieces.size()));
        for (const std::uint32_t piece : line.pieces)
            requests_.pieces.push_back(
                names_.try_emplace(piece, static_cast<std::uint32_t>(names_.size())).first->second);
    }

    Requests requests_;
    std::unordered_map<std::uint32_t, std::uint32_t> names_;  ///< of pieces, by those of the file
    double first_{0};
    double last_{0};
};

void read_lines(LineReader& lines, std::int64_t most, Collector& collector) {
    std::string_view text;
    TraceLine line;
    std::optional<TraceColumns> columns;
    bool has_head = false;
    while (!collector.has(most) && lines.next(text)) {
        if (text.empty()) continue;
        if (!has_head) {
            has_head = true;
            if (!text.starts_with('{')) {
                columns.emplace(text);
                continue;
            }
        }
        columns ? columns->read(text, line) : read_json_line(text, line);
        collector.add(line);
    }
}

}  // namespace

Requests read_trace(const std::string& path, std::int64_t most) {
    LineReader lines{path};
    Collector collector;
    try {
        read_lines(lines, most, collector);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", lines.where(), error.what()));
    }
    Requests requests = collector.take();
    if (requests.all.empty()) throw InputError(fmt::format("{}: holds no requests", path));
    return requests;
}

void speed_up(double speed, Requests& requests) {
    if (to_seconds(requests.all.back().arrival) / speed > longest_run)
        throw ModelError(fmt::format("at speed {} the trace lasts longer than the {:g} s that a run may last",
                                     speed, longest_run));
    for (Request& request : requests.all) request.arrival = to_ticks(to_seconds(request.arrival) / speed);
}

}  // namespace dse::serving
