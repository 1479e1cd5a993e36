"""Who answers the sentences of a file: this process, several, or machines of a cluster."""
