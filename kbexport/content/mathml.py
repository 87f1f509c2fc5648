"""MathML -> TeX, for formulas whose TeX a saved page has lost. Common elements only."""

from __future__ import annotations

from collections.abc import Callable

from turbohtml import Element, Node

_SIGNS = {
    **dict(zip("αβγδεζηθικλμνξπρστυφχψω", (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
        "upsilon phi chi psi omega"
    ).split(), strict=True)),
    **dict(zip("ΓΔΘΛΞΠΣΦΨΩ", "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
               strict=True)),
    **dict(zip("∑∏∫∮∂∇∞≤≥≠≈≡∼∝±×÷⋅∈∉⊂⊆∪∩∅∀∃→←⇒⇔↦…⋯⋮⋱∥∣⊙⊗⊕", (
        "sum prod int oint partial nabla infty le ge ne approx equiv sim propto pm times div cdot "
        "in notin subset subseteq cup cap emptyset forall exists to leftarrow Rightarrow "
        "Leftrightarrow mapsto dots cdots vdots ddots parallel mid odot otimes oplus"
    ).split(), strict=True)),
}  # fmt: skip
_PLAIN = {"−": "-", "′": "'", "\u2061": "", "\u2062": "", "\u2063": "", "\xa0": " "}
_ESCAPED = "#$%&_{}"
_ACCENTS = {"^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "¯": "bar", "―": "overline",
            "→": "vec", "˙": "dot", "¨": "ddot"}  # fmt: skip


def tex_of(element: Element) -> str:
    """The TeX of a `math` element or of one inside it; unknown elements give their parts."""
    write = _WRITERS.get(element.tag.removeprefix("m:"), _row)
    return write(element)


def _parts(element: Element) -> list[str]:
    nodes: list[Node] = list(element.children)
    return [tex_of(node) for node in nodes if isinstance(node, Element)]


def _row(element: Element) -> str:
    parts = _parts(element)
    return "".join(parts) if parts else _letters(element)


def _letters(element: Element) -> str:
    return "".join(_sign(char) for char in element.text.strip())


def _sign(char: str) -> str:
    if char in _SIGNS:
        return f"\\{_SIGNS[char]} "
    if char in _PLAIN:
        return _PLAIN[char]
    return "\\" + char if char in _ESCAPED else char


def _identifier(element: Element) -> str:
    letters = _letters(element)
    return rf"\mathrm{{{letters}}}" if len(element.text.strip()) > 1 else letters


def _filled(form: str, parts: int) -> Callable[[Element], str]:
    """A writer for an element with so many children."""

    def write(element: Element) -> str:
        found = [part.strip() for part in _parts(element)]
        return form.format(*found) if len(found) == parts else "".join(found)

    return write


def _over(element: Element) -> str:
    below, above = (part.strip() for part in (*_parts(element), "", "")[:2])
    sign = element.text.strip()[-1:]
    if sign in _ACCENTS and (above == sign or above == _sign(sign).strip()):
        return rf"\{_ACCENTS[sign]}{{{below}}}"
    return rf"\overset{{{above}}}{{{below}}}"


def _table(element: Element) -> str:
    rows = [
        " & ".join(part.strip() for part in _parts(row))
        for row in element.select("mtr, mlabeledtr")
    ]
    return r"\begin{matrix} " + r" \\ ".join(rows) + r" \end{matrix}"


def _fenced(element: Element) -> str:
    opened, closed = element.attr("open") or "(", element.attr("close") or ")"
    return rf"\left{opened}" + ",".join(_parts(element)) + rf"\right{closed}"


def _semantics(element: Element) -> str:
    return next(iter(_parts(element)), "")


_WRITERS: dict[str, Callable[[Element], str]] = {
    "mi": _identifier,
    "mn": _letters,
    "mo": _letters,
    "mtext": lambda element: rf"\text{{{element.text}}}",
    "mspace": lambda _: r"\ ",
    "msup": _filled("{0}^{{{1}}}", 2),
    "msub": _filled("{0}_{{{1}}}", 2),
    "munder": _filled("{0}_{{{1}}}", 2),
    "msubsup": _filled("{0}_{{{1}}}^{{{2}}}", 3),
    "munderover": _filled("{0}_{{{1}}}^{{{2}}}", 3),
    "mfrac": _filled(r"\frac{{{0}}}{{{1}}}", 2),
    "mroot": _filled(r"\sqrt[{1}]{{{0}}}", 2),
    "msqrt": lambda element: rf"\sqrt{{{_row(element).strip()}}}",
    "mover": _over,
    "mtable": _table,
    "mfenced": _fenced,
    "semantics": _semantics,
}
