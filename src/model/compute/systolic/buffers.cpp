#include "dse/model/compute/systolic/buffers.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

double cycles_for(double words, double bandwidth) {
    return words > 0.0 ? std::ceil(words / bandwidth) : 0.0;
}

/// Words that pass a port in `cycles`.
double moved(double cycles, double bandwidth) {
    return cycles > 0.0 ? cycles * bandwidth : 0.0;
}

/// Elements of fold `index` along one side of the array.
double part(double total, double side, double folds, double index) {
    return index + 1.0 < folds ? side : total - side * (folds - 1.0);
}

/// One fold: the words that it has to fetch of each operand, and the words that it writes.
struct Fold {
    double ifmap{0};
    double filter{0};
    double ofmap{0};
};

/// The tiles of a layer's folds.
class Tiles {
  public:
    Tiles(const SystolicFolds& folds, const SystolicLayer& layer, const SystolicBuffers& buffers)
        : folds_{folds},
          ifmap_words_{layer.ifmap_words()},
          filter_words_{layer.filter_words()},
          ifmap_half_{buffers.ifmap.half()},
          filter_half_{buffers.filter.half()} {}

    [[nodiscard]] Fold operator()(double column, double row) const {
        const double rows = part(folds_.over_rows(), folds_.array().rows, folds_.row_folds(), row);
        const double columns =
            part(folds_.over_columns(), folds_.array().columns, folds_.column_folds(), column);
        const double stream = folds_.streamed();
        const bool is_first = column == 0.0 && row == 0.0;
        const bool same_rows = !is_first && folds_.row_folds() == 1.0;
        const bool same_columns = row > 0.0;
        switch (folds_.array().dataflow) {
            case hardware::Dataflow::os:
                return {ifmap(rows * stream, same_rows, is_first),
                        filter(columns * stream, same_columns, is_first), rows * columns};
            case hardware::Dataflow::is:
                return {ifmap(rows * columns, false, is_first), filter(rows * stream, same_rows, is_first),
                        columns * stream};
            default:
                return {ifmap(rows * stream, same_rows, is_first), filter(rows * columns, false, is_first),
                        columns * stream};
        }
    }

  private:
    [[nodiscard]] double ifmap(double tile, bool is_same, bool is_first) const {
        return read(std::min(tile, ifmap_words_), ifmap_words_, ifmap_half_, is_same, is_first);
    }
    [[nodiscard]] double filter(double tile, bool is_same, bool is_first) const {
        return read(tile, filter_words_, filter_half_, is_same, is_first);
    }
    /// \param is_same  the previous fold used the same tile
    static double read(double tile, double all, double half, bool is_same, bool is_first) {
        if (all <= half) return is_first ? all : 0.0;
        return is_same && tile <= half ? 0.0 : tile;
    }

    const SystolicFolds& folds_;
    double ifmap_words_;
    double filter_words_;
    double ifmap_half_;
    double filter_half_;
};

/// Prefetching of one operand: the words that were read ahead of the array.
class Reader {
  public:
    explicit Reader(const OperandBuffer& buffer) : half_{buffer.half()}, bandwidth_{buffer.bandwidth} {}

    void begin(double first_tile) { ahead_ = std::min(first_tile, half_); }

    [[nodiscard]] double wait(double tile) const {
        return cycles_for(std::min(tile, half_) - ahead_, bandwidth_);
    }
    /// While the array computes or waits, the port reads ahead.
    void pass(double cycles, double tile) {
        ahead_ = std::min(ahead_ + moved(cycles, bandwidth_), tile + half_);
    }
    [[nodiscard]] double shortest(double tile) const { return cycles_for(tile - ahead_, bandwidth_); }
    void end_fold(double cycles, double tile) {
        pass(cycles, tile);
        ahead_ -= tile;
    }
    [[nodiscard]] double ahead() const { return ahead_; }

  private:
    double half_;
    double bandwidth_;
    double ahead_{0};
};

/// State of the buffers after a fold; equal states have equal futures as long as the folds are equal.
struct State {
    double ifmap{0};
    double filter{0};
    double ofmap{0};
    friend bool operator==(const State&, const State&) = default;
};

class Play {
  public:
    Play(const SystolicFolds& folds, const SystolicLayer& layer, const SystolicBuffers& buffers)
        : folds_{folds},
          tiles_{folds, layer, buffers},
          buffers_{buffers},
          ifmap_{buffers.ifmap},
          filter_{buffers.filter} {}

    BufferedRun run() {
        begin();
        const double columns = folds_.column_folds();
        for (double column = 0.0; column < columns; ++column) {
            const State before = state();
            const double start = time_;
            const Fold moved_before = words();
            play_column(column);
            // As within a column: all inner columns are equal.
            const double equal = columns - 2.0 - column;
            if (column < 1.0 || equal <= 0.0 || !has_begun_to_write() || state() != before) continue;
            const Fold each{words().ifmap - moved_before.ifmap, words().filter - moved_before.filter,
                            words().ofmap - moved_before.ofmap};
            account(each, equal);
            time_ += equal * (time_ - start);
            column += equal;
        }
        return end();
    }

  private:
    void begin() {
        const Fold first = tiles_(0.0, 0.0);
        ifmap_.begin(first.ifmap);
        filter_.begin(first.filter);
        run_.ifmap.first_cycle = -cycles_for(ifmap_.ahead(), buffers_.ifmap.bandwidth);
        run_.filter.first_cycle = -cycles_for(filter_.ahead(), buffers_.filter.bandwidth);
    }

    void play_column(double column) {
        const double rows = folds_.row_folds();
        for (double row = 0.0; row < rows; ++row) {
            const State before = state();
            const double start = time_;
            const Fold fold = tiles_(column, row);
            step(fold);
            // All inner folds are equal; only the first and the last differ.
            const double equal = rows - 2.0 - row;
            if (row >= 1.0 && equal > 0.0 && has_begun_to_write() && state() == before) {
                account(fold, equal);
                time_ += equal * (time_ - start);
                row += equal;
            }
        }
    }

    void step(const Fold& fold) {
        const double wait = std::max(ifmap_.wait(fold.ifmap), filter_.wait(fold.filter));
        ifmap_.pass(wait, fold.ifmap);
        filter_.pass(wait, fold.filter);
        waiting_ = std::max(0.0, waiting_ - moved(wait, out()));
        const double room = waiting_ + fold.ofmap - buffers_.ofmap.words;
        const double cycles = std::max({folds_.cycles_of_fold(), ifmap_.shortest(fold.ifmap),
                                        filter_.shortest(fold.filter), cycles_for(room, out())});
        ifmap_.end_fold(cycles, fold.ifmap);
        filter_.end_fold(cycles, fold.filter);
        waiting_ = std::max(0.0, waiting_ + fold.ofmap - moved(cycles, out()));
        note_first_output(fold.ofmap, cycles);
        time_ += wait + cycles;
        if (fold.ifmap > 0.0) run_.ifmap.last_cycle = time_;
        if (fold.filter > 0.0) run_.filter.last_cycle = time_;
        account(fold, 1.0);
    }

    void account(const Fold& fold, double times) {
        run_.ifmap.words += times * fold.ifmap;
        run_.filter.words += times * fold.filter;
        run_.ofmap.words += times * fold.ofmap;
    }

    /// Writing starts once half the buffer is full.
    void note_first_output(double words, double cycles) {
        const double room = buffers_.ofmap.half() - run_.ofmap.words;
        if (room >= 0.0 && words > room) run_.ofmap.first_cycle = time_ + std::floor(cycles * room / words);
    }

    BufferedRun end() {
        run_.cycles = time_ - 1.0;
        run_.stall_cycles = run_.cycles - folds_.cycles();
        const double half = buffers_.ofmap.half();
        // Outputs are written half a buffer at a time; the rest that does not fill a half is written at the
        // end, starting with the last cycle.
        const double left = std::fmod(run_.ofmap.words - 1.0, half) + 1.0;
        run_.ofmap.last_cycle =
            run_.cycles + std::max(cycles_for(left, out()) - 1.0, cycles_for(waiting_, out()));
        if (run_.ofmap.words <= half) run_.ofmap.first_cycle = run_.cycles;
        close(run_.ifmap, buffers_.ifmap);
        close(run_.filter, buffers_.filter);
        run_.cycles_with_prefetch =
            run_.ofmap.last_cycle - std::min(run_.ifmap.first_cycle, run_.filter.first_cycle);
        return run_;
    }

    /// An operand that fits into half the buffer is loaded before the array starts.
    static void close(MemoryTraffic& traffic, const OperandBuffer& buffer) {
        if (traffic.words <= buffer.half()) traffic.last_cycle = -1.0;
    }

    [[nodiscard]] bool has_begun_to_write() const { return run_.ofmap.words > buffers_.ofmap.half(); }
    [[nodiscard]] Fold words() const { return {run_.ifmap.words, run_.filter.words, run_.ofmap.words}; }
    [[nodiscard]] double out() const { return buffers_.ofmap.bandwidth; }
    [[nodiscard]] State state() const { return {ifmap_.ahead(), filter_.ahead(), waiting_}; }

    const SystolicFolds& folds_;
    Tiles tiles_;
    const SystolicBuffers& buffers_;
    Reader ifmap_;
    Reader filter_;
    double waiting_{0};  ///< words of output on their way to memory
    double time_{0};
    BufferedRun run_;
};

}  // namespace

double OperandBuffer::half() const {
    return std::floor(words / 2.0);
}

BufferedRun play_buffers(const SystolicFolds& folds, const SystolicLayer& layer,
                         const SystolicBuffers& buffers) {
    for (const OperandBuffer* buffer : {&buffers.ifmap, &buffers.filter, &buffers.ofmap}) {
        static_cast<void>(buffer);
        DSE_EXPECT(buffer->words >= 2.0 && buffer->bandwidth > 0.0);
    }
    return Play{folds, layer, buffers}.run();
}

}  // namespace dse::model
