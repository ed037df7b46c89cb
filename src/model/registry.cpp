#include "dse/model/registry.hpp"

#include "dse/model/compute/roofline.hpp"
#include "dse/model/compute/systolic.hpp"
#include "dse/model/compute/table.hpp"
#include "model/compute/learned.hpp"

namespace dse::model {
namespace {

template <class Model>
std::unique_ptr<ComputeModel> make_compute(const hardware::DeviceSpec& device, Seconds host_launch) {
    return std::make_unique<Model>(device, host_launch);
}

}  // namespace

const FactoryTable<ComputeFactory>& compute_models() {
    static const FactoryTable<ComputeFactory> table{
        "compute model",
        {{"roofline",
          "FLOP rate or bandwidth, with efficiencies per class of operators",
          {&make_compute<Roofline>, true}},
         {"systolic",
          "products: cycles of a systolic array in closed form; otherwise the roofline",
          {&make_compute<Systolic>}},
         {"table",
          "measured kernel times, interpolated; outside their range the roofline, scaled",
          {&make_compute<Table>}},
         {"learned",
          "products: regression trees trained on measured kernels; otherwise the roofline",
          {&make_compute<Learned>}}}};
    return table;
}

}  // namespace dse::model
