"""Features, signatures and site models as Python values, which can be pickled and compared without an engine."""

import pickle

import ndc_dedup as ndc
import pytest
from ndc_dedup import Features, Signature, SiteModel, Verdict
from texts import FERRY, NEWS, STORY


def features(body, **options):
    return Features.compute("http://a.example/", body, "text/html", **options)


def signature(body):
    return Signature.compute("http://a.example/", body, "text/html")


@pytest.mark.parametrize("compute", [features, signature])
def test_they_are_values(compute):
    one, same, other = compute(STORY), compute(STORY), compute(FERRY)
    assert one == same and hash(one) == hash(same) and one != other and one != bytes(one)
    assert pickle.loads(pickle.dumps(one)) == one == type(one)(bytes(one))
    assert len(one) == len(bytes(one)) and str(len(one)) in repr(one)
    with pytest.raises(AttributeError):
        one._raw = b""
    with pytest.raises(AttributeError):
        one.extra = 1
    assert len({one, same, other}) == 2


def test_features_decide():
    assert features(STORY).decide(features(NEWS)).verdict is Verdict.NEAR
    assert features(STORY).decide(features(FERRY)).verdict is Verdict.NEW
    assert features(STORY).decide(features(STORY), decision="report").verdict is Verdict.NEAR
    assert set(features(STORY).keys) & set(features(NEWS).keys)
    assert not set(features(STORY).keys) & set(features(FERRY).keys)
    with pytest.raises(TypeError):
        features(STORY).decide(bytes(features(STORY)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: features(STORY, same_document=0.9),
        lambda: features(STORY, events_limit=5),
        lambda: features(STORY).decide(features(NEWS), tokens_limit=100),
        lambda: Signature.compute(None, STORY, detector="mwo"),
        lambda: ndc.extract(STORY, keep_text=True),
        lambda: ndc.describe(STORY, detector="mwo", x_candidates_limit=3),
    ],
)
def test_an_option_without_effect_is_refused(call):
    with pytest.raises(ndc.InvalidArgumentError, match="has no effect here: it acts on"):
        call()


def test_an_option_says_what_it_acts_on():
    acts_on = {option.key: option.acts_on for option in ndc.options()}
    assert acts_on["tokens_limit"] == "pages" and acts_on["durability"] == "stores" and all(acts_on.values())


def framed(number, text):
    return Features.compute(f"http://a.example/{number}", FERRY * 3 + f"<p>{text}</p>", "text/html")


def test_what_a_site_knows():
    words = ("a choir in a kiln", "letters to nobody", "benches of another colour", "barometers that fall silent")
    pages = [framed(i, text) for i, text in enumerate(words)]
    site = SiteModel()
    for page in pages:
        site.learn(page)
    assert pages[0].with_site(site).decide(pages[1].with_site(site)).probability < pages[0].decide(pages[1]).probability
    weights = site.weights(pages[0])
    assert weights[-1] > 0.4 and max(weights[:-1]) < 0.1
    assert SiteModel(site.save()).save() == pickle.loads(pickle.dumps(site)).save() == site.save()
    assert len(site.save(pages[0])) < len(site.save())
    site.forget(pages[0])
    other = SiteModel()
    for page in pages[1:]:
        other.learn(page)
    other.merge(SiteModel().save())
    assert other.weights(pages[1]) == site.weights(pages[1])
    with pytest.raises(ndc.CorruptError):
        SiteModel(site.save()[:-1])
    with pytest.raises(TypeError):
        SiteModel("text")


def test_an_engine_takes_features():
    with ndc.NearDuplicates() as engine:
        engine.check("http://b.example/", NEWS, "text/html")
        assert engine.check_features(features(STORY)).group_id == 1
        assert engine.check_features(bytes(features(STORY))).verdict is Verdict.UNCHANGED
        assert engine.find("http://a.example/").page_id == 2


def test_signatures_compare():
    assert signature(STORY).similarity(signature(STORY)) == 1
    assert signature(STORY).similarity(signature(FERRY)) < 0.2
    assert 0 < len(signature(STORY).keys) <= 32
    assert len(Signature.compute(None, b"", "text/html")) == 0
    with pytest.raises(TypeError):
        signature(STORY).similarity(b"")


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[:-1], lambda raw: raw[:50] + b"?" + raw[51:], lambda raw: b"", lambda raw: b"x" * 500]
)
def test_damage_is_an_error(damage):
    damaged = Features(damage(bytes(features(STORY))))
    for use in (
        lambda: damaged.keys,
        lambda: damaged.parts,
        lambda: damaged.decide(features(STORY)),
        lambda: damaged.with_site(SiteModel()),
    ):
        with pytest.raises((ndc.CorruptError, ndc.UnsupportedVersionError)):
            use()
    with ndc.NearDuplicates() as engine, pytest.raises((ndc.CorruptError, ndc.UnsupportedVersionError)):
        engine.check_features(damaged)


@pytest.mark.parametrize("kind", [Features, Signature])
@pytest.mark.parametrize("value", ["text", 7, None])
def test_what_is_no_bytes_is_refused(kind, value):
    with pytest.raises(TypeError):
        kind(value)


def test_options_of_features():
    assert "simhash" in ndc.describe(STORY, "text/html", detector="simhash64")
    assert "fingerprints" in ndc.describe(STORY)
    with pytest.raises(ndc.InvalidArgumentError):
        features(STORY, relaxd=False)
    assert features(STORY, x_relaxed=False) != features(STORY)
