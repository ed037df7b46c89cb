module @sharded attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg2: tensor<i32>) -> (tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, tensor<16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %1:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %0) : tensor<i32>, tensor<16x64xf32>
    cond {
      %c_1 = stablehlo.constant dense<3> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      %7 = sdy.sharding_constraint %iterArg_0 <@mesh, [{"y"}, {"x"}]> : tensor<16x64xf32>
      %8 = stablehlo.exponential %7 : tensor<16x64xf32>
      stablehlo.return %6, %8 : tensor<i32>, tensor<16x64xf32>
    }
    %2 = "stablehlo.case"(%arg2) ({
      %6 = stablehlo.negate %1#1 : tensor<16x64xf32>
      stablehlo.return %6 : tensor<16x64xf32>
    }, {
      stablehlo.return %0 : tensor<16x64xf32>
    }) : (tensor<i32>) -> tensor<16x64xf32>
    %3 = sdy.data_flow_edge %2 sharding=<@mesh, [{"y"}, {?}]> : tensor<16x64xf32>
    %4 = sdy.manual_computation(%3) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg3: tensor<4x64xf32>) {
      %6 = "stablehlo.all_reduce"(%arg3) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %7 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %7 : tensor<f32>
      }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids} : (tensor<4x64xf32>) -> tensor<4x64xf32>
      sdy.return %6 : tensor<4x64xf32>
    } : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
    return %4, %5 : tensor<16x64xf32>, tensor<16xf32>
  }
}
