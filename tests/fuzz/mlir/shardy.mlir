sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @other = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}p1, {}], replicated={"y"}>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=2]>, [{"z"}, {}], unreduced=max{"z"}>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {?}]> : tensor<8x16xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x16xf32>) {
    %3 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x16xf32>) -> tensor<2x16xf32>
    %4 = "stablehlo.all_gather"(%3) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (2)2>]>} : (tensor<2x16xf32>) -> tensor<2x16xf32>
    sdy.return %4 : tensor<2x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = sdy.all_reduce {"y":(1)2} %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
// -----
func.func private @declared(tensor<*xf32>) -> !stablehlo.token
