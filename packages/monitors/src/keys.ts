import { keyFamilies } from '@harvestman/toolbox/key-families'

const withMonitor = 'until the monitor is deleted'
const retained = '`retentionDays` of the monitor'

/** Prefixes of all store keys of monitors. The docs are generated from these. */
export const monitorKeys = keyFamilies({
  monitor: {
    begins: 'monitors/one/',
    keeps: 'A monitor: what it looks at, when, and its check that runs',
    writes: 'monitors',
    lives: withMonitor,
  },
  ofTeam: {
    begins: 'list/monitors/of/',
    keeps: 'The id of a monitor, by its team',
    writes: 'monitors',
    lives: withMonitor,
  },
  due: {
    begins: 'list/monitors/due/',
    keeps: 'When a monitor is to look next',
    writes: 'monitors',
    lives: 'until it has begun',
  },
  check: {
    begins: 'list/monitors/checks/',
    keeps: 'How a check stands, by its monitor',
    writes: 'monitors',
    lives: retained,
  },
  pages: {
    begins: 'monitors/pages/',
    keeps: 'What became of some pages of a check',
    writes: 'monitors',
    lives: retained,
  },
  page: {
    begins: 'monitors/page/',
    keeps: 'How a page was at the last check that could read it',
    writes: 'monitors',
    lives: '`keep.changes`',
  },
  pace: {
    begins: 'monitors/pace/',
    keeps: 'How often a page has changed, from which follows when it is looked at next',
    writes: 'monitors',
    lives: '`keep.changes`',
  },
  known: {
    begins: 'monitors/known/',
    keeps: 'The pages that a crawl or a search of a monitor knows',
    writes: 'monitors',
    lives: '`keep.changes`',
  },
  outbox: {
    begins: 'monitors/outbox/',
    keeps: 'Messages that a receiver has not taken',
    writes: 'monitors',
    lives: retained,
  },
  feed: {
    begins: 'monitors/feed/',
    keeps: 'The monitor that a feed is of, by the secret in its address',
    writes: 'monitors',
    lives: withMonitor,
  },
})
