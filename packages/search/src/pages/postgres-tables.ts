// The tables of the index in Postgres. All teams share them, and every statement names its team.
import type { Run } from './postgres-connection.ts'

/**
 * Raised when the tables change so that their rows cannot be used. Tables with an older layout are replaced by empty ones, because
 * pages can be scraped again; tables with a newer one are refused. A new column is added to existing tables instead.
 */
const layout = 2
/** Beginning of the comment on tables of an index. Other tables are never changed. */
const owner = 'harvestman search layout '
const mark = `${owner}${layout}`

/**
 * Returns one statement that creates the schema with its tables, as far as they are missing. It fails if the schema has tables
 * with these names that are not of an index. `hasVectors` needs the extension `vector`. The name of the schema is quoted.
 */
export function setUp(schema: string, hasVectors: boolean): string {
  const pages = {
    table: `${schema}.pages`,
    create: textSearch(schema) + pageTables(schema),
    update: addSeams(schema),
    drop: `
      DROP TABLE IF EXISTS ${schema}.chunks, ${schema}.pages;
      DROP TEXT SEARCH CONFIGURATION IF EXISTS ${schema}.words;
      DROP TEXT SEARCH DICTIONARY IF EXISTS ${schema}.stem;`,
  }
  const vectors = {
    table: `${schema}.vectors`,
    create: hasVectors ? vectorTables(schema) : undefined,
    update: '',
    drop: `DROP TABLE IF EXISTS ${schema}.vectors, ${schema}.models;`,
  }
  return `
    DO $setup$ BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('harvestman search ${schema}'));
      IF to_regnamespace('${schema}') IS NULL THEN
        CREATE SCHEMA ${schema};
      END IF;
      ${current(pages)}
      ${current(vectors)}
    END $setup$`
}

interface Part {
  /** The table whose comment has the layout. The other objects are created together with it. */
  readonly table: string
  readonly create: string | undefined
  /** Adds columns that the first version of this layout did not have. */
  readonly update: string
  readonly drop: string
}

/** Drops the objects of a part if their layout is older, creates missing objects, and updates the others. Fails if the layout is newer. */
function current({ table, create, update, drop }: Part): string {
  const comment = `obj_description(to_regclass('${table}'), 'pg_class')`
  const number = `substr(${comment}, ${owner.length + 1})::int`
  const missing = `
    IF to_regclass('${table}') IS NULL THEN
      ${create}
      COMMENT ON TABLE ${table} IS '${mark}';
    END IF;`
  return `
    IF to_regclass('${table}') IS NOT NULL THEN
      IF starts_with(${comment}, '${owner}') IS NOT TRUE THEN
        RAISE EXCEPTION 'The table ${table} is not of an index of pages, so it stays as it is. Set "schema" to another name.';
      ELSIF ${number} > ${layout} THEN
        RAISE EXCEPTION 'The table ${table} has layout %, newer than ${layout}. Update @harvestman/search, or set "schema" to another name.', ${number};
      ELSIF ${number} < ${layout} THEN
        ${drop}
      END IF;
    END IF;
    ${create === undefined ? '' : missing}
    ${update}`
}

/** Adds the column `seams`. In pages written before, phrases are found by the stored positions only. */
function addSeams(schema: string): string {
  const seams = `SELECT FROM pg_attribute WHERE attrelid = to_regclass('${schema}.pages') AND attname = 'seams'`
  // The statement needs the owner of the table and a lock, so it only runs once.
  return `
    IF NOT EXISTS (${seams}) THEN
      ALTER TABLE ${schema}.pages ADD COLUMN IF NOT EXISTS seams tsvector[];
    END IF;`
}

/** Returns whether there are vectors in the schema, also if this process has no model. */
export async function hasVectorTables(run: Run, schema: string): Promise<boolean> {
  const [row] = await run(`SELECT obj_description(to_regclass('${schema}.vectors'), 'pg_class') AS comment`)
  return row?.['comment'] === mark
}

/** Words are stemmed, and none is omitted, so that a query of common words has results. */
function textSearch(schema: string): string {
  return `
    CREATE TEXT SEARCH DICTIONARY ${schema}.stem (TEMPLATE = snowball, LANGUAGE = english);
    CREATE TEXT SEARCH CONFIGURATION ${schema}.words (PARSER = default);
    ALTER TEXT SEARCH CONFIGURATION ${schema}.words ADD MAPPING FOR asciiword WITH ${schema}.stem;
    ALTER TEXT SEARCH CONFIGURATION ${schema}.words
      ADD MAPPING FOR word, numword, int, uint, float, sfloat, version WITH simple;`
}

function pageTables(schema: string): string {
  return `
    CREATE TABLE ${schema}.pages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, team text NOT NULL, key text NOT NULL, url text NOT NULL, host text NOT NULL,
      path text NOT NULL, language text NOT NULL, at float8 NOT NULL, bytes int NOT NULL, title text NOT NULL,
      markdown text NOT NULL, version text NOT NULL, edition int NOT NULL DEFAULT 0, words tsvector NOT NULL,
      -- The words around the ends of chunks, for phrases in pages whose positions do not all fit in words.
      seams tsvector[],
      UNIQUE (team, key)
    );
    CREATE INDEX pages_by_age ON ${schema}.pages (team, at, bytes);
    CREATE INDEX pages_expired ON ${schema}.pages (at);
    CREATE INDEX pages_words ON ${schema}.pages USING gin (words);
    -- Chunks of an earlier edition of their page are ignored, and deleted later.
    CREATE TABLE ${schema}.chunks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, team text NOT NULL, edition int NOT NULL,
      page bigint NOT NULL REFERENCES ${schema}.pages ON DELETE CASCADE, chunk text NOT NULL, "start" int NOT NULL,
      "end" int NOT NULL, headings jsonb NOT NULL, hash text NOT NULL, pending boolean NOT NULL, words tsvector NOT NULL
    );
    CREATE INDEX chunks_by_page ON ${schema}.chunks (page);
    CREATE INDEX chunks_by_hash ON ${schema}.chunks (team, hash);
    CREATE INDEX chunks_pending ON ${schema}.chunks (team) WHERE pending;
    CREATE INDEX chunks_words ON ${schema}.chunks USING gin (words);`
}

function vectorTables(schema: string): string {
  return `
    CREATE TABLE ${schema}.vectors (
      team text NOT NULL, hash text NOT NULL, vector halfvec NOT NULL, PRIMARY KEY (team, hash)
    );
    CREATE TABLE ${schema}.models (team text PRIMARY KEY, name text NOT NULL, dimensions int);`
}
