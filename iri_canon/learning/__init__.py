"""A site itself shows which spellings are one page there, and takes it back when it shows otherwise."""

from iri_canon.learning.content import Content, content_of
from iri_canon.learning.coverage import Coverage, Standing, Witness
from iri_canon.learning.learner import Change, Learner, Lesson
from iri_canon.learning.orders import PageOrder, page_order
from iri_canon.learning.pages import read_record, record_of
from iri_canon.learning.policy import Policy
from iri_canon.learning.risk import bound
from iri_canon.learning.sampler import Group, Outcome, Sampler, groups_of

__all__ = [
    "Change",
    "Content",
    "Coverage",
    "Group",
    "Learner",
    "Lesson",
    "Outcome",
    "PageOrder",
    "Policy",
    "Sampler",
    "Standing",
    "Witness",
    "bound",
    "content_of",
    "groups_of",
    "page_order",
    "read_record",
    "record_of",
]
