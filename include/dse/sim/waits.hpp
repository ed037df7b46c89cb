#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace dse::sim {

/// Disjoint intervals, in ascending order, in which a compute stream waited for other stages or ranks
/// (Cause::is_of_others).
class Waits {
  public:
    struct Stretch {
        double from{0};
        double until{0};
        friend bool operator==(const Stretch&, const Stretch&) = default;
    };

    /// Records one wait, from its last interval to its first.
    class Backwards {
      public:
        /// \param waits  nullptr if waits are not recorded
        explicit Backwards(Waits* waits)
            : waits_{waits}, first_{waits == nullptr ? 0 : waits->stretches_.size()} {}
        void add(double from, double until) {
            if (waits_ != nullptr && from < until) waits_->stretches_.push_back({from, until});
        }
        ~Backwards() {
            if (waits_ != nullptr) waits_->put_in_order(first_);
        }
        Backwards(const Backwards&) = delete;
        Backwards& operator=(const Backwards&) = delete;

      private:
        Waits* waits_;
        std::size_t first_;
    };

    /// Adds waits that come behind all others. \param by  s, that they come later
    void append(std::span<const Stretch> waits, double by) {
        const std::size_t first = stretches_.size();
        for (const Stretch& wait : waits) stretches_.push_back({wait.from + by, wait.until + by});
        join(first);
    }

    /// Adds what lies in the last stretch of time so often again behind it. \param from, until  that stretch
    void repeat(double from, double until, std::size_t times) {
        std::vector<Stretch> last;
        for (std::size_t i = stretches_.size(); i-- > 0 && stretches_[i].until > from;)
            last.push_back({std::max(stretches_[i].from, from), stretches_[i].until});
        std::reverse(last.begin(), last.end());
        for (std::size_t n = 1; n <= times; ++n) append(last, static_cast<double>(n) * (until - from));
    }

    [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
    void clear() { stretches_.clear(); }

  private:
    void put_in_order(std::size_t first) {
        std::reverse(stretches_.begin() + static_cast<std::ptrdiff_t>(first), stretches_.end());
        join(first);
    }

    /// Merges adjacent intervals. \param first  first interval that may touch its neighbour
    void join(std::size_t first) {
        std::size_t kept = first == 0 ? 0 : first - 1;
        for (std::size_t i = kept + 1; i < stretches_.size(); ++i) {
            if (stretches_[i].from == stretches_[kept].until) {
                stretches_[kept].until = stretches_[i].until;
            } else {
                stretches_[++kept] = stretches_[i];
            }
        }
        if (!stretches_.empty()) stretches_.resize(kept + 1);
    }

    std::vector<Stretch> stretches_;
};

}  // namespace dse::sim
