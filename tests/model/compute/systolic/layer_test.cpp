#include "dse/model/compute/systolic/layer.hpp"

#include <set>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

SystolicLayer convolution(double height, double width, double filter_height, double filter_width,
                          double channels, double filters, double stride) {
    return {"conv", height, width, filter_height, filter_width, channels, filters, stride};
}

TEST(SystolicLayer, a_convolution_is_the_product_of_its_windows) {
    // The first layer of ResNet-50, padded: (230 - 7)/2 + 1 = 112.5, rounded up by the last window.
    const SystolicLayer layer = convolution(230, 230, 7, 7, 3, 64, 2);
    EXPECT_EQ(layer.ofmap_height(), 113.0);
    EXPECT_EQ(layer.product().m, 113.0 * 113.0);
    EXPECT_EQ(layer.product().n, 64.0);
    EXPECT_EQ(layer.product().k, 147.0);
    EXPECT_EQ(layer.filter_words(), 147.0 * 64.0);
    EXPECT_EQ(layer.ifmap_words(), 230.0 * 230.0 * 3.0);
}

TEST(SystolicLayer, a_product_is_a_convolution) {
    const SystolicLayer layer = product_layer("p", 100, 200, 300);
    EXPECT_EQ(layer.product().m, 100.0);
    EXPECT_EQ(layer.product().n, 200.0);
    EXPECT_EQ(layer.product().k, 300.0);
    EXPECT_EQ(layer.ifmap_words(), 30000.0);
    EXPECT_EQ(layer.filter_words(), 60000.0);
}

/// Against counting every element that every window reads.
TEST(SystolicLayer, words_are_those_that_windows_read) {
    for (int size = 1; size <= 14; ++size) {
        for (int filter = 1; filter <= size; ++filter) {
            for (int stride = 1; stride <= 6; ++stride) {
                const SystolicLayer layer = convolution(size, 9, filter, 3, 2, 5, stride);
                std::set<int> rows;
                for (int window = 0; window < static_cast<int>(layer.ofmap_height()); ++window) {
                    for (int i = 0; i < filter; ++i) {
                        if (window * stride + i < size) rows.insert(window * stride + i);
                    }
                }
                std::set<int> columns;
                for (int window = 0; window < static_cast<int>(layer.ofmap_width()); ++window) {
                    for (int i = 0; i < 3; ++i) {
                        if (window * stride + i < 9) columns.insert(window * stride + i);
                    }
                }
                EXPECT_EQ(layer.ifmap_words(), 2.0 * static_cast<double>(rows.size() * columns.size()))
                    << size << " " << filter << " " << stride;
            }
        }
    }
}

}  // namespace
}  // namespace dse::model
