"""The page ``/hippodrome`` of Dask's dashboard: progress of the jobs submitted to a scheduler.

Each submission logs an event every second; the page shows the last one. It does not need Bokeh. The events
are also available as ``client.get_events("hippodrome")``.
"""

from __future__ import annotations

import contextlib
import html
import time
from collections.abc import Iterable, Mapping
from typing import Any

from distributed import Client
from tornado.web import RequestHandler

from hippodrome._timeout import within

#: Events of submissions are logged under this name.
TOPIC = "hippodrome"
#: Seconds between two events of a submission.
UPDATE_INTERVAL = 1.0
#: Seconds without an event until the page shows the time of the last one.
SILENCE_LIMIT = 10.0

HEAD = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width"><title>Hippodrome: jobs</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem }
section { border-top: 1px solid #8888; padding: .75rem 0 }
h2 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 0; overflow-wrap: anywhere }
progress { width: 100%; height: 1rem; accent-color: #186a3b }
dl { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: 0 }
dt { font-size: .8rem; opacity: .7 } dd { margin: 0; font-variant-numeric: tabular-nums }
</style>
<p><a href="status">Dask</a></p><h1>Jobs</h1>
"""


def duration(seconds: float) -> str:
    """Formats a duration as in 1:02:03."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def log_progress(client: Client, facts: Mapping[str, Any]) -> None:
    """Logs the progress of a job, without retry and with a short timeout."""
    if client.status == "running":
        with contextlib.suppress(Exception):
            within(UPDATE_INTERVAL, lambda: client.log_event(TOPIC, dict(facts)))


def add_page(dask_scheduler: Any = None) -> None:
    """Runs on the scheduler for each submission; the first run adds the page."""
    application = dask_scheduler.http_application
    if getattr(application, TOPIC, False):
        return
    setattr(application, TOPIC, True)
    # The address of a dashboard may have a prefix.
    application.add_handlers(".*", [(rf"/(?:.*/)?{TOPIC}", Page, {"scheduler": dask_scheduler})])
    # The menu is not part of Dask's public API, and exists only with Bokeh.
    with contextlib.suppress(Exception):
        from distributed.dashboard.scheduler import template_variables

        template_variables(dask_scheduler)["pages"].append(TOPIC)


class Page(RequestHandler):
    """The page of jobs, latest first."""

    def initialize(self, scheduler: Any) -> None:
        self.scheduler = scheduler

    def get(self) -> None:
        self.set_header("Cache-Control", "no-store")
        self.write(page(self.scheduler.get_events(TOPIC), time.time()))


def page(events: Iterable[tuple[float, Mapping[str, Any]]], now: float) -> str:
    """Renders the page from logged events."""
    last: dict[str, tuple[float, Mapping[str, Any]]] = {}
    for at, facts in events:
        # A dict keeps the order of the first events.
        last[facts["submission"]] = (at, facts)
    # Keep only the latest submission of each job.
    jobs = {facts["job"]: (at, facts) for at, facts in last.values()}
    sections = [section(now - at, facts) for at, facts in reversed(jobs.values())]
    return HEAD + ("".join(sections) or "<p>No jobs.</p>")


def section(silent: float, facts: Mapping[str, Any]) -> str:
    """Renders one submission."""
    done, units = facts["done"], facts["units"]
    fields = {"state": facts["phase"], "units": f"{done:,} of {units:,}"}
    for name in ("attempts", "tours"):
        if facts[name]:
            fields[name] = f"{facts[name]:,}"
    if facts["distinct"]:
        fields["distinct"] = f"{'' if facts['phase'] == 'done' else 'about '}{facts['distinct']:,}"
    if facts["directed"]:
        fields["open tours"] = f"{int(facts['directed']):,}"
    fields["workers"] = f"{facts['workers']:,}"
    if facts["seconds_left"] is not None:
        fields["time left"] = duration(facts["seconds_left"])
    if facts["phase"] not in ("done", "stopped") and silent > SILENCE_LIMIT:
        fields["last update"] = f"{duration(silent)} ago"
    listed = "".join(f"<div><dt>{name}</dt><dd>{html.escape(text)}</dd></div>" for name, text in fields.items())
    return (
        f'<section><h2>{html.escape(facts["job"])}</h2><progress max="{units}" value="{done}"></progress>'
        f"<dl>{listed}</dl></section>\n"
    )
