#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/base/factory_table.hpp"
#include "dse/space/sampler.hpp"

namespace dse::space {

/// How a sampler is made, and what the sweeps that name it need.
struct SamplerFactory {
    std::unique_ptr<Sampler> (*make)(std::shared_ptr<const Space>){nullptr};
    /// Its points are all points of the grid and its ids those of the grid: there is no budget, and no seed.
    bool walks_grid{false};
    /// It may draw a point of a grid twice, or one outside the space; make_sampler() then replaces it.
    bool may_repeat{false};

    std::unique_ptr<Sampler> operator()(std::shared_ptr<const Space> space) const {
        return make(std::move(space));
    }
};

/// Every sampler that `search.method` can name.
const FactoryTable<SamplerFactory>& samplers();

/// Whether `search.method` names a sampler that walks the grid.
bool walks_grid(std::string_view method);

/// The other values of `search.method`: adaptive methods. They are created on a higher floor
/// (explore::searches(), which has the same names), but sweeps are read here.
const std::vector<std::string>& learning_methods();

}  // namespace dse::space
