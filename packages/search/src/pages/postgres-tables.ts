// The tables of the index in Postgres. All teams share them, and every statement names its team.

/** Changed when the tables change. Tables with another layout are replaced by empty ones, because pages can be scraped again. */
const layout = 1

/** Returns one statement that creates the schema with its tables. `hasVectors` needs the extension `vector`. */
export function setUp(schema: string, hasVectors: boolean): string {
  const mark = `harvestman search layout ${layout}`
  return `
    DO $setup$ BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('harvestman search ${schema}'));
      IF to_regclass('${schema}.pages') IS NOT NULL
        AND obj_description(to_regclass('${schema}.pages'), 'pg_class') IS DISTINCT FROM '${mark}'
      THEN
        DROP SCHEMA ${schema} CASCADE;
      END IF;
      CREATE SCHEMA IF NOT EXISTS ${schema};
      IF to_regclass('${schema}.pages') IS NULL THEN
        ${textSearch(schema)}
        ${pageTables(schema)}
        COMMENT ON TABLE ${schema}.pages IS '${mark}';
      END IF;
      ${hasVectors ? vectorTables(schema) : ''}
    END $setup$`
}

/** Words are stemmed, and none is left out, so that a query of common words has results. */
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
    CREATE TABLE IF NOT EXISTS ${schema}.vectors (
      team text NOT NULL, hash text NOT NULL, vector halfvec NOT NULL, PRIMARY KEY (team, hash)
    );
    CREATE TABLE IF NOT EXISTS ${schema}.models (team text PRIMARY KEY, name text NOT NULL, dimensions int);`
}
