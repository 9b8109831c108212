import { keyFamilies } from '@harvestman/ports/adapters'

/** Every key that records of calls write begins as this. The docs print it. */
export const recordKeys = keyFamilies({
  record: {
    begins: 'records/',
    keeps: 'A record of a request with `record: true`, and its parts',
    writes: 'records',
    lives: 'as long as the result: `keep.results` or `keep.jobs`',
  },
})
