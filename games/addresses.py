"""The address a call comes from, in the form in which calls are counted.

Addresses that one customer of a provider can change at will count as one: IPv6 counts by network.
An address is stored only as a keyed hash, never in clear.
"""

import ipaddress
import re
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

UNKNOWN = "unknown"  # all calls without a readable address, together

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# 192.0.2.7:4711, and [2001:db8::1]:4711 or without its port, in quotes or not.
_IPV4_WITH_PORT = re.compile(r"([0-9.]+):[0-9]+")
_IN_BRACKETS = re.compile(r"\[([^\[\]]*)\](?::[0-9]*)?")


@dataclass(frozen=True)
class Call:
    """Where a call came from, in counted form, and when."""

    address: str
    at: datetime


def address_of(request: HttpRequest) -> str:
    """Return the counted address of a request: `192.0.2.7`, `2001:db8::/64`.

    X-Forwarded-For counts only as far as settings.TRUSTED_PROXY_COUNT proxies of ours wrote it. A
    text there that is not an address may be the client's invention: it counts for the proxy that
    passed it on, so that no one gets a new address by making one up.
    """
    peer = counted_address(request.META.get("REMOTE_ADDR", ""))
    proxies = settings.TRUSTED_PROXY_COUNT
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    if proxies and forwarded is not None:
        entries = forwarded.split(",")
        return counted_address(entries[-min(proxies, len(entries))]) or peer or UNKNOWN
    return peer or UNKNOWN


def counted_address(text: str) -> str | None:
    """Return an address in its counted form, or None for a text that is not an address.

    Ports, brackets and zones are dropped. An IPv4 address that is written inside an IPv6 one
    (mapped, NAT64, 6to4) counts as that IPv4 address. IPv6 counts by the network of
    settings.THROTTLE_IPV6_PREFIX bits, because the customer chooses the lower bits.
    """
    text = text.strip().strip('"').strip()
    if bracketed := _IN_BRACKETS.fullmatch(text):
        text = bracketed[1]
    elif with_port := _IPV4_WITH_PORT.fullmatch(text):
        text = with_port[1]
    try:
        address = ipaddress.ip_address(text.partition("%")[0].strip())
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is None:
            prefix = settings.THROTTLE_IPV6_PREFIX
            return str(ipaddress.ip_network((int(address), prefix), strict=False))
        return str(inner)
    return str(address)


def address_hashes(address: str) -> list[str]:
    """Return the hashes of an address by the current key, then by older ones."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [
        salted_hmac("games.addresses", address, secret=key, algorithm="sha256").hexdigest()
        for key in keys
    ]
