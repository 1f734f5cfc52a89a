"""Reading request bodies: capped, decompressed, strict JSON."""

import json
import zlib
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http.request import UnreadablePostError
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.parsers import JSONParser
from rest_framework.utils import json as strict_json


class PayloadTooLarge(exceptions.APIException):
    """413: the body is over the limit, before or after it was decompressed."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "body_too_large"


_GZIP_WINDOW_BITS = 31  # in zlib's terms: gzip's header and checksum


class StrictJSONParser(JSONParser):
    """Parse JSON as UTF-8 (RFC 8259), at most settings.MAX_BODY_BYTES after decompression.

    Content-Encoding may be gzip: a phone may compress a log. A body that would grow beyond the
    limit is refused without decompressing the rest.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed body.

        Raises:
            PayloadTooLarge: over the limit, before or after decompression.
            UnsupportedMediaType: compressed in a way other than gzip.
            ParseError: not gzip as announced, not UTF-8, not JSON, or nested too deep.
        """
        headers = parser_context["request"].headers if parser_context else {}
        data = _decompressed(_read(stream), headers.get("Content-Encoding", "identity"))
        try:
            return strict_json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            where = f" ({error})" if isinstance(error, json.JSONDecodeError) else ""
            raise exceptions.ParseError(_("The body isn't valid JSON in UTF-8.") + where) from error


def _read(stream: IO[Any]) -> bytes:
    try:
        data: bytes = stream.read(settings.MAX_BODY_BYTES + 1)
    except UnreadablePostError as error:
        raise exceptions.ParseError(_("The body was cut off.")) from error
    if len(data) > settings.MAX_BODY_BYTES:
        raise PayloadTooLarge(_too_large())
    return data


def _decompressed(data: bytes, encoding: str) -> bytes:
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return data
    if encoding not in ("gzip", "x-gzip"):
        raise exceptions.UnsupportedMediaType(
            encoding, detail=_("Send the body uncompressed or compressed with gzip.")
        )
    inflater = zlib.decompressobj(wbits=_GZIP_WINDOW_BITS)
    try:
        plain = inflater.decompress(data, settings.MAX_BODY_BYTES + 1)
    except zlib.error as error:
        raise exceptions.ParseError(_("The header says gzip, but the body isn't gzip.")) from error
    if len(plain) > settings.MAX_BODY_BYTES:
        raise PayloadTooLarge(_too_large())
    if not inflater.eof or inflater.unused_data:
        raise exceptions.ParseError(_("The gzip body is cut off or has extra bytes after its end."))
    return plain


def _too_large() -> str:
    return _("The body may be at most %(bytes)d bytes long.") % {"bytes": settings.MAX_BODY_BYTES}
