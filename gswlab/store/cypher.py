"""The Cypher of a graph on a server: constants, whose values are parameters.

- Every node has the one label `Gswlab`, so one constraint keeps ids apart and one
  index finds a graph; the kind of node is its property `label`. Relationships have real
  types, which Cypher cannot take as a parameter: one statement a type.
- Names that begin with `_` are the store's own. `_key` is unique on the server; `_rank`
  orders ids by code point, as Python does, whatever the server's collation.
- Nothing here is put together from text at run time.
"""

from __future__ import annotations

from typing import Final

from gswlab.store.nouns import Direction, EdgeType

CONSTRAINT: Final = (
    "CREATE CONSTRAINT gswlab_key IF NOT EXISTS FOR (n:Gswlab) REQUIRE n._key IS UNIQUE"
)
INDEX: Final = "CREATE INDEX gswlab_graph IF NOT EXISTS FOR (n:Gswlab) ON (n._graph)"

WRITE_NODES: Final = (
    "UNWIND $rows AS row MERGE (n:Gswlab {_key: row.key}) SET n = row.properties"
)
WRITE_EDGES: Final[dict[EdgeType, str]] = {
    "APPEARS_IN": (
        "UNWIND $rows AS row "
        "MATCH (a:Gswlab {_key: row.source}), (b:Gswlab {_key: row.target}) "
        "MERGE (a)-[r:APPEARS_IN {_key: row.key}]->(b) SET r = row.properties "
        "RETURN row.key AS key"
    ),
    "LINKS_TO": (
        "UNWIND $rows AS row "
        "MATCH (a:Gswlab {_key: row.source}), (b:Gswlab {_key: row.target}) "
        "MERGE (a)-[r:LINKS_TO {_key: row.key}]->(b) SET r = row.properties "
        "RETURN row.key AS key"
    ),
    "NEXT": (
        "UNWIND $rows AS row "
        "MATCH (a:Gswlab {_key: row.source}), (b:Gswlab {_key: row.target}) "
        "MERGE (a)-[r:NEXT {_key: row.key}]->(b) SET r = row.properties "
        "RETURN row.key AS key"
    ),
    "RELATES_TO": (
        "UNWIND $rows AS row "
        "MATCH (a:Gswlab {_key: row.source}), (b:Gswlab {_key: row.target}) "
        "MERGE (a)-[r:RELATES_TO {_key: row.key}]->(b) SET r = row.properties "
        "RETURN row.key AS key"
    ),
}
DELETE_NODES: Final = "UNWIND $keys AS key MATCH (n:Gswlab {_key: key}) DETACH DELETE n"
DELETE_EDGES: Final = (
    "UNWIND $rows AS row "
    "MATCH (a:Gswlab {_key: row.source})-[r {_key: row.key}]->"
    "(b:Gswlab {_key: row.target}) DELETE r"
)
CLEAR: Final = "MATCH (n:Gswlab {_graph: $graph}) DETACH DELETE n"

NODES: Final = "UNWIND $keys AS key MATCH (n:Gswlab {_key: key}) RETURN n"
FIND: Final = (
    "MATCH (n:Gswlab {_graph: $graph}) "
    "WHERE ($label IS NULL OR n.label = $label) "
    "AND all(k IN keys($where) WHERE n[k] = $where[k]) RETURN n"
)
HOP: Final[dict[Direction, str]] = {
    "out": (
        "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]->(b:Gswlab) "
        "WHERE size($types) = 0 OR type(r) IN $types "
        "WITH DISTINCT b ORDER BY b._rank LIMIT $room RETURN b AS n"
    ),
    "in": (
        "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})<-[r]-(b:Gswlab) "
        "WHERE size($types) = 0 OR type(r) IN $types "
        "WITH DISTINCT b ORDER BY b._rank LIMIT $room RETURN b AS n"
    ),
    "both": (
        "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]-(b:Gswlab) "
        "WHERE size($types) = 0 OR type(r) IN $types "
        "WITH DISTINCT b ORDER BY b._rank LIMIT $room RETURN b AS n"
    ),
}
BETWEEN: Final = (
    "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]->(b:Gswlab) "
    "WHERE b._key IN $keys AND (size($types) = 0 OR type(r) IN $types) "
    "RETURN properties(r) AS r"
)
TIES: Final = (
    "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]-(b:Gswlab) "
    "RETURN DISTINCT properties(r) AS r"
)
ENDS: Final = (
    "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]-(b:Gswlab) "
    "RETURN DISTINCT b AS n"
)
EDGES: Final = (
    "MATCH (a:Gswlab {_graph: $graph})-[r]->(b:Gswlab) RETURN properties(r) AS r"
)
COUNT_NODES: Final = "MATCH (n:Gswlab {_graph: $graph}) RETURN count(n) AS n"
COUNT_EDGES: Final = (
    "MATCH (a:Gswlab {_graph: $graph})-[r]->(b:Gswlab) RETURN count(r) AS n"
)
