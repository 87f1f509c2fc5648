"""Values as sources write them, made into values of a `Post`, or refused with a reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from slugify import slugify

from kbexport.models import Kind
from kbexport.text.clean import clean_text, one_line
from kbexport.text.counts import parse_count
from kbexport.text.dates import parse_moment
from kbexport.text.urls import web_address

# What programs and people write where they know nothing.
_NOTHING = frozenset(
    ["", "-", "--", "—", "——", "~", "null", "none", "nil", "n/a", "nan", "unknown"]
)
_NO_DATE = re.compile(r"(?:0000|0001|1970)-(?:00|01)-(?:00|01)(?:[T ]0[08]:00.*)?")
_KINDS: dict[str, Kind] = {
    "original": "original",
    "repost": "repost",
    "translation": "translation",
    "原创": "original",
    "转载": "repost",
    "翻译": "translation",
}
_TRUE = frozenset(["true", "yes", "on", "1"])
_FALSE = frozenset(["false", "no", "off", "0"])
_COMMA = re.compile(r"[,，]")
_LARGEST = 10**15


class Number(str):
    """A number as the source writes it, so that `1.10` stays and no digit of an id is lost."""

    __slots__ = ()


class UnfitError(ValueError):
    """A value that a field cannot take; ``kept`` is the part of it that is good."""

    def __init__(self, reason: str, kept: object = None) -> None:
        super().__init__(reason)
        self.kept = kept


Rule = Callable[[object], object]


def read_fields(
    raw: Mapping[str, object], rules: Mapping[str, Rule], written: Mapping[str, str] | None = None
) -> tuple[dict[str, object], list[str]]:
    """The values of the known fields that hold something, and why others were refused.

    ``written`` has the keys of fields that the source calls otherwise.
    """
    values: dict[str, object] = {}
    refused: list[str] = []
    for name, rule in rules.items():
        if name not in raw:
            continue
        try:
            value = rule(raw[name])
        except UnfitError as unfit:
            value = unfit.kept
            refused.append(f"{(written or {}).get(name, name)}: {unfit}")
        if value is not None and value != ():
            values[name] = value
    return values, refused


def as_line(value: object) -> str | None:
    """Read a text of one line."""
    return one_line(_text(value) or "") or None


def as_slug(value: object) -> str | None:
    """Read a short name, in the form that an address takes."""
    text = _text(value) or ""
    return (
        slugify(text, allow_unicode=True, entities=False, decimal=False, hexadecimal=False) or None
    )


def as_text(value: object) -> str | None:
    """Read a text of several lines without the blank ones around it."""
    return clean_text(_text(value) or "").strip() or None


def as_body(value: object) -> str | None:
    """Read a body as it is, the indent of its first line included."""
    text = clean_text(_text(value) or "")
    return text if text.strip() else None


def as_url(value: object) -> str | None:
    """Read an http or https address."""
    text = _known(value)
    if text is None:
        return None
    address = web_address(text)
    if address is None:
        raise UnfitError(f"no http or https address: {_short(text)}")
    return address


def as_moment(value: object) -> str | None:
    """Read a date, in any of the forms that ``parse_moment`` knows."""
    text = _known(value)
    if text is None or _NO_DATE.fullmatch(text):
        return None
    moment = parse_moment(text)
    if moment is None:
        raise UnfitError(f"no date that can be read: {_short(text)}")
    return moment


def as_count(value: object) -> int | None:
    """Read a count such as `1.2万`."""
    text = _known(value)
    if text is None:
        return None
    count = _whole(text, down=True) if isinstance(value, Number) else parse_count(text)
    if count is None or count < 0:
        raise UnfitError(f"no count: {_short(text)}")
    return count


def as_ordinal(value: object) -> int | None:
    """Read a whole number."""
    text = _known(value)
    if text is None:
        return None
    number = _whole(text)
    if number is None:
        raise UnfitError(f"no whole number: {_short(text)}")
    return number


def as_kind(value: object) -> Kind | None:
    """Read whether a post is original, a repost or a translation."""
    text = _known(value)
    if text is None:
        return None
    if text.lower() not in _KINDS:
        raise UnfitError(f"none of {', '.join(list(_KINDS)[:3])}: {_short(text)}")
    return _KINDS[text.lower()]


def as_flag(value: object) -> bool | None:
    """Read yes or no."""
    if isinstance(value, bool):
        return value
    text = _known(value)
    if text is None:
        return None
    if text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    raise UnfitError(f"neither true nor false: {_short(text)}")


def as_names(value: object) -> tuple[str, ...]:
    """Read a list of names, or one text in which commas divide them."""
    if not isinstance(value, list):
        return _distinct(_COMMA.split(_known(value) or ""))
    names, bad = [], 0
    for item in value:
        try:
            names.append(_text(item) or "")
        except UnfitError:
            bad += 1
    if bad:
        raise UnfitError(f"{bad} of {len(value)} are no text", _distinct(names))
    return _distinct(names)


def _distinct(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in map(one_line, names) if name))


def _text(value: object) -> str | None:
    """The value if it is a text or a number."""
    if value is None or isinstance(value, str):
        return value
    kinds = {bool: "true or false", list: "a list", dict: "an object"}
    kind = next((words for kind, words in kinds.items() if isinstance(value, kind)), None)
    raise UnfitError(f"{kind or type(value).__name__} where text is expected")


def _known(value: object) -> str | None:
    """The value as one line; ``None`` where the source says that it does not know."""
    text = one_line(_text(value) or "")
    return None if text.lower() in _NOTHING else text


def _whole(text: str, *, down: bool = False) -> int | None:
    """The number if it is a whole one of sane size; ``down`` drops a fraction."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number) > _LARGEST:
        return None
    return int(number) if down or number == int(number) else None


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "…"
