import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite/vector'

/** Starts an empty Postgres in this process, with the extension pgvector. */
export function postgresWithVectors(): PGlite {
  return new PGlite({ extensions: { vector } })
}
