"""The sample crawl: a site that knows its own truth, crawled with Scrapy's defaults and with the add-on."""
