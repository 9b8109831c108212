// Whether the rows of a list are all of its items.

/** Why nothing more was collected. */
export type End = 'reached' | 'limit' | 'size' | 'steps' | 'pages' | 'time' | 'timeout' | 'credits' | 'failed'

/** Whether rows are all items of a list; `null` where it cannot be known. */
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

/** Compares the rows with what the page says, and with what ended the collecting. */
export function proofOf(end: End, size: number, total: number | undefined, why = ''): Proof {
  if (total !== undefined && size >= total)
    return { complete: true, reason: `${size} items, and the page says that there are ${total}.` }
  const said =
    total === undefined ? 'the page does not say how many there are' : `the page says that there are ${total}`
  const complete = total === undefined && end === 'reached' ? null : false
  return { complete, reason: `${size} items, and ${said}. ${ends[end]}${why && `: ${why}`}`.replace(/\.?$/, '.') }
}
