import { keyFamilies } from '@harvestman/toolbox/key-families'

/** Keys of the records of credits, permits, host delays and remote work. The docs print them. */
export const coordinationKeys = keyFamilies({
  account: { begins: 'ledger/', keeps: 'The account of a team', writes: 'credits', lives: 'forever' },
  engines: {
    begins: 'engines',
    keeps: 'The engines on the store, and whether the first counts locally',
    writes: 'permits',
    lives: 'forever',
  },
  engine: {
    begins: 'engine/',
    keeps: 'The lease of an engine, under which it holds permits',
    writes: 'permits',
    lives: 'a day after its last heartbeat',
  },
  permits: {
    begins: 'shares/',
    keeps: 'The permits of a host or a team that each engine holds',
    writes: 'permits',
    lives: 'a day after the last change',
  },
  pace: {
    begins: 'pace/',
    keeps: 'The time of the next visit to a host',
    writes: 'the schedule',
    lives: '64 pauses of the host',
  },
  rests: {
    begins: 'rests',
    keeps: 'The time until which hosts are paused',
    writes: 'the schedule',
    lives: 'the longest pause',
  },
  load: {
    begins: 'list/workers/',
    keeps: 'The number of jobs of a worker',
    writes: 'workers',
    lives: 'five seconds after the last update',
  },
  loading: {
    begins: 'list/loading/',
    keeps: 'The number of pages of each team that an engine is loading',
    writes: 'workers',
    lives: 'five seconds after the last update',
  },
  loan: {
    begins: 'loan/',
    keeps: 'The results of pages that one engine loads for another, and the engine that loads them',
    writes: 'loans',
    lives: 'ten minutes',
  },
  loans: {
    begins: 'loans/',
    keeps: 'Notifies an engine of results of its remote pages',
    writes: 'loans',
    lives: 'ten minutes',
  },
})
