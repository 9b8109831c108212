import type { Route } from '../route/route.ts'

export type JobGroup = 'crawl' | 'batch'

export const words = {
  notFound: 'Job not found',
  badQuery: 'Invalid pagination',
}

/** Common part of the rows about one job. */
export type Common = Pick<Route, 'group' | 'kind' | 'rate' | 'fails'> & {
  readonly group: JobGroup
  readonly words: typeof words
}
