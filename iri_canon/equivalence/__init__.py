"""What servers showed joins exactly the pairs that were observed (RFC 3987 section 5.3.4)."""

from iri_canon.equivalence.evidence import Equivalence, Observation, Reason, Refusal, judge
from iri_canon.equivalence.opening import open_equivalences, open_seen
from iri_canon.equivalence.profile import Profile, profile
from iri_canon.equivalence.rules import EVERYWHERE, Example, Rule, RuleName, RuleState
from iri_canon.equivalence.stores import (
    EquivalenceStore,
    Journaled,
    KnownPage,
    Seen,
    SeenStore,
    Stage,
    State,
    Suppressed,
)

__all__ = [
    "EVERYWHERE",
    "Equivalence",
    "EquivalenceStore",
    "Example",
    "Journaled",
    "KnownPage",
    "Observation",
    "Profile",
    "Reason",
    "Refusal",
    "Rule",
    "RuleName",
    "RuleState",
    "Seen",
    "SeenStore",
    "Stage",
    "State",
    "Suppressed",
    "judge",
    "open_equivalences",
    "open_seen",
    "profile",
]
