"""Scrapy's defaults and the add-on: whatever else is set here changes no request.

The crawl without the add-on sets `ADDONS={}` on its command line.
"""

BOT_NAME = "sample_project"
SPIDER_MODULES = ["sample_project.spiders"]
NEWSPIDER_MODULE = "sample_project.spiders"

ADDONS = {"scrapy_plugin.Addon": 500}

# The recorder listens to signals only; where SAMPLE_REPORT is not set it is off.
EXTENSIONS = {"sample_project.recorder.Recorder": 500}

LOG_LEVEL = "INFO"
# No ports and no files but the crawl's own.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
