"""Dates as blogs print them, read as far as they go and never further."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, time, timedelta

_LONGEST = 100
# Nobody blogged before; what falls here is a zero of some database (0001-01-01, 1970-01-01).
_FIRST = date(1970, 1, 2)

_LABEL = re.compile(
    r"(?:posted\s*(?:@|on)?|published|updated|date|(?:首次)?发[布表]于?|发[布表](?:时间|日期)"
    r"|(?:更新|修改)(?:于|时间)|已?于|[时日]间|日期)\s*[:@]?\s*(?=\S)",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\s*(?:(?:首次)?发[布表]|修改|更新)$")
_CLOCK = (
    r"(?:(?P<half>上午|下午|晚上|凌晨)?\s*(?P<hour>\d{1,2})(?:[:时点](?P<minute>\d{1,2}))"
    r"分?(?::?(?P<second>\d{1,2})秒?(?:[.,]\d+)?)?\s*(?P<noon>[ap]\.?m\.?\b)?)"
)
# A name such as CST says little: it stands for -06:00 and for +08:00.
_ZONE = (
    r"(?:\s*(?P<zone>Z\b|(?:UTC|GMT)?\s*[+-]\d{1,2}:?\d{0,2}|UTC|GMT|UT\b))?"
    r"(?:\s+[A-Z]{2,5}|\s*\([^\d()]{1,40}\))?"
)
_NUMERIC = re.compile(
    r"(?P<year>\d{4})(?:(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})"
    r"|\s*年\s*(?P<month_zh>\d{1,2})\s*月\s*(?P<day_zh>\d{1,2})\s*[日号]?)"
    rf"(?:\s*(?:星期|周)[一二三四五六日天])?(?:(?:[T,]\s*|\s*){_CLOCK}{_ZONE})?",
    re.IGNORECASE,
)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = re.compile(
    r"(?:[a-z]{3,9}\.?,?\s+)?"  # the weekday; a month in its place does not match the rest
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?[\s-]+(?P<month>[a-z]{3,9})\.?|(?P<month_us>[a-z]{3,9})\.?"
    r"\s+(?P<day_us>\d{1,2})(?:st|nd|rd|th)?),?[\s-]+(?P<year>\d{4}|\d\d(?=\s+\d))"
    rf"(?:(?:,|\s+at)?\s+{_CLOCK}{_ZONE})?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(rf"(?P<month>\d{{1,2}})(?:-|/|月)(?P<day>\d{{1,2}})日?(?:\s*{_CLOCK})?")
_RELATIVE_DAY = re.compile(rf"(?P<word>今天|昨天|前天|yesterday)(?:\s*{_CLOCK})?", re.IGNORECASE)
_DAYS_BACK = {"今天": 0, "昨天": 1, "yesterday": 1, "前天": 2}
_AGO = re.compile(
    r"(?P<number>\d{1,5})\s*(?P<unit>秒钟?|分钟|个?小时|天|days?|hours?|minutes?)\s*(?:前|ago)",
    re.IGNORECASE,
)
_ROUGH = re.compile(
    r"刚刚|\d{1,5}\s*(?:秒钟?|分钟|个?小时|天|周|个?月|年|days?|hours?|minutes?)\s*(?:前|ago)"
)


def parse_moment(text: str, captured: date | None = None) -> str | None:
    """The date as ISO 8601 text: a day, or a time with the offset that the text gives.

    ``captured`` is when the page was taken; without it `3 天前` or `12-23` have no date. Where it
    is a ``datetime``, hours count too. Impossible or partial dates are ``None``, and no part that
    the text lacks is added.
    """
    text = unicodedata.normalize("NFKC", text[:_LONGEST]).replace("\ufeff", "").strip()
    text = _AFTER.sub("", _LABEL.sub("", text, count=1) if _LABEL.match(text) else text)
    return _numeric(text) or _compact(text) or _named(text) or _relative(text, captured)


def is_relative(text: str) -> bool:
    """Whether the text is a date that only the time of capture makes whole."""
    text = unicodedata.normalize("NFKC", text[:_LONGEST]).strip()
    patterns = (_MONTH_DAY, _RELATIVE_DAY, _ROUGH)
    return any(pattern.fullmatch(text) for pattern in patterns)


def _numeric(text: str) -> str | None:
    found = _NUMERIC.fullmatch(text)
    if not found:
        return None
    day = _day(found["year"], found["month"] or found["month_zh"], found["day"] or found["day_zh"])
    return _moment(day, found)


def _compact(text: str) -> str | None:
    found = _COMPACT.fullmatch(text)
    day = _day(*found.groups()) if found else None
    return day.isoformat() if day else None


def _named(text: str) -> str | None:
    """Read RFC 822 dates and their relatives, such as `Thu, 23 Dec 2021 10:49:04 +0800`.

    ``Date.toString()`` of browsers has the year behind the day as well.
    """
    found = _NAMED.fullmatch(text)
    if not found:
        return None
    name = (found["month"] or found["month_us"]).lower()
    if name[:3] not in _MONTHS:
        return None
    year = found["year"] if len(found["year"]) == 4 else _century(int(found["year"]))
    day = _day(year, str(_MONTHS.index(name[:3]) + 1), found["day"] or found["day_us"])
    return _moment(day, found)


def _century(year: int) -> str:
    """Read a year of two digits as RFC 2822 does."""
    return str(year + (2000 if year < 50 else 1900))


def _relative(text: str, captured: date | None) -> str | None:
    if captured is None:
        return None
    if text == "刚刚":
        return _day_text(captured)
    if found := _RELATIVE_DAY.fullmatch(text):
        return _moment(_back(captured, days=_DAYS_BACK[found["word"].lower()]), found)
    if found := _AGO.fullmatch(text):
        return _ago(int(found["number"]), found["unit"].lower(), captured)
    if found := _MONTH_DAY.fullmatch(text):
        return _moment(_last_such_day(found["month"], found["day"], captured), found)
    return None


def _ago(number: int, unit: str, captured: date) -> str | None:
    if unit[0] in "天d":
        return _day_text(_back(captured, days=number))
    if not isinstance(captured, datetime):
        return None  # three hours ago may have been yesterday
    seconds = {"秒": 1, "分": 60, "m": 60}.get(unit[0], 3600)
    return _day_text(captured - timedelta(seconds=number * seconds))


def _back(captured: date, *, days: int) -> date | None:
    try:
        return captured - timedelta(days=days)
    except OverflowError:
        return None


def _last_such_day(month: str, day: str, captured: date) -> date | None:
    this_year = _day(str(captured.year), month, day)
    today = date(captured.year, captured.month, captured.day)
    if this_year and this_year <= today:
        return this_year
    return _day(str(captured.year - 1), month, day)


def _day(year: str, month: str, day: str) -> date | None:
    try:
        made = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return made if made >= _FIRST else None


def _day_text(day: date | None) -> str | None:
    return day.strftime("%Y-%m-%d") if day and day.year >= _FIRST.year else None


def _moment(day: date | None, found: re.Match[str]) -> str | None:
    """Join the day and, where the text has one, the time of day."""
    if day is None or found["hour"] is None:
        return _day_text(day)
    hour = _hour(int(found["hour"]), found["half"] or found["noon"] or "")
    try:
        clock = time(hour, int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None
    shown = clock.isoformat("seconds" if found["second"] else "minutes")
    return f"{_day_text(day)}T{shown}{_offset(found.groupdict().get('zone') or '')}"


def _hour(hour: int, half: str) -> int:
    afternoon = half in ("下午", "晚上") or half[:1].lower() == "p"
    if half and hour == 12:
        return 12 if afternoon else 0
    return hour + 12 if afternoon and hour < 12 else hour


def _offset(zone: str) -> str:
    """The offset as ISO 8601 writes it; one that no clock on earth has is left out."""
    sign = re.search(r"([+-])(\d{1,2}):?(\d{2})?$", zone)
    if not sign:
        return "Z" if zone else ""
    hours, minutes = int(sign[2]), int(sign[3] or 0)
    if hours > 14 or minutes > 59:
        return ""
    return f"{sign[1]}{hours:02}:{minutes:02}"
