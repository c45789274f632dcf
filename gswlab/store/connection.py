"""Transactions on a Bolt server: retried while it may help, then one sentence."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from gswlab.core.errors import GswlabError
from gswlab.store.cypher import CONSTRAINT, INDEX

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction

T = TypeVar("T")
_SCHEMES = {f"{name}{how}" for name in ("bolt", "neo4j") for how in ("", "+s", "+ssc")}
_START = "NEO4J_PASSWORD=WORD python -m gswlab.store.serve FOLDER"


@dataclass
class Connection:
    """One server, one pool of connections, opened when first asked.

    A transaction that fails because the server is away or busy is tried again for
    `retry_seconds`; it is the same transaction, so nothing is written twice.
    """

    uri: str
    database: str | None
    user_variable: str
    password_variable: str
    retry_seconds: float

    def read(self, work: Callable[[ManagedTransaction], T]) -> T:
        """What `work` returns, from a transaction that may not write."""
        return self._run("execute_read", work)

    def write(self, work: Callable[[ManagedTransaction], T]) -> T:
        """What `work` returns; an exception of its own undoes what it wrote."""
        _ = self._schema
        return self._run("execute_write", work)

    def close(self) -> None:
        """Close the pool; the next call opens another, perhaps to another server."""
        self.__dict__.pop("_schema", None)
        if (driver := self.__dict__.pop("_driver", None)) is not None:
            driver.close()

    def _run(self, method: str, work: Callable[[ManagedTransaction], T]) -> T:
        driver = self._driver  # says so where neo4j is not installed
        import neo4j.exceptions as said

        try:
            with driver.session(database=self.database) as session:
                done: T = getattr(session, method)(work)
                return done
        except said.AuthError:
            rule = f"{self.user_variable} and {self.password_variable} hold who may"
            command = f"export {self.user_variable}=USER {self.password_variable}=WORD"
            raise GswlabError(f"{self._where} refuses us", rule, command) from None
        except (said.ServiceUnavailable, said.SessionExpired, OSError) as error:
            raise self._away() from error
        except said.ClientError as error:
            short = str(error.message).splitlines()[0][:200]
            raise GswlabError(f"{self._where} refuses: {short}") from error
        except (said.Neo4jError, said.DriverError) as error:
            raise self._away() from error

    @cached_property
    def _schema(self) -> None:
        """Asked for before the first write; no harm when it is there."""

        def work(transaction: ManagedTransaction, statement: str) -> None:
            transaction.run(statement).consume()

        for statement in (CONSTRAINT, INDEX):
            self._run("execute_write", partial(work, statement=statement))

    @cached_property
    def _driver(self) -> Driver:
        try:
            import neo4j
        except ImportError:
            rule = "the client of graph databases is in the extra graphdb"
            command = 'pip install "gswlab[graphdb]"'
            raise GswlabError("neo4j is not installed", rule, command) from None
        if self.uri.partition("://")[0] not in _SCHEMES:
            raise self._no_address()
        logging.getLogger("neo4j").addHandler(logging.NullHandler())  # errors say it
        user = os.environ.get(self.user_variable)
        password = os.environ.get(self.password_variable, "")
        try:
            return neo4j.GraphDatabase.driver(
                self.uri,
                auth=(user, password) if user else None,
                max_transaction_retry_time=self.retry_seconds,
                connection_timeout=max(self.retry_seconds, 1),
                connection_acquisition_timeout=max(self.retry_seconds, 1) * 2,
                user_agent="gswlab",
            )
        except (ValueError, neo4j.exceptions.ConfigurationError):
            raise self._no_address() from None

    @property
    def _where(self) -> str:
        parts = urlsplit(self.uri)
        return f"the graph server at {parts.scheme}://{parts.hostname}:{parts.port}"

    def _no_address(self) -> GswlabError:
        rule = "bolt://HOST:PORT or neo4j://HOST:PORT, either with +s, and no password"
        command = "python -m gswlab run experiment=plot store=neo4j store.uri=URI"
        return GswlabError("store.uri is no address of a Bolt server", rule, command)

    def _away(self) -> GswlabError:
        rule = "a server that speaks Bolt; what was written is kept, a run goes on"
        return GswlabError(f"{self._where} is away", rule, _START)
