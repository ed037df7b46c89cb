#include "dse/serving/trace_reader.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/text_encoding.hpp"
#include "dse/graph/traffic.hpp"
#include "serving/line_reader.hpp"
#include "serving/trace_line.hpp"

namespace dse::serving {
namespace {

std::int32_t tokens_of(double count, const char* what) {
    if (count == 0.0) throw InputError(fmt::format("has no {} tokens (leave failed requests out)", what));
    if (count < 0.0 || count != std::floor(count) || count > static_cast<double>(graph::most_request_tokens))
        throw InputError(fmt::format("{} {} tokens are none that a request may have (1 to {})", count, what,
                                     graph::most_request_tokens));
    return static_cast<std::int32_t>(count);
}

ModelError too_long(double speed) {
    return ModelError(fmt::format("at speed {} the trace lasts longer than the {:g} s that a run may last",
                                  speed, longest_run));
}

/// The lines of a trace, validated.
class TraceLines {
  public:
    explicit TraceLines(const std::string& path) : lines_{path} {}

    /// \returns false at the end \throws InputError with the position of an invalid line
    bool next(Request& request) {
        try {
            if (!read_line()) return false;
            request = checked();
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: {}", lines_.where(), error.what()));
        }
        return true;
    }
    /// Pieces of the request last read.
    [[nodiscard]] const std::vector<std::uint32_t>& pieces() const { return line_.pieces; }
    [[nodiscard]] std::int64_t piece_tokens() const { return line_.piece_tokens; }

  private:
    bool read_line() {
        std::string_view text;
        while (lines_.next(text)) {
            if (!has_head_) text = without_byte_order_mark(text);
            if (text.empty()) continue;
            if (!has_head_) {
                has_head_ = true;
                if (!text.starts_with('{')) {
                    columns_.emplace(text);
                    continue;
                }
            }
            columns_ ? columns_->read(text, line_) : read_json_line(text, line_);
            if (columns_ && columns_->has_failures() && line_.output == 0.0) continue;
            return true;
        }
        return false;
    }

    Request checked() {
        if (++count_ > graph::most_run_requests)
            throw InputError(fmt::format("is one request more than the {} of a run (say most_requests)",
                                         graph::most_run_requests));
        if (count_ > 1 && line_.piece_tokens != piece_tokens_)
            throw InputError(
                "is of another kind than the lines above it (\"chat_id\": Qwen-Bailian's traces)");
        piece_tokens_ = line_.piece_tokens;
        const double time = line_.time;
        if (!(time >= 0.0)) throw InputError(fmt::format("arrives at {} s, before the beginning", time));
        if (!has_first_) first_ = last_ = time;
        has_first_ = true;
        if (time < last_)
            throw InputError(
                fmt::format("arrives {:g} s before the line above it (sort the file by time)", last_ - time));
        last_ = time;
        check_pieces();
        if (last_ - first_ > longest_run)
            throw InputError(fmt::format("arrives {:g} s after the first request, and a run may last {:g} s",
                                         last_ - first_, longest_run));
        return {to_ticks(last_ - first_), tokens_of(line_.prompt, "prompt"),
                tokens_of(line_.output, "output")};
    }

    /// More blocks than a prompt has are not of this size: they would be found in caches where they are not.
    /// Fewer say nothing of the rest. The last block, which a prompt seldom fills, may be left out.
    void check_pieces() const {
        if (line_.pieces.empty()) return;
        const double blocks = line_.prompt / static_cast<double>(line_.piece_tokens);
        const auto named = static_cast<double>(line_.pieces.size());
        if (named >= std::floor(blocks) && named <= std::ceil(blocks)) return;
        throw InputError(
            fmt::format("names {} blocks of its prompt, and {} tokens are {} blocks of {} (those of "
                        "another size have to be named anew, and blocks that nobody else has by numbers of "
                        "their own; or leave all out)",
                        line_.pieces.size(), line_.prompt, std::ceil(blocks), line_.piece_tokens));
    }

    LineReader lines_;
    TraceLine line_;
    std::optional<TraceColumns> columns_;
    std::int64_t count_{0};
    std::int64_t piece_tokens_{0};
    bool has_head_{false};
    bool has_first_{false};
    double first_{0};  ///< s
    double last_{0};   ///< s
};

/// Collects requests and renumbers their pieces.
class Collector {
  public:
    void add(const Request& request, const std::vector<std::uint32_t>& pieces, std::int64_t piece_tokens) {
        requests_.all.push_back(request);
        requests_.piece_tokens = piece_tokens;
        requests_.first_piece.push_back(static_cast<std::uint32_t>(requests_.pieces.size()));
        for (const std::uint32_t piece : pieces)
            requests_.pieces.push_back(
                names_.try_emplace(piece, static_cast<std::uint32_t>(names_.size())).first->second);
    }

    [[nodiscard]] bool has(std::int64_t most) const {
        return most > 0 && requests_.all.size() >= static_cast<std::size_t>(most);
    }

    Requests take() {
        if (requests_.pieces.empty()) requests_.first_piece = {};
        requests_.piece_names = names_.size();
        if (!requests_.first_piece.empty())
            requests_.first_piece.push_back(static_cast<std::uint32_t>(requests_.pieces.size()));
        return std::move(requests_);
    }

  private:
    Requests requests_;
    std::unordered_map<std::uint32_t, std::uint32_t> names_;  ///< of pieces, by their names in the file
};

}  // namespace

bool has_arrivals(std::span<const std::string> columns) {
    return std::ranges::any_of(columns, TraceColumns::is_arrival);
}

Requests read_trace(const std::string& path, std::int64_t most) {
    TraceLines lines{path};
    Collector collector;
    Request request;
    while (!collector.has(most) && lines.next(request))
        collector.add(request, lines.pieces(), lines.piece_tokens());
    Requests requests = collector.take();
    if (requests.all.empty()) throw InputError(fmt::format("{}: holds no requests", path));
    return requests;
}

CheckedTrace check_trace(const std::string& path, std::int64_t most) {
    TraceSource source{path, most, 1.0};
    Request request;
    CheckedTrace checked;
    while (source.next(request))
        checked.longest_request =
            std::max(checked.longest_request, std::int64_t{request.prompt} + request.output);
    // Every request has a token.
    if (checked.longest_request == 0) throw InputError(fmt::format("{}: holds no requests", path));
    checked.text = text_digest(path);
    return checked;
}

struct TraceSource::State {
    TraceLines lines;
    std::int64_t left;
    double speed;
};

TraceSource::TraceSource(const std::string& path, std::int64_t most, double speed)
    : state_{std::make_unique<State>(State{TraceLines{path}, most > 0 ? most : -1, speed})} {}

TraceSource::~TraceSource() = default;

bool TraceSource::next(Request& request) {
    if (state_->left == 0 || !state_->lines.next(request)) return false;
    if (state_->left > 0) --state_->left;
    const double time = to_seconds(request.arrival) / state_->speed;
    if (time > longest_run) throw too_long(state_->speed);
    request.arrival = to_ticks(time);
    return true;
}

void speed_up(double speed, Requests& requests) {
    if (to_seconds(requests.all.back().arrival) / speed > longest_run) throw too_long(speed);
    for (Request& request : requests.all) request.arrival = to_ticks(to_seconds(request.arrival) / speed);
}

}  // namespace dse::serving
