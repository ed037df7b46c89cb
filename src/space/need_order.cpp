#include "space/need_order.hpp"

#include <algorithm>
#include <cstdint>

namespace dse::space {

namespace {

enum class Mark : std::uint8_t { fresh, open, done };

/// Depth-first without recursion, so that a chain of ten thousand names does not overflow the stack.
class Walk {
  public:
    explicit Walk(const std::vector<std::vector<std::size_t>>& needs)
        : needs_{needs}, marks_(needs.size(), Mark::fresh), next_(needs.size(), 0) {}

    NeedOrder run() {
        for (std::size_t i = 0; i < needs_.size(); ++i) {
            if (marks_[i] == Mark::fresh && !visit(i)) return std::move(result_);
        }
        return std::move(result_);
    }

  private:
    bool visit(std::size_t start) {
        open(start);
        while (!path_.empty()) {
            const std::size_t current = path_.back();
            if (next_[current] == needs_[current].size()) {
                marks_[current] = Mark::done;
                result_.order.push_back(current);
                path_.pop_back();
                continue;
            }
            const std::size_t need = needs_[current][next_[current]++];
            if (marks_[need] == Mark::open) {
                result_.order.clear();
                result_.cycle.assign(std::find(path_.begin(), path_.end(), need), path_.end());
                return false;
            }
            if (marks_[need] == Mark::fresh) open(need);
        }
        return true;
    }

    void open(std::size_t i) {
        marks_[i] = Mark::open;
        path_.push_back(i);
    }

    const std::vector<std::vector<std::size_t>>& needs_;
    std::vector<Mark> marks_;
    std::vector<std::size_t> next_;
    std::vector<std::size_t> path_;
    NeedOrder result_;
};

}  // namespace

NeedOrder order_by_need(const std::vector<std::vector<std::size_t>>& needs) {
    return Walk(needs).run();
}

}  // namespace dse::space
