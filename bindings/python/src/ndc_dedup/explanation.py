"""Why two pages are, or are not, near-duplicates."""

from __future__ import annotations

from typing import Any

__all__ = ["Explanation"]


class Explanation:
    """The comparison of page ``a``, which plays the representative, with page ``b``.

    ``data`` is what the library tells (``nd_explain`` in ndcapi.h names all of it), ``str()`` a text for people.
    """

    __slots__ = ("data",)

    def __init__(self, data: dict[str, Any]):
        self.data = data

    @property
    def verdict(self) -> str:
        """``exact``, ``near`` or ``different``."""
        return str(self.data["verdict"])

    @property
    def is_duplicate(self) -> bool:
        return self.verdict != "different"

    @property
    def rule(self) -> str:
        """What decided: ``exact``, ``probability``, ``report`` or the name of a detector; ``none``: different."""
        return str(self.data["rule"])

    @property
    def resemblance(self) -> float:
        return float(self.data["resemblance"])

    @property
    def containment(self) -> float:
        return float(self.data["containment"])

    @property
    def probability(self) -> float:
        """That they are the same document, as in ``Result``."""
        return float(self.data["probability"])

    @property
    def boilerplate(self) -> dict[str, list[tuple[int, int]]]:
        """Of ``"a"`` and ``"b"`` the tokens ``(begin, end)`` that are rather the site's than the page's own."""
        return {page: [(begin, end) for begin, end in self.data["boilerplate"][page]] for page in ("a", "b")}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explanation) and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Explanation {self.verdict} by {self.rule}, resemblance {self.resemblance:.4f}>"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        data = self.data
        out = [f"{self.verdict} by the rule: {self.rule}"]
        for name in ("a", "b"):
            page = data[name]
            out.append(
                f"  {name}: {page['url']} (page {page['page_id']}, width {page['width']}, main content "
                f"{page['content_width']})"
            )
        out.append(f"  resemblance {self.resemblance:.4f}, containment {self.containment:.4f}")
        out.append(f"  in common: {data['matched_coverage']:.4f} of a, {data['page_coverage']:.4f} of b")
        if "refused_as" in data:
            out.append(f"  refused: {data['refused_as']}")
        boilerplate = [sum(end - begin for begin, end in self.boilerplate[page]) for page in ("a", "b")]
        if any(boilerplate):
            out.append(f"  boilerplate of the sites: {boilerplate[0]} tokens of a, {boilerplate[1]} of b")
        decided = data.get("decided_by")
        if decided:
            out.append(f"  asked by option {decided['option']}: {decided['asked']}; found: {decided['found']}")
        for segment in data.get("segments", ()):
            if "text" in segment:
                sign = {"both": " ", "a": "-", "b": "+"}[segment["kind"]]
                out.append(f"  {sign} {segment['text']}")
        return out
