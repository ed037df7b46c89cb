#include "dse/serving/draw_conversations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
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

    /// Requests of a conversation.
    [[nodiscard]] double mean_turns() const {
        return mean_of_draws(static_cast<double>(turns.turns), turns.turns_spread);
    }
};

std::vector<Kind> kinds_of(const Traffic& traffic) {
    if (traffic.classes.empty()) return {{traffic, traffic}};
    std::vector<Kind> kinds;
    for (const graph::RequestClass& one : traffic.classes)
        kinds.push_back({one, one, static_cast<std::int32_t>(one.priority), one.share});
    return kinds;
}

/// Shares of the conversations: those with more turns begin less often.
std::vector<double> beginnings_of(const std::vector<Kind>& kinds) {
    std::vector<double> weights;
    for (const Kind& kind : kinds) weights.push_back(kind.share / kind.mean_turns());
    return weights;
}

/// Conversations per request.
double conversations_a_request(const std::vector<Kind>& kinds) {
    double conversations = 0.0;
    double requests = 0.0;
    for (const Kind& kind : kinds) {
        conversations += kind.share / kind.mean_turns();
        requests += kind.share;
    }
    return conversations / requests;
}

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

/// Turns that may be drawn for a run, each of which is kept until it is sent.
constexpr std::size_t most_turns = 20'000'000;

/// A request of a conversation, and the pages of everything up to the end of its answer.
struct Turn {
    Request request;
    std::size_t number{0};  ///< of turns drawn before it
    PrefixGroups::Beginning beginning;
    std::uint32_t conversation{0};
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
          a_request_{conversations_a_request(kinds_)},
          prefixes_{traffic, page_tokens} {
        if (traffic.adapters > 0) adapters_.emplace(traffic, seed);
    }

    Requests draw() {
        draw_those_under_way();
        constexpr std::uint64_t stream = 6;
        Streams random{seed_of(seed_, stream)};
        double gone = 0.0;  // gaps so far, in units of the mean
        double begins = 0.0;
        while (std::cmp_less(sent_.size(), traffic_.requests)) {
            if (begins > longest_run)
                throw ModelError(
                    fmt::format("{} requests at {} a second take longer than the {:g} s that a "
                                "run may last",
                                traffic_.requests, traffic_.rate.value(), longest_run));
            send_until(to_ticks(begins));
            draw_one(begins, random);
            begins = course_.time_of((gone += draw_gap(traffic_, random.gaps)) / a_request_);
        }
        return with_names();
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

    /// They have begun at the rate with which the run begins.
    void draw_those_under_way() {
        const double rate = course_.first_rate() * a_request_;
        if (rate == 0.0) return;
        constexpr std::uint64_t stream = 7;
        Streams random{seed_of(seed_, stream)};
        double begins = -longest_of(kinds_) + draw_gap(traffic_, random.gaps) / rate;
        for (; begins < 0.0; begins += draw_gap(traffic_, random.gaps) / rate) draw_one(begins, random);
    }

    /// \param begins  s, from the start of the run
    void draw_one(double begins, Streams& random) {
        const std::uint8_t number = kinds_.size() > 1 ? draw_class(sums_, random.kinds) : std::uint8_t{0};
        const Kind& kind = kinds_[number];
        Turn turn;
        turn.request.kind = number;
        turn.request.priority = kind.priority;
        turn.beginning = prefixes_.draw(number, random.prefixes);
        turn.conversation = static_cast<std::uint32_t>(own_pieces_.size());
        if (adapters_) turn.request.adapter = adapters_->next();
        std::int64_t said = turn.beginning.tokens;
        double time = begins;
        const auto turns = static_cast<double>(kind.turns.turns);
        for (auto left = draw_tokens(turns, kind.turns.turns_spread, random.turns); left > 0; --left) {
            draw_lengths(kind.lengths, random.lengths, turn.request);
            said = std::min(said + turn.request.prompt, graph::most_request_tokens);
            turn.request.prompt = static_cast<std::int32_t>(said);
            said = std::min(said + turn.request.output, graph::most_request_tokens);
            turn.request.arrival = to_ticks(std::max(0.0, time));
            turn.pieces = static_cast<std::uint32_t>(said / page_tokens_) - turn.beginning.pieces;
            turn.number = drawn_++;
            expect_turns();
            if (time >= 0.0 && time <= longest_run) waiting_.push(turn);
            time += kind.turns.turn_gap.value() * draw_factor(kind.turns.turn_gap_spread, random.turns);
        }
        own_pieces_.push_back(0);
    }

    /// Sends those that arrive before this time, as far as the run has them.
    void send_until(Ticks time) {
        for (; !waiting_.empty() && waiting_.top().request.arrival < time; waiting_.pop()) {
            if (std::cmp_equal(sent_.size(), traffic_.requests)) return;
            const Turn& turn = waiting_.top();
            own_pieces_[turn.conversation] = turn.pieces;  // of later turns more
            pieces_ += turn.beginning.pieces + turn.pieces;
            expect_pieces();
            sent_.push_back(turn);
        }
    }

    /// The requests of the run, with names for the pages that they have: caches and routers keep something
    /// for each name.
    [[nodiscard]] Requests with_names() const {
        Requests requests;
        requests.piece_tokens = page_tokens_;
        requests.names_answers = true;
        requests.piece_names = prefixes_.names();
        std::vector<std::size_t> firsts;
        firsts.reserve(own_pieces_.size());
        for (const std::uint32_t own : own_pieces_) {
            firsts.push_back(requests.piece_names);
            requests.piece_names += own;
        }
        requests.pieces.reserve(pieces_);
        const auto add = [&](std::size_t first, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i)
                requests.pieces.push_back(static_cast<std::uint32_t>(first + i));
        };
        for (const Turn& turn : sent_) {
            requests.all.push_back(turn.request);
            requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
            add(turn.beginning.first, turn.beginning.pieces);
            add(firsts[turn.conversation], turn.pieces);
        }
        requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
        return requests;
    }

    void expect_turns() const {
        if (drawn_ <= most_turns) return;
        throw ModelError(fmt::format(
            "the conversations of {} requests, with those that are under way when the run begins, "
            "have more than {} turns: fewer requests a second, a shorter turn_gap, or smaller "
            "spreads",
            traffic_.requests, most_turns));
    }

    void expect_pieces() const {
        if (pieces_ <= most_pieces) return;
        throw ModelError(
            fmt::format("the conversations of {} requests have more than {} pages of {} tokens: "
                        "fewer requests, shorter ones, or larger pages (kv_block)",
                        traffic_.requests, most_pieces, page_tokens_));
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
    std::vector<std::uint32_t> own_pieces_;  ///< by conversation: those that requests of the run have
    std::size_t drawn_{0};                   ///< turns
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> waiting_;
    std::vector<Turn> sent_;
    std::size_t pieces_{0};  ///< of the turns that are sent
};

}  // namespace

Requests draw_conversations(const Traffic& traffic, std::uint64_t seed, std::int64_t page_tokens) {
    graph::require_none(graph::conflicts_of(traffic));
    return ConversationDraw{traffic, seed, page_tokens}.draw();
}

}  // namespace dse::serving
