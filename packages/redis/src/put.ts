import { inBatches } from '@harvestman/ports/adapters'

import type { Link } from './client.ts'

/** What is kept of a value: the name of its key, the value with what stands before it, and the milliseconds it lives. */
export type PutRow = readonly [name: string, sealed: string | Buffer, life: string]

const mostTogether = 16
/** A value that is longer is sent by itself, so that short ones do not wait for it. */
const longestTogether = 65_536
const wait = 20

/** Keeps values; those that come while others are on their way, in one call. */
export function makePut(link: Link): (row: PutRow) => Promise<unknown> {
  const putAll = (rows: readonly PutRow[]): Promise<unknown> => {
    const names = rows.map(([name]) => name)
    const values = rows.flatMap(([, sealed, life]) => [sealed, life])
    return link.run((redis) => redis.harvestmanPut(rows.length, ...names, ...values))
  }
  const together = inBatches(putAll, { most: mostTogether, wait })
  return (row) => (row[1].length > longestTogether ? putAll([row]) : together(row))
}
