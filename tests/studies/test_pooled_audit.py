"""The study of pooled audits: the page shows what was measured, and pools need fewer answers than separate audits."""

import numpy as np
from studies.pooled_audit.page import PAGE, answers_table, recorded
from studies.pooled_audit.run import SEEDS, Networks, pooled, separate


def test_the_page_shows_the_recorded_figures():
    results = recorded()
    assert answers_table(results) in PAGE.read_text()
    assert {(result.goal, result.seed) for result in results if result.way == "pool"} == {
        (goal, seed) for goal, seeds in SEEDS.items() for seed in range(seeds)
    }


def test_all_pairs_need_at_most_a_third_of_the_answers_of_separate_audits_and_nothing_false_is_claimed():
    results = recorded()
    assert not any(result.wrong for result in results)
    pools = [result for result in results if (result.way, result.goal) == ("pool", "pairs")]
    apart = next(result for result in results if (result.way, result.goal) == ("separate audits", "pairs"))
    assert all(result.settled == result.pairs == 435 for result in pools)
    assert all(3 * result.answers <= apart.answers for result in pools)
    assert all(result.answers < apart.rows for result in pools)


def test_a_small_pool_and_separate_audits_agree_with_the_truth():
    rng = np.random.default_rng(2)
    true = rng.integers(0, 3, 200)
    answers = np.where(rng.random((4, 200)) < np.array([0.4, 0.6, 0.8, 0.95])[:, None], true, (true + 1) % 3)
    networks = Networks(tuple("abcd"), true, true, answers)
    pool, apart = pooled(networks, "pairs", 0), separate(networks, "pairs", 0, corrected=True)
    assert (pool.settled, pool.wrong, apart.settled, apart.wrong) == (6, 0, 6, 0)
    assert pool.answers < apart.answers
