#include "dse/serving/draw_conversations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "dse/serving/draw_adapters.hpp"
#include "serving/prefix_groups.hpp"
#include "serving/rate_course.hpp"
#include "serving/request_draws.hpp"

namespace dse::serving {
namespace {

using graph::Traffic;

/// Of a class, or of all requests.
struct Kind {
    const graph::RequestLengths& lengths;
    const graph::RequestTurns& turns;
    std::int32_t priority{0};
    double share{1.0};  ///< of the requests
};

std::vector<Kind> kinds_of(const Traffic& traffic) {
    if (traffic.classes.empty()) return {{traffic, traffic}};
    std::vector<Kind> kinds;
    for (const graph::RequestClass& one : traffic.classes)
        kinds.push_back({one, one, static_cast<std::int32_t>(one.priority), one.share});
    return kinds;
}

double mean_turns(const graph::RequestTurns& turns) {
    return mean_tokens(static_cast<double>(turns.turns), turns.turns_spread);
}

/// Shares of the conversations: those with more turns begin less often.
std::vector<double> beginnings_of(const std::vector<Kind>& kinds) {
    std::vector<double> weights;
    weights.reserve(kinds.size());
    for (const Kind& kind : kinds) weights.push_back(kind.share / mean_turns(kind.turns));
    return weights;
}

/// Conversations per request.
/// \param beginnings  those of the kinds
double conversations_a_request(const std::vector<Kind>& kinds, const std::vector<double>& beginnings) {
    double requests = 0.0;
    for (const Kind& kind : kinds) requests += kind.share;
    return std::accumulate(beginnings.begin(), beginnings.end(), 0.0) / requests;
}

/// Requests of conversations that begin before the run; several seconds to draw.
constexpr double most_before = 5e7;

/// Time after which hardly any conversation still goes on, s.
double longest_of(const std::vector<Kind>& kinds) {
    // Of times that differ, in units of their mean: up to a spread of 2, at most 2 % of the requests come
    // later.
    constexpr double usual_tail = 4.0;
    constexpr double most_spread = 2.0;
    double longest = 0.0;
    for (const Kind& kind : kinds) {
        const bool differ = kind.turns.turns_spread > 0.0 || kind.turns.turn_gap_spread > 0.0;
        const double mean = static_cast<double>(kind.turns.turns - 1) * kind.turns.turn_gap.value();
        const double spread = std::min(kind.turns.turns_spread, most_spread);
        const double tail = usual_tail * std::exp(spread * spread);
        longest = std::max(longest, mean * (differ ? tail : 1.0));
    }
    return longest;
}

/// A request of a conversation, and the pages of everything up to the end of its answer.
struct Turn {
    Request request;
    std::size_t number{0};        ///< of turns drawn before it
    std::size_t conversation{0};  ///< number of conversations drawn before its own
    PrefixGroups::Beginning beginning;
    std::uint32_t pieces{0};  ///< pages of the conversation's own
    friend bool operator>(const Turn& a, const Turn& b) {
        return std::pair{a.request.arrival, a.number} > std::pair{b.request.arrival, b.number};
    }
};

/// Draws conversations one after the other. Those that begin before the run are drawn apart, so that the
/// others are the same at any rate.
class ConversationDraw {
  public:
    ConversationDraw(const Traffic& traffic, std::uint64_t seed, std::int64_t page_tokens)
        : traffic_{traffic},
          seed_{seed},
          page_tokens_{page_tokens},
          kinds_{kinds_of(traffic)},
          sums_{sums_of(beginnings_of(kinds_))},
          course_{traffic},
          a_request_{conversations_a_request(kinds_, beginnings_of(kinds_))},
          prefixes_{traffic, page_tokens},
          names_{prefixes_.names()} {
        if (traffic.adapters > 0) adapters_.emplace(traffic, seed);
    }

    Requests draw() {
        traffic_.clients > 0 ? draw_for_clients() : draw_by_rate();
        requests_.first_piece.push_back(static_cast<std::uint32_t>(requests_.pieces.size()));
        requests_.piece_tokens = page_tokens_;
        requests_.piece_names = names_;
        requests_.names_answers = true;
        return std::move(requests_);
    }

  private:
    struct Streams {
        explicit Streams(std::uint64_t seed)
            : gaps{seed_of(seed, 0)},
              kinds{seed_of(seed, 1)},
              turns{seed_of(seed, 2)},
              lengths{seed_of(seed, 3)},
              prefixes{seed_of(seed, 4)} {}
        Random gaps;
        Random kinds;
        Random turns;
        Random lengths;
        Random prefixes;
    };

    /// As many as the run sends, one conversation after the other; the last one may end early.
    void draw_for_clients() {
        constexpr std::uint64_t stream = 6;
        Streams random{seed_of(seed_, stream)};
        while (std::cmp_less(requests_.all.size(), traffic_.requests)) draw_one(0.0, random);
    }

    void draw_by_rate() {
        draw_those_under_way();
        constexpr std::uint64_t stream = 6;
        Streams random{seed_of(seed_, stream)};
        double gone = 0.0;  // gaps so far, in units of the mean
        double begins = 0.0;
        while (std::cmp_less(requests_.all.size(), traffic_.requests)) {
            if (begins > longest_run)
                throw ModelError(
                    fmt::format("{} requests at {} a second take longer than the {:g} s that a "
                                "run may last",
                                traffic_.requests, traffic_.rate.value(), longest_run));
            send_until(to_ticks(begins));
            draw_one(begins, random);
            begins = course_.time_of((gone += draw_gap(traffic_, random.gaps)) / a_request_);
        }
    }

    /// They have begun at the rate with which the run begins.
    void draw_those_under_way() {
        const double rate = course_.first_rate() * a_request_;
        if (rate == 0.0) return;
        const double longest = longest_of(kinds_);
        const double many = longest * course_.first_rate();
        if (many > most_before)
            throw ModelError(fmt::format(
                "conversations that may be under way when the run begins have had {:.3g} requests, "
                "more than {:.3g}: a shorter turn_gap, fewer turns, or a lower rate",
                many, most_before));
        constexpr std::uint64_t stream = 7;
        Streams random{seed_of(seed_, stream)};
        double begins = -longest + draw_gap(traffic_, random.gaps) / rate;
        while (begins < 0.0) {
            draw_one(begins, random);
            begins += draw_gap(traffic_, random.gaps) / rate;
        }
    }

    /// \param begins  s, from the start of the run; of clients that wait for answers 0
    void draw_one(double begins, Streams& random) {
        const std::uint8_t number = kinds_.size() > 1 ? draw_class(sums_, random.kinds) : std::uint8_t{0};
        const Kind& kind = kinds_[number];
        Turn turn;
        turn.request.kind = number;
        turn.request.priority = kind.priority;
        turn.beginning = prefixes_.draw(number, random.prefixes);
        turn.conversation = conversations_++;
        if (adapters_) turn.request.adapter = adapters_->next();
        std::int64_t said = turn.beginning.tokens;
        double time = begins;
        Ticks pause = never;
        const auto turns = static_cast<double>(kind.turns.turns);
        for (auto left = draw_tokens(turns, kind.turns.turns_spread, random.turns); left > 0; --left) {
            draw_lengths(kind.lengths, random.lengths, turn.request);
            said = std::min(said + turn.request.prompt, graph::most_request_tokens);
            turn.request.prompt = static_cast<std::int32_t>(said);
            said += turn.request.output;
            turn.request.arrival = to_ticks(std::max(0.0, time));
            turn.pieces = static_cast<std::uint32_t>(said / page_tokens_) - turn.beginning.pieces;
            turn.number = drawn_++;
            const double gap =
                kind.turns.turn_gap.value() * draw_factor(kind.turns.turn_gap_spread, random.turns);
            if (traffic_.clients > 0) {
                send_after(pause, turn);
                pause = to_ticks(gap);
            } else if (time >= 0.0 && time <= longest_run) {
                wait(turn);
            }
            time += gap;
        }
    }

    /// Those that arrive after as many as the run still sends never do: conversations may be long.
    void wait(const Turn& turn) {
        waiting_.push_back(turn);
        std::ranges::push_heap(waiting_, std::greater<>{});
        const std::size_t left = static_cast<std::size_t>(traffic_.requests) - requests_.all.size();
        constexpr std::size_t some = 1024;
        if (waiting_.size() < 2 * left + some) return;
        std::ranges::sort(waiting_, [](const Turn& a, const Turn& b) { return b > a; });
        waiting_.resize(left);  // sorted, and thereby a heap
    }

    Turn next() {
        std::ranges::pop_heap(waiting_, std::greater<>{});
        Turn turn = waiting_.back();
        waiting_.pop_back();
        return turn;
    }

    /// Sends those that arrive before this time, as far as the run has them.
    void send_until(Ticks time) {
        while (!waiting_.empty() && waiting_.front().request.arrival < time) {
            if (std::cmp_equal(requests_.all.size(), traffic_.requests)) return;
            send(next());
        }
    }

    /// \param pause  after the answer before; `never`: it is the first of its conversation
    void send_after(Ticks pause, const Turn& turn) {
        if (std::cmp_equal(requests_.all.size(), traffic_.requests)) return;
        send(turn);
        requests_.all.back().arrival = 0;
        requests_.pauses.push_back(pause);
    }

    /// Names its pages: those of the beginning, those of the turn sent before, and new ones.
    void send(const Turn& turn) {
        std::vector<std::uint32_t>& pieces = requests_.pieces;
        const std::size_t whole = turn.beginning.pieces + turn.pieces;
        if (std::max(pieces.size(), names_) + whole > most_pieces) throw too_many_pages();
        const std::size_t number = requests_.all.size();
        const auto [last, is_first] = sent_.try_emplace(turn.conversation, number);
        const std::size_t first_piece = pieces.size();
        requests_.all.push_back(turn.request);
        requests_.first_piece.push_back(static_cast<std::uint32_t>(first_piece));
        for (std::uint32_t i = 0; i < turn.beginning.pieces; ++i) pieces.push_back(turn.beginning.first + i);
        if (!is_first) {
            const std::size_t begin = requests_.first_piece[last->second];
            const std::size_t all = requests_.first_piece[last->second + 1];
            // Less than all where the longest prompts had to be cut.
            const std::size_t end = std::min(all, begin + whole);
            for (std::size_t i = begin + turn.beginning.pieces; i < end; ++i) pieces.push_back(pieces[i]);
            last->second = number;
        }
        while (pieces.size() < first_piece + whole) pieces.push_back(static_cast<std::uint32_t>(names_++));
    }

    [[nodiscard]] ModelError too_many_pages() const {
        return ModelError{
            fmt::format("the conversations of {} requests have more than {} pages of {} tokens: "
                        "fewer requests, shorter ones, or larger pages (kv_block)",
                        traffic_.requests, most_pieces, page_tokens_)};
    }

    const Traffic& traffic_;
    std::uint64_t seed_;
    std::int64_t page_tokens_;
    std::vector<Kind> kinds_;
    std::vector<double> sums_;
    RateCourse course_;
    double a_request_;  ///< conversations that begin for each request
    PrefixGroups prefixes_;
    std::optional<AdapterDraw> adapters_;
    std::size_t names_;  ///< of pages, so far
    std::size_t drawn_{0};
    std::size_t conversations_{0};                       ///< drawn so far
    std::vector<Turn> waiting_;                          ///< a heap, the earliest first
    std::unordered_map<std::size_t, std::size_t> sent_;  ///< by conversation, the last request sent
    Requests requests_;
};

}  // namespace

Requests draw_conversations(const Traffic& traffic, std::uint64_t seed, std::int64_t page_tokens) {
    graph::require_none(graph::conflicts_of(traffic));
    return ConversationDraw{traffic, seed, page_tokens}.draw();
}

}  // namespace dse::serving
