from dse_analysis.serving_full_load import DEPLOYMENT, METRIC, errors_at_full_load


def fact(clients, **others):
    return {key: "" for key in DEPLOYMENT} | {"framework": "vllm", "mode": "agg", "source_kind": "inferencex_db",
                                              "concurrency": str(clients)} | others


def row(name, error, metric=METRIC, overloaded=False):
    return {"id": name, "metric": metric, "error": error, "overloaded": overloaded}


def test_the_largest_number_of_clients_of_a_deployment_counts_once():
    facts = {"few": fact(8), "many": fact(64), "again": fact(64), "other": fact(4, tp_size="8")}
    rows = [row("few", 0.5), row("many", 0.1), row("again", 0.3), row("other", -0.2), row("many", 9.0, metric="tpot")]
    # Medians of 10 and 30 %, and of one.
    assert errors_at_full_load(rows, facts) == {"vllm": [0.2, -0.2]}


def test_what_is_overloaded_or_of_another_kind_is_left_out():
    facts = {"full": fact(64), "pools": fact(64, mode="disagg", tp_size="2"),
             "own": fact(64, source_kind="gap_analysis", tp_size="4"), "lower": fact(32)}
    rows = [row("full", 0.1, overloaded=True), row("pools", 0.1), row("own", 0.1), row("lower", 0.05), row("lower", None)]
    assert errors_at_full_load(rows, facts) == {"vllm": [0.05]}
