"""Spiders whose pages give items, or do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy.exceptions import DropItem
from scrapy.http import Response

from tests.scrapy_plugin.spiders import Follow


class Some(Follow):
    """Gives an item of the pages that `items` names, alone."""

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        for one in super().parse(response):
            if not isinstance(one, dict) or one["page"] in self.job["items"]:
                yield one


class Drops:
    """An item pipeline that takes nothing of the page named `dropped`."""

    async def process_item(self, item: Any) -> Any:
        if item["page"] == "dropped":
            raise DropItem
        return item
