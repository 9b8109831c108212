import { keyFamilies } from '@harvestman/toolbox/key-families'

/** The store keys of call records. The docs are generated from this. */
export const recordKeys = keyFamilies({
  record: {
    begins: 'records/',
    keeps: 'A record of a request with `record: true`, and its parts',
    writes: 'records',
    lives: 'as long as the result: `keep.results` or `keep.jobs`',
  },
})
