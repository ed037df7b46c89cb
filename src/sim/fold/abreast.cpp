#include "dse/sim/fold/abreast.hpp"

#include <utility>

#include "dse/sim/fold/max_plus.hpp"
#include "quad.hpp"

namespace dse::sim::fold {
namespace {

static_assert(abreast == quad_block);  // a quad is one number of each evaluation

/// Whether the numbers of all evaluations are absent. Apart from rare exceptions, all or none of them are.
bool are_absent(const double* numbers) {
    return numbers[0] == absent && numbers[1] == absent && numbers[2] == absent && numbers[3] == absent;
}

// Inlined, like the functions on quads.

/// Input j of a task.
[[gnu::always_inline]] inline const double* input_of(const TaskValues& values, std::size_t j) {
    if (j < values.stream_count) return values.streams + j * abreast;
    return j == values.stream_count ? values.in : values.saved + (j - values.stream_count - 1) * abreast;
}

template <std::size_t... j>
[[gnu::always_inline]] inline void write_output(double* out, const double* numbers, const Quad* in,
                                                std::index_sequence<0, j...>) {
    Quad most;
    load_quad(most, numbers);
    most += in[0];
    (raise_quad(most, numbers + j * abreast, in[j]), ...);
    store_quad(out, most);
}

/// Keeps the inputs in registers while it computes one output after the other.
template <std::size_t... j>
[[gnu::always_inline]] inline void apply_task(const double* numbers, const TaskValues& values,
                                              std::index_sequence<j...> inputs) {
    constexpr std::size_t an_output = sizeof...(j) * abreast;
    Quad in[sizeof...(j)];
    (load_quad(in[j], input_of(values, j)), ...);
    double* out = values.streams;
    for (double* const end = out + values.stream_count * abreast; out != end; out += abreast) {
        write_output(out, numbers, in, inputs);
        numbers += an_output;
    }
    write_output(values.out, numbers, in, inputs);
    out = values.saved;
    for (double* const end = out + values.saved_out * abreast; out != end; out += abreast) {
        numbers += an_output;
        write_output(out, numbers, in, inputs);
    }
}

}  // namespace

DSE_WIDE_TOO
bool apply_task_abreast(const double* numbers, const TaskValues& values) {
    const TaskValues task = values;  // a copy, which stores cannot alias
    switch (task.stream_count + 1 + task.saved_in) {
        case 2:
            apply_task(numbers, task, std::make_index_sequence<2>{});
            return true;
        case 3:
            apply_task(numbers, task, std::make_index_sequence<3>{});
            return true;
        case 4:
            apply_task(numbers, task, std::make_index_sequence<4>{});
            return true;
        case 5:
            apply_task(numbers, task, std::make_index_sequence<5>{});
            return true;
        case 6:
            apply_task(numbers, task, std::make_index_sequence<6>{});
            return true;
        case 7:
            apply_task(numbers, task, std::make_index_sequence<7>{});
            return true;
        case 8:
            apply_task(numbers, task, std::make_index_sequence<8>{});
            return true;
        default:
            return false;
    }
}

DSE_WIDE_TOO
void send_abreast(double* send, double* receive, double* value, double* compute, const double* duration,
                  const double* hold) {
    Quad start;
    Quad end;
    load_quad(start, value);
    raise_quad(start, send);
    raise_quad(start, receive);
    load_quad(end, duration);
    end += start;
    for (double* const busy : {value, send, receive}) store_quad(busy, end);
    if (compute == nullptr) return;
    Quad free;
    load_quad(free, compute);
    raise_quad(free, hold, start);
    store_quad(compute, free);
}

DSE_WIDE_TOO
void apply_abreast(const double* numbers, std::size_t inputs, std::size_t outputs, const double* in,
                   double* out) {
    for (std::size_t i = 0; i < outputs; ++i, out += abreast) {
        Quad most = {absent, absent, absent, absent};
        for (std::size_t j = 0; j < inputs; ++j, numbers += abreast) {
            Quad value;
            load_quad(value, in + j * abreast);
            raise_quad(most, numbers, value);
        }
        store_quad(out, most);
    }
}

DSE_WIDE_TOO
bool are_shifted_abreast(const double* before, const double* now, const std::uint8_t* moving,
                         std::size_t count, const double* shift) {
    const Quad never = {absent, absent, absent, absent};
    Quad by;
    load_quad(by, shift);
    for (std::size_t i = 0; i < count; ++i, before += abreast, now += abreast) {
        if (moving[i] == 0) continue;
        Quad was;
        Quad is;
        load_quad(was, before);
        load_quad(is, now);
        const auto alike = (is - was == by) | ((is == never) & (was == never));
        if ((alike[0] & alike[1] & alike[2] & alike[3]) == 0) return false;
    }
    return true;
}

DSE_WIDE_TOO
void combine_abreast(double* out, const double* row, const double* const* rows, std::size_t count,
                     std::size_t width) {
    clear(out, width);
    for (std::size_t j = 0; j < count; ++j, row += abreast) {
        if (are_absent(row)) continue;
        Quad by;
        load_quad(by, row);
        for (std::size_t i = 0; i < width; i += abreast) {
            Quad most;
            load_quad(most, out + i);
            raise_quad(most, rows[j] + i, by);
            store_quad(out + i, most);
        }
    }
}

DSE_WIDE_TOO
void issue_abreast(const NodeRows& rows, const WorkTimes<abreast>& times) {
    Quad duration;
    Quad visible;
    Quad hold;
    load_quad(duration, times.duration.data());
    load_quad(visible, times.visible.data());
    load_quad(hold, times.hold.data());
    // In evaluations in which the node does not block the compute stream, it neither waits for that stream
    // nor changes it.
    const Quad zero = {0, 0, 0, 0};
    const Quad never = {absent, absent, absent, absent};
    const Quad waits = hold > zero ? zero : never;
    const Quad holds = hold > zero ? hold : never;
    for (std::size_t i = 0; i < rows.width; i += abreast) {
        Quad start;
        load_quad(start, rows.stream + i);
        for (const double* input : rows.inputs) raise_quad(start, input + i);
        if (rows.compute != nullptr) raise_quad(start, rows.compute + i, waits);
        store_quad(rows.value + i, start + visible);
        store_quad(rows.stream + i, start + duration);
        if (rows.compute == nullptr) continue;
        Quad compute = start + holds;
        raise_quad(compute, rows.compute + i);
        store_quad(rows.compute + i, compute);
    }
}

DSE_WIDE_TOO
void delay_abreast(double* row, std::size_t width, const std::array<double, abreast>& by) {
    Quad delay;
    load_quad(delay, by.data());
    for (std::size_t i = 0; i < width; i += abreast) {
        Quad time;
        load_quad(time, row + i);
        store_quad(row + i, time + delay);
    }
}

}  // namespace dse::sim::fold
