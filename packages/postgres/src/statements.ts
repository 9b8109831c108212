import type { Statement } from './client.ts'

// The time of the given clock, or of the server.
const now = `coalesce($1::float8, extract(epoch FROM clock_timestamp()) * 1000)`
const live = `(expires IS NULL OR expires > ${now})`
const expired = `kept.expires <= ${now}`
// A statement must use all of its parameters.
const anyTime = `${now} IS NOT NULL`
const scannedRows = 32
/** Longer bytes are read by a copy, whose statement is planned each time. */
const maxBytesInRow = 65_536
const sweptRows = 500

/** Increased when the layout changes, so that an older version does not write to newer tables. */
export const tableLayout = 1

/** Returns the SQL that creates the schema and its tables, unless they exist. The name of the schema is not quoted. */
export function setUp(schema: string): string {
  return `
    SELECT pg_advisory_xact_lock(hashtext('harvestman ${schema}'));
    CREATE SCHEMA IF NOT EXISTS ${schema};
    CREATE TABLE IF NOT EXISTS ${schema}.kept (
      key bytea PRIMARY KEY, expires float8, json text, bytes bytea
    );
    ALTER TABLE ${schema}.kept ALTER json SET STORAGE EXTERNAL, ALTER bytes SET STORAGE EXTERNAL;
    CREATE INDEX IF NOT EXISTS kept_expires ON ${schema}.kept (expires) WHERE expires IS NOT NULL;
    CREATE UNLOGGED TABLE IF NOT EXISTS ${schema}.watched (
      mark text, session uuid, until timestamptz, PRIMARY KEY (mark, session)
    );
    COMMENT ON TABLE ${schema}.kept IS 'harvestman layout ${tableLayout}';
  `
}

/**
 * Returns the statements for the table in a schema, whose name is not quoted. Except for `layout`, their first parameter is the
 * time in milliseconds, or null for the time of the server. Statements that write one value have the key as the next parameter,
 * and return a row if they have written. With `isLong`, rows omit bytes of more than 64 KiB and have the flag `long` instead.
 */
export function statementsIn(schema: string, isLong: boolean) {
  const statement = (name: string, text: string): Statement => ({
    name: `${schema}_${name}`,
    text: text.replaceAll('kept_table', `${schema}.kept`),
  })
  return {
    layout: statement('layout', `SELECT obj_description(to_regclass('kept_table'), 'pg_class') AS layout`),
    ...readings(schema, statement, isLong),
    ...batches(schema, statement),
    ...writings(schema, statement),
    sweep: statement(
      'sweep',
      `DELETE FROM kept_table WHERE key IN (
         SELECT key FROM kept_table WHERE expires <= ${now} ORDER BY expires LIMIT ${sweptRows} FOR UPDATE SKIP LOCKED
       ) RETURNING 1`,
    ),
  }
}

type MakeStatement = (name: string, text: string) => Statement

function readings(schema: string, statement: MakeStatement, isLong: boolean) {
  const isInRow = `octet_length(bytes) <= ${maxBytesInRow}`
  const inRow = isLong ? `CASE WHEN ${isInRow} THEN bytes END AS bytes, NOT ${isInRow} AS long` : 'bytes'
  const listing = (name: string, order: string): Statement =>
    statement(
      name,
      `SELECT key, json, bytes FROM kept_table
       WHERE key >= $2 AND key < $3 AND ${live} ORDER BY key ${order} LIMIT $4::int`,
    )
  return {
    get: statement('get', `SELECT json, ${inRow}, xmin::text AS version FROM kept_table WHERE key = $2 AND ${live}`),
    getMany: statement(
      'get_many',
      `SELECT key, json, ${inRow}, xmin::text AS version FROM kept_table WHERE key = ANY($2) AND ${live}`,
    ),
    has: statement('has', `SELECT key FROM kept_table WHERE key = ANY($2) AND ${live}`),
    /** Returns a query for the rows of the keys: key, JSON, bytes and version. */
    copy: (keys: readonly Buffer[], time: number | null): string => {
      const named = keys.map((key) => `decode('${key.toString('hex')}', 'hex')`)
      return `COPY (
        SELECT key, json, bytes, xmin::text FROM ${schema}.kept
        WHERE key IN (${named.join(', ')}) AND ${live.replaceAll('$1', time === null ? 'NULL' : String(time))}
      ) TO STDOUT (FORMAT binary)`
    },
    scan: statement(
      'scan',
      `SELECT key, json, bytes, expires - ${now} AS ttl FROM kept_table
       WHERE key >= $2 AND ($3::bytea IS NULL OR key > $3) AND ($4::bytea IS NULL OR key < $4) AND ${live}
       ORDER BY key LIMIT ${scannedRows}`,
    ),
    list: listing('list', 'ASC'),
    listBack: listing('list_back', 'DESC'),
  }
}

/** Statements that write several values at once. */
function batches(schema: string, statement: MakeStatement) {
  return {
    /** Stores this many values, each given as key, ttl, JSON and bytes; rows with a null key are skipped. */
    put: (count: number): Statement =>
      statement(
        `put_${count}`,
        `WITH written AS (
           INSERT INTO kept_table (key, expires, json, bytes)
           SELECT key, ${now} + life, json, bytes FROM (VALUES ${rowsOf(putTypes, count)}) AS given (key, life, json, bytes)
           WHERE key IS NOT NULL
           ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, json = excluded.json, bytes = excluded.bytes
           RETURNING key
         )
         SELECT pg_notify('${schema}', mark) FROM (SELECT md5(key) AS mark FROM written) AS told
         WHERE EXISTS (SELECT FROM ${schema}.watched WHERE watched.mark = told.mark)`,
      ),
    /** Replaces this many values that still have the version given after them; returns the keys of the replaced values. */
    replace: (count: number): Statement =>
      statement(
        `replace_${count}`,
        `WITH given (key, life, json, bytes, version) AS (VALUES ${rowsOf([...putTypes, 'text'], count)}),
         held AS (SELECT key FROM kept_table WHERE key IN (SELECT key FROM given) ORDER BY key FOR UPDATE),
         written AS (
           UPDATE kept_table AS kept
           SET json = given.json, bytes = given.bytes, expires = coalesce(${now} + given.life, kept.expires)
           FROM held JOIN given USING (key)
           WHERE kept.key = held.key AND kept.xmin::text = given.version
           RETURNING kept.key
         )
         SELECT key, CASE WHEN EXISTS (SELECT FROM ${schema}.watched WHERE mark = md5(key))
           THEN pg_notify('${schema}', md5(key)) END
         FROM written`,
      ),
  }
}

function writings(schema: string, statement: MakeStatement) {
  // `pg_notify` takes a lock that all notifying transactions share, so it is called for watched keys only.
  const writing = (name: string, change: string): Statement =>
    statement(
      name,
      `WITH written AS (${change} RETURNING 1)
       SELECT CASE WHEN EXISTS (SELECT FROM ${schema}.watched WHERE mark = md5($2::bytea))
         THEN pg_notify('${schema}', md5($2::bytea)) END
       FROM written`,
    )
  return {
    putNew: writing(
      'put_new',
      `INSERT INTO kept_table AS kept (key, expires, json, bytes) VALUES ($2, ${now} + $3::float8, $4, $5)
       ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, json = excluded.json, bytes = excluded.bytes
       WHERE ${expired}`,
    ),
    drop: writing('drop', `DELETE FROM kept_table WHERE key = $2 AND ${anyTime}`),
    dropSeen: writing('drop_seen', `DELETE FROM kept_table WHERE key = $2 AND xmin::text = $3 AND ${anyTime}`),
    add: writing(
      'add',
      `INSERT INTO kept_table AS kept (key, expires, json) VALUES ($2, ${now} + $3::float8, $4)
       ON CONFLICT (key) DO UPDATE SET
         bytes = NULL,
         json = CASE
           WHEN ${expired} OR kept.json = '[]' THEN excluded.json
           WHEN excluded.json = '[]' THEN kept.json
           ELSE left(kept.json, -1) || ',' || substr(excluded.json, 2) END,
         expires = CASE WHEN ${expired} OR $3::float8 IS NOT NULL THEN excluded.expires ELSE kept.expires END
       WHERE ${expired} OR kept.json LIKE '[%'`,
    ),
  }
}

const putTypes = ['bytea', 'float8', 'text', 'bytea']

/** Returns the parameter lists of this many rows. The first parameter is the time. */
function rowsOf(types: readonly string[], count: number): string {
  const rows = Array.from({ length: count }, (_, row) =>
    types.map((type, column) => `$${2 + row * types.length + column}::${type}`),
  )
  return rows.map((row) => `(${row.join(', ')})`).join(', ')
}
