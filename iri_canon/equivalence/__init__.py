"""What servers showed joins exactly the pairs that were observed (RFC 3987 section 5.3.4)."""

from iri_canon.equivalence.evidence import Equivalence, Observation, Reason, Refusal, judge
from iri_canon.equivalence.opening import open_equivalences, open_seen
from iri_canon.equivalence.profile import Profile, profile
from iri_canon.equivalence.stores import EquivalenceStore, Journaled, Seen, SeenStore, State

__all__ = [
    "Equivalence",
    "EquivalenceStore",
    "Journaled",
    "Observation",
    "Profile",
    "Reason",
    "Refusal",
    "Seen",
    "SeenStore",
    "State",
    "judge",
    "open_equivalences",
    "open_seen",
    "profile",
]
