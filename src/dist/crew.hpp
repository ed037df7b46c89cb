#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dist/leaseholder.hpp"
#include "dse/dist/channel.hpp"

namespace dse::dist {

/// Rank 0's view of the other ranks: which are known, active or lost; and the means to send them messages.
/// Queries per message have constant cost, independent of the number of ranks.
class Crew {
  public:
    /// \param channel  rank 0's end; must outlive this object
    explicit Crew(Channel& channel)
        : channel_{&channel}, members_(static_cast<std::size_t>(channel.size())) {}

    /// Applies a change to a rank, which becomes known on its first mention.
    /// \param change  (Leaseholder&) -> anything
    template <class Change>
    decltype(auto) change(int rank, Change&& change) {
        count(rank, -1);
        // Recount even if the change throws.
        const Recount after{*this, rank};
        return std::invoke(std::forward<Change>(change), *members_[static_cast<std::size_t>(rank)].worker);
    }

    [[nodiscard]] double rate(int rank) const { return worker(rank).rate(); }

    /// Makes all ranks known, including those that have not yet reported as ready.
    void expect_all();

    void send(int to, MessageKind kind, const Range& range = {}, std::string body = {});

    /// Sends to every known rank that is not closed.
    void tell_all(MessageKind kind);

    /// A rank that wants a lease: the same one until it has enough, then the next in turn. Nothing if all
    /// have enough.
    std::optional<int> next_without_lease();

    /// Active ranks that have been silent for `limit`, ascending.
    [[nodiscard]] std::vector<int> silent(Leaseholder::Clock::duration limit) const;

    [[nodiscard]] int known() const { return known_; }
    /// Number of known ranks that are neither closed nor lost.
    [[nodiscard]] int active() const { return active_; }
    [[nodiscard]] int lost() const { return lost_; }

    /// Whether all other ranks of the channel are known.
    [[nodiscard]] bool is_complete() const { return known() + 1 >= channel_->size(); }
    /// Whether any rank holds indices whose rows are not on disk.
    [[nodiscard]] bool holds_leases() const { return holders_ > 0; }
    [[nodiscard]] bool is_open() const { return active() > 0; }

  private:
    struct Member {
        std::optional<Leaseholder> worker;  ///< set for known ranks
        bool in_turn{false};                ///< is in turns_
    };

    struct Recount {
        Crew& crew;
        int rank;
        Recount(Crew& counted, int changed) : crew{counted}, rank{changed} {}
        Recount(const Recount&) = delete;
        Recount& operator=(const Recount&) = delete;
        ~Recount() { crew.count(rank, 1); }
    };

    [[nodiscard]] const Leaseholder& worker(int rank) const {
        return *members_[static_cast<std::size_t>(rank)].worker;
    }
    /// Adds a rank to the counts (sign 1) or removes it (sign -1); makes it known.
    void count(int rank, int sign);

    Channel* channel_;
    std::vector<Member> members_;  ///< by rank
    std::deque<int> turns_;        ///< ranks that wanted a lease when last checked
    int known_{0};
    int active_{0};
    int lost_{0};
    int holders_{0};
};

}  // namespace dse::dist
