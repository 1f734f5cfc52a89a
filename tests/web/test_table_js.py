"""The geometry of the card table: at every size and for either hand, cards lie where they can."""

import json
import subprocess
from pathlib import Path

from tests.web.node import node


def test_every_table_fits_its_place_and_keeps_its_order() -> None:
    script = Path(__file__).with_name("table_check.mjs")
    answer = subprocess.run([node(), str(script)], capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout) == []
