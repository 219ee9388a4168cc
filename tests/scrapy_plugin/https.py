"""Downloads https URLs from the test site, which is told the scheme and the host in headers: TLS is not the subject."""

from __future__ import annotations

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.http import Response

ANY_HOST = {
    "DOWNLOAD_HANDLERS": {
        "http": "tests.scrapy_plugin.https.AnyHost",
        "https": "tests.scrapy_plugin.https.AnyHost",
    }
}


class AnyHost(HTTP11DownloadHandler):
    """Every host name is the test site's, at the port in the setting TEST_PORT."""

    async def download_request(self, request: Request) -> Response:
        scheme, _, rest = request.url.partition("://")
        host, slash, path = rest.partition("/")
        inner = request.replace(
            url=f"http://127.0.0.1:{self.crawler.settings['TEST_PORT']}{slash}{path}",
            headers={**request.headers, "X-Site": f"{scheme}://{host}"},
            meta={**request.meta, "verbatim_url": True},
        )
        response = await super().download_request(inner)
        return response.replace(url=request.url)
