"""A crawl fetches each resource once and loses no page: the ladder as Scrapy components."""
