"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x9x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x4x4x8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x9x9x4xf32> loc("a"), %arg1: tensor<3x3x4x8xf32>):
    %0 = "mhlo.convolution"(%arg0, %arg1) {batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<0> : tensor<2x2xi64>, window_strides = dense<2> : tensor<2xi64>} : (tensor<2x9x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x4x4x8xf32>
    %1 = "mhlo.all_reduce"(%0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = "mhlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "mhlo.return"(%4) : (tensor<f32>) -> ()
    }) {channel_handle = #mhlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>, use_global_device_ids} : (tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
    %2:2 = "mhlo.sort"(%1, %1) <{dimension = -1 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %4 = "mhlo.compare"(%a, %b) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "mhlo.return"(%4) : (tensor<i1>) -> ()
    }) : (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>) -> (tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>)
    %3 = "mhlo.constant"() {value = dense<0> : tensor<5x1xi32>} : () -> tensor<5x1xi32>
    %4 = "mhlo.gather"(%arg0, %3) {dimension_numbers = #mhlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 9, 4>} : (tensor<2x9x9x4xf32>, tensor<5x1xi32>) -> tensor<?x3x9x4xf32>
    "func.return"(%2#1) : (tensor<2x4x4x8xf32>) -> ()
  }) {sym_visibility = "public"} : () -> ()
}) {mhlo.num_partitions = 4 : i32} : () -> ()
{-# dialect_resources: {builtin: {a: "0x00"}} #-}
