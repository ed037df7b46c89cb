// Python's names for the library: what is called often is here, the rest is dse/*.py.
#include <cmath>
#include <ctime>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "dse/base/error.hpp"
#include "sweep_handle.hpp"

namespace nb = nanobind;

namespace dse::python {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
    throw nb::type_error(("axis '" + name + "': " + why).c_str());
}

Value value_of(const std::string& name, nb::handle value) {
    if (nb::isinstance<nb::str>(value)) {
        std::string text;
        if (!nb::try_cast(value, text)) refuse(name, "the text is not valid Unicode");
        return text;
    }
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() == nullptr) return number;
    const bool is_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
    PyErr_Clear();
    if (is_large) refuse(name, "a number so large has no place among values");
    refuse(name, "a value is a number or text, not " + nb::cast<std::string>(nb::inst_name(value)));
}

std::vector<std::pair<std::string, Value>> settings_of(const nb::kwargs& axes) {
    std::vector<std::pair<std::string, Value>> settings;
    settings.reserve(axes.size());
    for (const auto& [name, value] : axes) {
        const auto axis = nb::cast<std::string>(name);
        settings.emplace_back(axis, value_of(axis, value));
    }
    return settings;
}

/// A sweep whose answers are dictionaries; their keys are made once.
class PythonSweep {
  public:
    PythonSweep(const std::string& file, const std::vector<std::string>& settings) : handle_{file, settings} {
        for (const results::MetricColumn& column : handle_.metrics())
            names_.emplace_back(column.name.c_str());
    }

    nb::dict evaluate(const nb::kwargs& axes) {
        const auto [status, reason] = handle_.evaluate(handle_.find(settings_of(axes)), values_);
        nb::dict answer;
        answer["status"] = nb::str(status.data(), status.size());
        answer["reason"] = nb::str(reason.data(), reason.size());
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (!std::isnan(values_[i])) answer[names_[i]] = nb::float_(values_[i]);
        }
        return answer;
    }

    /// Processor time that so many evaluations of a point take by themselves: what is more is Python's.
    double seconds_of(std::size_t times, const nb::kwargs& axes) {
        const space::Point point = handle_.find(settings_of(axes));
        const std::clock_t begin = std::clock();
        for (std::size_t i = 0; i < times; ++i) handle_.evaluate(point, values_);
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }

    nb::dict axes() const {
        nb::dict axes;
        for (const space::Axis& axis : handle_.sweep().space->axes()) {
            if (axis.continuum)
                axes[axis.name.c_str()] = nb::make_tuple(axis.continuum->low, axis.continuum->high);
            else
                axes[axis.name.c_str()] = values_of(axis);
        }
        return axes;
    }

    nb::dict objectives() const {
        nb::dict objectives;
        for (const metrics::Objective& objective : handle_.sweep().objectives)
            objectives[objective.metric.c_str()] =
                objective.direction == metrics::Direction::minimize ? "minimize" : "maximize";
        return objectives;
    }

    [[nodiscard]] std::string explain(bool what_if, const nb::kwargs& axes) const {
        return handle_.explain(handle_.find(settings_of(axes)), what_if);
    }

    [[nodiscard]] const study::Sweep& sweep() const { return handle_.sweep(); }

  private:
    /// A list; a range or an array where that would fill the memory.
    static nb::object values_of(const space::Axis& axis) {
        constexpr std::uint64_t most_listed = 1'000'000;
        const std::uint64_t count = axis.values.count();
        if (count > most_listed && axis.values.is_sequence()) {
            if (axis.info.type != config::FieldType::integer)
                return nb::module_::import_("dse._range")
                    .attr("Range")(axis.values[0], axis.values[1] - axis.values[0], count);
            const auto whole = [&](std::uint64_t i) { return static_cast<std::int64_t>(axis.values[i]); };
            const std::int64_t step = whole(1) - whole(0);
            return nb::module_::import_("builtins").attr("range")(whole(0), whole(count - 1) + step, step);
        }
        nb::list values;
        for (std::uint64_t i = 0; i < count; ++i) values.append(value_of(axis, axis.values[i]));
        return values;
    }

    static nb::object value_of(const space::Axis& axis, double value) {
        if (!axis.labels.empty()) return nb::str(axis.format(value).c_str());
        if (axis.info.type == config::FieldType::flag) return nb::bool_(value != 0.0);
        const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
        return whole ? nb::object(nb::int_(static_cast<std::int64_t>(value))) : nb::object(nb::float_(value));
    }

    SweepHandle handle_;
    std::vector<nb::str> names_;
    std::vector<double> values_;
};

}  // namespace
}  // namespace dse::python

NB_MODULE(_native, module) {
    using dse::python::PythonSweep;
    nb::exception<dse::InputError>(module, "InputError", PyExc_ValueError);
    nb::exception<dse::ModelError>(module, "ModelError", PyExc_ValueError);
    nb::class_<PythonSweep>(module, "Sweep")
        .def(nb::init<const std::string&, const std::vector<std::string>&>())
        .def("evaluate", &PythonSweep::evaluate)
        .def("_seconds_of", &PythonSweep::seconds_of)
        .def("explain", &PythonSweep::explain)
        .def_prop_ro("axes", &PythonSweep::axes)
        .def_prop_ro("objectives", &PythonSweep::objectives)
        .def_prop_ro("name", [](const PythonSweep& self) { return self.sweep().name; })
        .def_prop_ro("warnings", [](const PythonSweep& self) {
            std::vector<std::string> texts;
            for (const dse::config::Diagnostic& warning : self.sweep().warnings)
                texts.push_back(dse::config::to_string(warning.where) + ": " + warning.path + ": " +
                                warning.message);
            return texts;
        });
}
