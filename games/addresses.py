"""Who is counted as one: the address a call comes from, in the form in which it is counted.

Addresses that one customer of a provider can change at will count as one: IPv6 by network. An
address is never kept in clear, only as a keyed hash.
"""

import ipaddress
import re
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

UNKNOWN = "unknown"  # all that have no address that can be read, together

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# 192.0.2.7:4711, and [2001:db8::1]:4711 or without its port, in quotes or not.
_IPV4_WITH_PORT = re.compile(r"([0-9.]+):[0-9]+")
_IN_BRACKETS = re.compile(r"\[([^\[\]]*)\](?::[0-9]*)?")


@dataclass(frozen=True)
class Call:
    """Where a call came from, as it is counted, and when."""

    address: str
    at: datetime


def address_of(request: HttpRequest) -> str:
    """Return the address a request comes from, as it is counted: `192.0.2.7`, `2001:db8::/64`.

    Of X-Forwarded-For only what settings.TRUSTED_PROXY_COUNT proxies of ours wrote is believed.
    What is no address there, and may be the client's own invention, counts for the proxy that
    passed it on, so that nobody gets a new address by making up a text.
    """
    peer = counted_address(request.META.get("REMOTE_ADDR", ""))
    proxies = settings.TRUSTED_PROXY_COUNT
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    if proxies and forwarded is not None:
        entries = forwarded.split(",")
        return counted_address(entries[-min(proxies, len(entries))]) or peer or UNKNOWN
    return peer or UNKNOWN


def counted_address(text: str) -> str | None:
    """Return an address in the one form in which it is counted; None for what is no address.

    Ports, brackets and zones are dropped. An IPv4 address that is written inside an IPv6 one
    (mapped, NAT64, 6to4) is that IPv4 address. IPv6 counts by the network of
    settings.THROTTLE_IPV6_PREFIX bits, since its lower bits are the customer's to choose.
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
    """Return the hashes under which an address may be kept: by the present key, then older ones."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [
        salted_hmac("games.addresses", address, secret=key, algorithm="sha256").hexdigest()
        for key in keys
    ]
