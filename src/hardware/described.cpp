// The code of the visitors for the module's larger structs, compiled once: see described_once.hpp.
#include "dse/config/described_once.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/outline.hpp"
#include "dse/config/reader.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/device_class_spec.hpp"
#include "dse/hardware/facility_spec.hpp"
#include "dse/hardware/host_spec.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/hardware/network/topology_spec.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::hardware {

DSE_DESCRIBE_HERE(DeviceSpec);
DSE_DESCRIBE_HERE(NetworkSpec);
DSE_DESCRIBE_HERE(TopologySpec);
DSE_DESCRIBE_HERE(ClusterSpec);
DSE_DESCRIBE_HERE(SystemSpec);
DSE_DESCRIBE_HERE(DeviceClassSpec);
DSE_DESCRIBE_HERE(HostSpec);
DSE_DESCRIBE_HERE(FacilitySpec);

}  // namespace dse::hardware
