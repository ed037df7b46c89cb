#include "dse/model/compute/table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "model/compute/shaped_product.hpp"

namespace dse::model {
namespace {

using graph::Compute;
using graph::OpClass;
using graph::Precision;

ProductFactors::Point place(const graph::GemmShape& shape) {
    return {std::log2(shape.batch), std::log2(shape.m), std::log2(shape.n), std::log2(shape.k)};
}

/// Bytes per kernel.
Bytes moved(const Compute& work) {
    return (work.read + work.written) / std::max(1.0, work.kernels);
}

StreamFactors::Point place(Bytes bytes) {
    return {std::log2(std::max(1.0, bytes.value()))};
}

OpClass op_class_of(const hardware::MeasuredRow& row) {
    for (std::size_t i = 0; i < graph::op_class_count; ++i) {
        if (graph::name(static_cast<OpClass>(i)) == row.op) return static_cast<OpClass>(i);
    }
    throw ModelError(fmt::format("line {} of the table: no operator '{}'", row.line, row.op));
}

Precision precision_of(const hardware::MeasuredRow& row) {
    const auto names = choice_names(Precision{});
    const auto found = std::ranges::find(names, row.precision);
    if (found == names.end())
        throw ModelError(fmt::format("line {} of the table: no precision '{}'", row.line, row.precision));
    return static_cast<Precision>(found - names.begin());
}

/// The work that a row measured.
Compute work_of(const hardware::MeasuredRow& row) {
    Compute work;
    work.op_class = op_class_of(row);
    work.precision = precision_of(row);
    if (row.batch > 0.0) {
        work.gemm = {row.batch, row.m, row.n, row.k};
        work.executed_flop = Flop{2.0 * row.batch * row.m * row.n * row.k};
        const Bytes element = graph::bytes_of(work.precision);
        work.read = element * (row.batch * row.k * (row.m + row.n));
        work.written = element * (row.batch * row.m * row.n);
    } else {
        work.read = row.bytes;
    }
    return work;
}

std::size_t index(Precision precision) {
    return static_cast<std::size_t>(precision);
}

/// The other 16-bit format.
Precision sibling(Precision precision) {
    if (precision == Precision::bf16) return Precision::fp16;
    return precision == Precision::fp16 ? Precision::bf16 : precision;
}

/// The device with the rates of the one whose kernels were measured.
hardware::DeviceSpec as_measured(hardware::DeviceSpec device) {
    if (const auto& rates = device.table.rates) {
        device.peak = rates->peak;
        device.matmul.sustained = rates->sustained;
        device.memory.bandwidth = rates->bandwidth;
    }
    return device;
}

std::string range_of(double least, double most) {
    return fmt::format("{:.4g} to {:.4g}", std::exp2(least), std::exp2(most));
}

std::string remark_on(const ProductFactors& products, const Compute& work) {
    if (products.empty()) return "no product of this format in the table: as the roofline";
    if (products.covers(place(work.gemm))) return {};
    const auto range = [&](std::size_t i) { return range_of(products.least()[i], products.most()[i]); };
    return fmt::format("outside the table (batch {}, m {}, n {}, k {}): the roofline, scaled as at its edge",
                       range(0), range(1), range(2), range(3));
}

std::string remark_on(const StreamFactors& streams, const Compute& work) {
    if (streams.empty())
        return fmt::format("no {} in the table: as the roofline", graph::name(work.op_class));
    if (streams.covers(place(moved(work)))) return {};
    return fmt::format("outside the table ({} bytes): the roofline, scaled as at its edge",
                       range_of(streams.least()[0], streams.most()[0]));
}

}  // namespace

Table::Table(const hardware::DeviceSpec& device, Seconds host_launch)
    : roofline_{device, Seconds{}}, host_launch_{host_launch} {
    if (!device.table.exists())
        throw ModelError("the device has no table of measured kernels (its file names no 'table')");
    const Roofline measured{as_measured(device), Seconds{}};
    for (const hardware::MeasuredRow& row : *device.table.rows) add(row, measured);
}

void Table::add(const hardware::MeasuredRow& row, const Roofline& measured) {
    const Compute work = work_of(row);
    const double factor = row.time / measured.time(work);
    if (is_shaped_product(work)) {
        products_[index(work.precision)].add(place(work.gemm), factor);
    } else {
        streams_[static_cast<std::size_t>(work.op_class)][index(work.precision)].add(place(moved(work)),
                                                                                     factor);
    }
}

const ProductFactors& Table::products(Precision precision) const {
    const ProductFactors& own = products_[index(precision)];
    return own.empty() ? products_[index(sibling(precision))] : own;
}

const StreamFactors& Table::streams(OpClass op_class, Precision precision) const {
    const auto& all = streams_[static_cast<std::size_t>(op_class)];
    for (const Precision candidate : {precision, sibling(precision)}) {
        if (!all[index(candidate)].empty()) return all[index(candidate)];
    }
    const auto any = std::ranges::find_if(all, [](const StreamFactors& factors) { return !factors.empty(); });
    return any != all.end() ? *any : all[index(precision)];
}

double Table::factor(const Compute& work) const {
    if (is_shaped_product(work)) {
        const ProductFactors& factors = products(work.precision);
        return factors.empty() ? 1.0 : factors(place(work.gemm));
    }
    const StreamFactors& factors = streams(work.op_class, work.precision);
    return factors.empty() ? 1.0 : factors(place(moved(work)));
}

Seconds Table::time(const Compute& work) const {
    return std::max(roofline_.time(work) * factor(work), host_launch_ * work.kernels);
}

Account Table::account(const Compute& work) const {
    Account account;
    account.time = time(work);
    account.remark = is_shaped_product(work) ? remark_on(products(work.precision), work)
                                             : remark_on(streams(work.op_class, work.precision), work);
    return account;
}

}  // namespace dse::model
