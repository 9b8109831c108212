import type { Route } from '../route/route.ts'

export type JobGroup = 'crawl' | 'batch'

export const words = {
  badId: 'Invalid job ID format. Job ID must be a valid UUID.',
  notFound: 'Job not found',
  badQuery: 'Invalid pagination',
}

/** What the rows about one job have in common. */
export type Common = Pick<Route, 'group' | 'kind' | 'rate' | 'fails'> & {
  readonly group: JobGroup
  readonly words: typeof words
}
