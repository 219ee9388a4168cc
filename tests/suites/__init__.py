"""Other people's test suites: what each row claims, what this library answers, and why the two may differ."""
