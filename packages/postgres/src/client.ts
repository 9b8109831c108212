import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'

import { makeSequence } from '@harvestman/toolbox/sequence'
import { messageSocket } from '@harvestman/toolbox/whole-reads'
import pg from 'pg'

import { copyOut, messageLength, type RawRow } from './copy-out.ts'
import { postgresFailed, sharesSessions } from './errors.ts'
import { notSilent } from './silence.ts'
import { whenFull, type WhenFull } from './when-full.ts'

/** A pool of the package `pg`, declared here because the types of that package are not installed with this one. */
export interface PostgresPool {
  connect(): Promise<unknown>
  query(text: string, values?: unknown[]): Promise<unknown>
  end(): Promise<void>
}

/** The URL of Postgres, or a pool, which the caller must end. */
export type PostgresConnection = string | PostgresPool

export type Row = Readonly<Record<string, unknown>>

/** A statement that is prepared once per connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export interface Database {
  run(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** Returns the rows of a `COPY … TO STDOUT (FORMAT binary)`; absent if the pool does not support it. */
  readonly copyOut?: (text: string) => Promise<readonly RawRow[]>
  /**
   * Returns how often a connection has reached a different server than the previous one, by its history: a promoted replica, a
   * restored database. Absent for a pool of the caller.
   */
  readonly generation?: () => number
  /** Runs several statements without values in one transaction. */
  script(text: string): Promise<void>
  /**
   * Rejects if a connection pooler gives each transaction a different session: prepared statements and notifications need one
   * session.
   */
  mustKeepSessions(): Promise<void>
  /** Reserves a connection for the notifications of a channel. */
  connect(): Promise<Connection>
  close(): Promise<void>
}

export interface Connection {
  query(text: string, values?: readonly unknown[]): Promise<unknown>
  onNotice(onNotification: (payload: string) => void): void
  /** Sets a callback that is called once, when the connection is lost. */
  onEnd(ended: () => void): void
  /** Ends the connection. */
  close(): void
}

export interface DatabaseOptions {
  /** Maximum time in milliseconds to wait for a connection, and again for the response. */
  readonly timeout: number
  readonly connections: number
}

/**
 * Creates the access to a database. Nothing is opened before it is needed. Failures reject with `store_failed`, only those of
 * `query` on a connection of `connect` with the error of the client. `close` does not end a pool of the caller.
 */
export function openDatabase(address: PostgresConnection, options: DatabaseOptions): Database {
  const servers = countServers()
  const isOwn = typeof address === 'string'
  const pool = isOwn ? makePool(address, options, servers.note) : (address as pg.Pool)
  const full = whenFull(pool, options)
  const waiting = isOwn ? notSilent(full, pool.options, options.timeout) : full
  // An idle connection that is lost is not an error of the process.
  pool.on('error', ignore)

  return {
    async run({ name, text }, values) {
      try {
        const result = await waiting(() => pool.query<Row>({ name, text, values: [...values] }))
        // A query of several statements has one result for each.
        return [result].flat().flatMap(({ rows }) => rows ?? [])
      } catch (error) {
        throw postgresFailed(error)
      }
    },
    ...(hasCopies(pool) && { copyOut: (text: string) => runCopy(pool, text, waiting) }),
    ...(isOwn && { generation: () => servers.generation }),
    async script(text) {
      try {
        await waiting(() => pool.query(text))
      } catch (error) {
        throw postgresFailed(error)
      }
    },
    mustKeepSessions: () => mustKeepSessions(pool, waiting),
    connect: async () => connectionOf(await clientOf(pool, waiting)),
    async close() {
      pool.off('error', ignore)
      if (pool !== address) await pool.end()
    },
  }
}

// A promoted replica starts a new timeline, and a restored database has a new oid. Without synchronous writes, a restart loses
// recent data, so the start time counts too.
const identity = `SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()),
  (SELECT oid FROM pg_database WHERE datname = current_database()),
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
  CASE WHEN 'off' IN (current_setting('fsync'), current_setting('synchronous_commit')) THEN pg_postmaster_start_time() END
) AS server`

/**
 * Counts the servers that the connections of a pool have reached. A server that does not report its history counts as the same.
 */
function countServers() {
  let server: string | undefined
  const counted = {
    generation: 0,
    note: async (client: pg.ClientBase): Promise<void> => {
      const { rows } = await client.query<{ readonly server: string }>(identity).catch(() => ({ rows: [] }))
      const next = rows[0]?.server
      if (next === undefined) return
      if (server !== undefined && next !== server) counted.generation += 1
      server = next
    },
  }
  return counted
}

/** A pool that runs statements, and is ended by its owner. */
export interface StatementPool extends PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
}

/**
 * Creates a pool with the limits of this package, for other packages that take one. Connects with the first statement. A statement
 * is ended after `timeout` milliseconds. Throws a `TypeError` for an invalid URL.
 */
export function postgresPool(
  url: string,
  { timeout = 30_000, connections = 8 }: Partial<DatabaseOptions> = {},
): StatementPool {
  const pool = makePool(url, { timeout, connections }, () => Promise.resolve())
  // An idle connection that is lost is not an error of the process.
  pool.on('error', ignore)
  return pool
}

function makePool(
  url: string,
  { timeout, connections }: DatabaseOptions,
  noteServer: (client: pg.ClientBase) => Promise<void>,
): pg.Pool {
  const bounds = `SET statement_timeout = ${timeout}; SET lock_timeout = ${Math.ceil(timeout / 2)}`
  const begin = async (client: pg.ClientBase): Promise<void> => {
    await client.query(bounds)
    await noteServer(client)
  }
  return new pg.Pool({
    connectionString: url,
    application_name: 'harvestman',
    // One more connection for notifications.
    max: connections + 1,
    keepAlive: true,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    allowExitOnIdle: true,
    stream: openSocket as () => Socket,
    // Set here, because poolers refuse connections that set this while they are opened.
    // Cast: the pool awaits the returned promise, which its types do not declare.
    onConnect: begin as unknown as () => void,
  })
}

function clientOf(pool: pg.Pool, waiting: WhenFull): Promise<pg.PoolClient> {
  return waiting(() => pool.connect()).catch((error: unknown) => {
    throw postgresFailed(error)
  })
}

const ignore = (): void => undefined

// Several attempts, because other clients of the pooler may interfere.
const looks = 5

async function mustKeepSessions(pool: pg.Pool, waiting: WhenFull): Promise<void> {
  const clients: pg.PoolClient[] = []
  const ask = async (client: pg.PoolClient, text: string, value: string): Promise<unknown> =>
    (await client.query<{ readonly said: unknown }>(text, [value])).rows[0]?.said
  try {
    // A connection that is lost between two queries is reported by the next query.
    const take = async (): Promise<pg.PoolClient> => {
      const client = await clientOf(pool, waiting)
      clients.push(client.on('error', ignore))
      return client
    }
    const one = await take()
    const { rows } = await one.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid')
    // There is no pooler in between. With a pool of one connection this cannot be tested.
    if (rows[0]?.pid === (one as { readonly processID?: unknown }).processID || pool.options.max < 2) return
    const other = await take()
    for (let look = 0; look < looks; look += 1) {
      const mark = randomUUID()
      await ask(one, `SELECT set_config('harvestman.session', $1, false) AS said`, mark)
      const heard = await ask(other, `SELECT current_setting('harvestman.session', $1::boolean) AS said`, 'true')
      if (heard === mark) throw sharesSessions()
    }
  } catch (error) {
    throw postgresFailed(error)
  } finally {
    for (const client of clients) client.off('error', ignore).release()
  }
}

function connectionOf(client: pg.PoolClient): Connection {
  let isEnded = false
  let isReleased = false
  // The client accepts no query while another one is running.
  const queries = makeSequence()
  return {
    query: (text, values) => queries.run(() => client.query(text, values && [...values])),
    onNotice: (onNotification) => void client.on('notification', ({ payload = '' }) => onNotification(payload)),
    onEnd: (ended) => {
      const once = (): void => {
        if (isEnded) return
        isEnded = true
        ended()
      }
      client.on('error', once)
      client.on('end', once)
    },
    close: () => {
      isEnded = true
      if (!isReleased) client.release(true)
      isReleased = true
    },
  }
}

// With TLS the socket is replaced by another one.
function openSocket({ ssl }: { readonly ssl?: unknown }): Socket {
  return ssl ? new Socket() : messageSocket(messageLength)
}

/** Other pool types and pipelining connections accept only ordinary queries. */
function hasCopies(pool: pg.Pool): boolean {
  return pool instanceof pg.Pool && !('pipeline' in pool.options && pool.options.pipeline)
}

async function runCopy(pool: pg.Pool, text: string, waiting: WhenFull): Promise<readonly RawRow[]> {
  const client = await clientOf(pool, waiting)
  let lost = (_error: unknown): void => undefined
  const ended = (error: unknown): void => lost(error)
  client.on('error', ended)
  try {
    const rows = await new Promise<readonly RawRow[]>((resolve, reject) => {
      lost = reject
      client.query(copyOut(text, (error, found = []) => (error ? reject(error) : resolve(found))))
    })
    client.off('error', ended)
    client.release()
    return rows
  } catch (error) {
    // Handles errors that the connection emits while it ends.
    client.release(true)
    throw postgresFailed(error)
  }
}
