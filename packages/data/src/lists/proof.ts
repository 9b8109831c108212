// Determines whether a list is complete.

/** Why collecting stopped. */
export type End = 'reached' | 'limit' | 'size' | 'steps' | 'pages' | 'time' | 'timeout' | 'credits' | 'failed'

/** Whether the rows are all items of the list; `null` if unknown. */
export interface Proof {
  readonly complete: boolean | null
  readonly reason: string
}

const ends: Readonly<Record<End, string>> = {
  reached: 'Nothing leads to more',
  limit: '`limit` ended them',
  size: 'They are as long as a list may be',
  steps: '`steps` ended them',
  pages: '`pages` ended them',
  time: '`time` ended them',
  timeout: 'The `timeout` of the request ended them',
  credits: 'There were no credits for more pages',
  failed: 'The next page could not be loaded',
}

/**
 * Returns whether a list is complete, with the reason, from its number of rows, the total on the page and why collecting
 * stopped. `null` if that cannot be known.
 */
export function proofOf(end: End, size: number, total: number | undefined, why = ''): Proof {
  if (total !== undefined && size >= total)
    return { complete: true, reason: `${size} items, and the page says that there are ${total}.` }
  const totalNote =
    total === undefined ? 'the page does not say how many there are' : `the page says that there are ${total}`
  const complete = total === undefined && end === 'reached' ? null : false
  return { complete, reason: `${size} items, and ${totalNote}. ${ends[end]}${why && `: ${why}`}`.replace(/\.?$/, '.') }
}
