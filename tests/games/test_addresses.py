"""Addresses: docs/contract.md, "Throttles": one customer counts as one, however it is written."""

import ipaddress

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from games.addresses import UNKNOWN, address_hashes, address_of, counted_address

v4 = st.ip_addresses(v=4)
v6 = st.ip_addresses(v=6)
ports = st.integers(0, 65535)


def asked(peer: str, forwarded: str | None = None) -> str:
    extra = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return address_of(RequestFactory().get("/", REMOTE_ADDR=peer, **extra))


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        (" 192.0.2.7:4711 ", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::FFFF:c000:0207", "192.0.2.7"),
        ("[::ffff:192.0.2.7]:4711", "192.0.2.7"),
        ("64:ff9b::c000:207", "192.0.2.7"),
        ("2002:c000:207::1", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:DB8:1:2::1]:4711", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]", "2001:db8:1:2::/64"),
        ('"[2001:db8:1:2::1]:4711"', "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("[fe80::1%25eth0]:80", "fe80::/64"),
        ("::1", "::/64"),
    ],
)
def test_an_address_is_counted_in_one_form(text: str, counted: str) -> None:
    assert counted_address(text) == counted


@pytest.mark.parametrize(
    "text",
    ["", " ", "unknown", "_hidden", "unix:", "1.2.3", "1.2.3.4.5", "1.2.3.4:", "1.2.3.4:x", "[",
     "[]", "[1.2.3.4", "host.example", "1.2.3.4, 5.6.7.8", "::g", "1.2.3.4\0", "é"],
)  # fmt: skip
def test_a_text_that_is_not_an_address_has_no_counted_form(text: str) -> None:
    assert counted_address(text) is None


@given(v4, ports)
def test_every_way_to_write_an_ipv4_address_is_one(
    address: ipaddress.IPv4Address, port: int
) -> None:
    mapped = ipaddress.IPv6Address((0xFFFF << 32) | int(address))
    high, low = divmod(int(address), 1 << 16)
    forms = (
        f"{address}", f"{address}:{port}", f"::ffff:{address}", f"[::ffff:{address}]:{port}",
        f"{mapped}", mapped.exploded, f"::ffff:{high:x}:{low:x}", f"64:ff9b::{address}",
    )  # fmt: skip
    assert {counted_address(form) for form in forms} == {str(address)}


@given(st.ip_addresses(network="2a00::/12"), st.integers(0, (1 << 64) - 1), ports)
def test_one_network_of_ipv6_is_one(address: ipaddress.IPv6Address, lower: int, port: int) -> None:
    neighbour = ipaddress.IPv6Address(int(address) >> 64 << 64 | lower)
    forms = (
        f"{address}", f"{neighbour}", f"[{neighbour}]:{port}", neighbour.exploded.upper(),
        f"{neighbour}%eth0",
    )  # fmt: skip
    assert len({counted_address(form) for form in forms}) == 1
    other = ipaddress.IPv6Address(int(address) ^ (1 << 64))
    assert counted_address(str(other)) != counted_address(str(address))


@given(v6, st.integers(1, 128))
def test_the_counted_form_counts_as_itself(address: ipaddress.IPv6Address, prefix: int) -> None:
    counted = counted_address(str(address))
    assert counted is not None
    assert counted_address(counted.partition("/")[0]) == counted


def test_how_much_of_ipv6_counts_as_one_is_a_setting(settings) -> None:
    settings.THROTTLE_IPV6_PREFIX = 56
    assert counted_address("2001:db8:0:ff::1") == counted_address("2001:db8::1")
    settings.THROTTLE_IPV6_PREFIX = 128
    assert counted_address("2001:db8::2") != counted_address("2001:db8::1")


@given(st.text(), st.text())
def test_a_made_up_text_is_never_an_address_of_its_own(one: str, other: str) -> None:
    for text in (one, other):
        counted = counted_address(text)
        assert counted is None or ipaddress.ip_network(counted)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "counted"),
    [
        (0, "198.51.100.1", "192.0.2.1"),
        (1, None, "192.0.2.1"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "203.0.113.5, 198.51.100.1", "198.51.100.1"),
        (2, "203.0.113.5, 198.51.100.1", "203.0.113.5"),
        (2, "junk, 203.0.113.5, 198.51.100.1", "203.0.113.5"),
        (3, "203.0.113.5, 198.51.100.1", "203.0.113.5"),
        (1, "203.0.113.5, junk", "192.0.2.1"),
        (1, "junk", "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "203.0.113.5,", "192.0.2.1"),
    ],
)
def test_addresses_from_our_own_proxies_count(
    settings, proxies: int, forwarded: str | None, counted: str
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    assert asked("192.0.2.1:80", forwarded) == counted


def test_without_any_address_all_are_one(settings) -> None:
    """A socket file has no address."""
    settings.TRUSTED_PROXY_COUNT = 1
    assert asked("") == asked("", "junk") == asked("unix:") == UNKNOWN


def test_an_address_is_kept_as_a_keyed_hash_that_survives_a_new_key(settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "old", []
    (kept,) = address_hashes("192.0.2.7")
    assert "192.0.2.7" not in kept
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", ["old"]
    present, *older = address_hashes("192.0.2.7")
    assert present != kept
    assert older == [kept]
