import type { Route } from '../route/route.ts'

export type JobGroup = 'crawl' | 'batch'

export const words = {
  notFound: 'Job not found',
  badQuery: 'Invalid pagination',
}

/** Fields that all routes about a single job share. */
export type Common = Pick<Route, 'group' | 'kind' | 'rate' | 'fails'> & {
  readonly group: JobGroup
  readonly words: typeof words
}
