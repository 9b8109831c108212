import { keyFamilies } from '@harvestman/toolbox/key-families'

/** Keys of the records of credits, permits, host delays and remote work. The docs print them. */
export const coordinationKeys = keyFamilies({
  account: { begins: 'ledger/', keeps: 'The account of a team', writes: 'credits', lives: 'for ever' },
  engines: {
    begins: 'engines',
    keeps: 'The engines on the store, and whether the first of them counts by itself',
    writes: 'permits',
    lives: 'for ever',
  },
  engine: {
    begins: 'engine/',
    keeps: 'The lease of an engine, under which it holds permits',
    writes: 'permits',
    lives: 'a day after its last sign of life',
  },
  permits: {
    begins: 'shares/',
    keeps: 'Which engine holds how many permits of a host or a team',
    writes: 'permits',
    lives: 'a day after the last change',
  },
  pace: {
    begins: 'pace/',
    keeps: 'When a host may be visited next',
    writes: 'the schedule',
    lives: '64 pauses of the host',
  },
  rests: {
    begins: 'rests',
    keeps: 'Until when hosts are left alone',
    writes: 'the schedule',
    lives: 'the longest rest',
  },
  load: {
    begins: 'list/workers/',
    keeps: 'How many jobs a worker has',
    writes: 'workers',
    lives: 'five seconds after it was last shown',
  },
  loading: {
    begins: 'list/loading/',
    keeps: 'How many pages of each team an engine is loading',
    writes: 'workers',
    lives: 'five seconds after it was last shown',
  },
  loan: {
    begins: 'loan/',
    keeps: 'The results of work that one engine lent to another, and which engine has it',
    writes: 'loans',
    lives: 'ten minutes',
  },
  loans: {
    begins: 'loans/',
    keeps: 'Notifies an engine of results of work that it lent',
    writes: 'loans',
    lives: 'ten minutes',
  },
})
