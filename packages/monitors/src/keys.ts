import { keyFamilies } from '@harvestman/toolbox/key-families'

const withMonitor = 'until the monitor is deleted'
const retained = '`retentionDays` of the monitor'

/** Prefixes of all store keys of monitors. The docs are generated from these. */
export const monitorKeys = keyFamilies({
  monitor: {
    begins: 'monitors/one/',
    keeps: 'A monitor: its target, its schedule, and its running check',
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
    keeps: 'The time of the next check of a monitor',
    writes: 'monitors',
    lives: 'until that check starts',
  },
  check: {
    begins: 'list/monitors/checks/',
    keeps: 'The status of a check, by its monitor',
    writes: 'monitors',
    lives: retained,
  },
  pages: {
    begins: 'monitors/pages/',
    keeps: 'The results of some pages of a check',
    writes: 'monitors',
    lives: retained,
  },
  page: {
    begins: 'monitors/page/',
    keeps: 'A page at the last check that could read it',
    writes: 'monitors',
    lives: '`keep.changes`',
  },
  pace: {
    begins: 'monitors/pace/',
    keeps: 'How often a page has changed, which determines its next check',
    writes: 'monitors',
    lives: '`keep.changes`',
  },
  known: {
    begins: 'monitors/known/',
    keeps: 'The known pages of a crawl or a search of a monitor',
    writes: 'monitors',
    lives: '`keep.changes`',
  },
  outbox: {
    begins: 'monitors/outbox/',
    keeps: 'Messages that a receiver has not accepted',
    writes: 'monitors',
    lives: retained,
  },
  recipient: {
    begins: 'list/monitors/recipients/',
    keeps: 'A recipient of mails of a monitor: whether it has confirmed or unsubscribed, with the token of its links',
    writes: 'monitors',
    lives: withMonitor,
  },
  recipientToken: {
    begins: 'monitors/recipient/',
    keeps: 'The recipient that a link in a mail is for, by a hash of its token',
    writes: 'monitors',
    lives: withMonitor,
  },
  invitations: {
    begins: 'monitors/invitations/',
    keeps: 'The number of confirmation mails of a team on a day',
    writes: 'monitors',
    lives: '2 days',
  },
  feed: {
    begins: 'monitors/feed/',
    keeps: 'The monitor of a feed, by the secret in its URL',
    writes: 'monitors',
    lives: withMonitor,
  },
})
