import { inBatches } from '@harvestman/toolbox/in-batches'

import type { Link } from './client.ts'

/** A value to store: its full key, the encoded value, and its ttl in milliseconds (empty for none). */
export type PutRow = readonly [name: string, sealed: string | Buffer, life: string]

const maxBatchSize = 16
/** A longer value is sent on its own, so that short ones do not wait for it. */
const maxBatchedBytes = 65_536
const wait = 20

/**
 * Creates a function that stores values. Values that arrive while a call is pending share the next call. Large values
 * are sent alone. Rejects if its call fails.
 */
export function makePut(link: Link): (row: PutRow) => Promise<unknown> {
  const putAll = (rows: readonly PutRow[]): Promise<unknown> => {
    const names = rows.map(([name]) => name)
    const values = rows.flatMap(([, sealed, life]) => [sealed, life])
    return link.run((redis) => redis.harvestmanPut(rows.length, ...names, ...values))
  }
  const together = inBatches(putAll, { most: maxBatchSize, wait })
  return (row) => (row[1].length > maxBatchedBytes ? putAll([row]) : together(row))
}
