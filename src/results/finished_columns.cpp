#include "results/finished_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/space/record.hpp"
#include "results/hdf5/library.hpp"
#include "results/put_bytes.hpp"

namespace dse::results {
namespace {

constexpr std::int32_t absent_label = -1;

std::vector<std::string> member_names(const Column& column) {
    if (column.kind == ColumnKind::flag) return {"FALSE", "TRUE"};
    return column.labels;
}

template <class Integer>
h5::Handle enumeration(const h5::File& file, hid_t base, const std::vector<std::string>& names) {
    h5::Handle type = h5::own(H5Tenum_create(base), H5Tclose, "write to", file.path());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto value = static_cast<Integer>(i);
        h5::check(H5Tenum_insert(type.id(), names[i].c_str(), &value), "write to", file.path());
    }
    return type;
}

template <class Integer>
std::vector<Integer> to_integers(const std::vector<double>& values, Integer absent) {
    std::vector<Integer> result;
    result.reserve(values.size());
    for (const double value : values) {
        result.push_back(std::isnan(value) ? absent : static_cast<Integer>(std::llround(value)));
    }
    return result;
}

template <class Integer>
std::vector<double> to_doubles(const std::vector<Integer>& values, Integer absent) {
    std::vector<double> result;
    result.reserve(values.size());
    for (const Integer value : values) {
        result.push_back(value == absent ? std::numeric_limits<double>::quiet_NaN()
                                         : static_cast<double>(value));
    }
    return result;
}

void check_labels(const std::vector<std::int32_t>& indices, const h5::File& file, const Column& column) {
    const auto size = static_cast<std::int32_t>(member_names(column).size());
    const auto is_none = [size](std::int32_t index) { return index < absent_label || index >= size; };
    if (std::any_of(indices.begin(), indices.end(), is_none)) {
        throw InputError(
            fmt::format("'{}' is damaged: a value of '{}' is none of its labels", file.path(), column.name));
    }
}

}  // namespace

std::string dataset_name(const Column& column) {
    return "points/" + column.name;
}

std::string dataset_name(const MetricColumn& column) {
    return "metrics/" + column.name;
}

h5::Handle stored_type(const h5::File& file, const Column& column) {
    switch (column.kind) {
        case ColumnKind::integer:
            return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
        case ColumnKind::real:
            return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
        case ColumnKind::flag:
            return enumeration<std::int8_t>(file, H5T_STD_I8LE, member_names(column));
        case ColumnKind::label:
            break;
    }
    return enumeration<std::int32_t>(file, H5T_STD_I32LE, member_names(column));
}

h5::Handle label_memory_type(const h5::File& file, const Column& column) {
    return enumeration<std::int32_t>(file, H5T_NATIVE_INT32, member_names(column));
}

h5::Handle status_type(const h5::File& file) {
    using space::Status;
    h5::Handle type = h5::own(H5Tenum_create(H5T_STD_U8LE), H5Tclose, "write to", file.path());
    for (const Status status :
         {Status::ok, Status::out_of_memory, Status::outside_validity, Status::failed, Status::timed_out}) {
        const std::string label{space::name(status)};
        h5::check(H5Tenum_insert(type.id(), label.c_str(), &status), "write to", file.path());
    }
    return type;
}

h5::Handle reason_type(const h5::File& file, std::size_t bytes) {
    h5::Handle type = h5::own(H5Tcopy(H5T_C_S1), H5Tclose, "write to", file.path());
    h5::check(H5Tset_size(type.id(), bytes), "write to", file.path());
    h5::check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "write to", file.path());
    h5::check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "write to", file.path());
    return type;
}

std::size_t stored_bytes(const Column& column) {
    switch (column.kind) {
        case ColumnKind::integer:
        case ColumnKind::real:
            return 8;
        case ColumnKind::flag:
            return 1;
        case ColumnKind::label:
            break;
    }
    return 4;
}

void put_values(const Column& column, const std::vector<double>& values, std::vector<std::byte>& to) {
    switch (column.kind) {
        case ColumnKind::real:
            return put_bytes(values, to);
        case ColumnKind::integer:
            return put_bytes(to_integers<std::int64_t>(values, absent_integer), to);
        case ColumnKind::flag:
            return put_bytes(to_integers<std::int8_t>(values, absent_label), to);
        case ColumnKind::label:
            return put_bytes(to_integers<std::int32_t>(values, absent_label), to);
    }
}

std::vector<double> read_values(const h5::Dataset& data, const h5::File& file, const Column& column,
                                std::uint64_t first, std::uint64_t count) {
    if (column.kind == ColumnKind::real) {
        std::vector<double> values(count);
        data.read(first, count, H5T_NATIVE_DOUBLE, values.data());
        return values;
    }
    if (column.kind == ColumnKind::integer) {
        std::vector<std::int64_t> integers(count);
        data.read(first, count, H5T_NATIVE_INT64, integers.data());
        return to_doubles(integers, absent_integer);
    }
    std::vector<std::int32_t> indices(count);
    data.read(first, count, label_memory_type(file, column).id(), indices.data());
    check_labels(indices, file, column);
    return to_doubles(indices, absent_label);
}

}  // namespace dse::results
