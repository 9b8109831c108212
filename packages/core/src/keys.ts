import { keyFamilies } from '@harvestman/toolbox/key-families'

const untilSettled = 'until nothing is left to do for the job'
const withJob = 'as long as the job: `keep.jobs`'

/** Prefixes of all keys that core writes to the store. The docs list them. */
export const storeKeys = keyFamilies({
  job: {
    begins: 'job/',
    keeps:
      'A job: its checkpoint, and behind `/` its log, lease, commands, messages to send and what its strategy keeps',
    writes: 'jobs',
    lives: withJob,
  },
  openJob: { begins: 'list/jobs/open/', keeps: 'A job that is not over', writes: 'jobs', lives: untilSettled },
  jobOfTeam: { begins: 'list/jobs/of/', keeps: 'The id of a job, by its team', writes: 'jobs', lives: withJob },
  family: { begins: 'family/', keeps: 'The job that pages of these ids belong to', writes: 'jobs', lives: withJob },
  idempotency: {
    begins: 'idempotency/',
    keeps: 'The job that was started with an idempotency key, by the team',
    writes: 'jobs',
    lives: withJob,
  },
  scrape: { begins: 'scrape/', keeps: 'The result of a scrape', writes: 'scrapes', lives: '`keep.results`' },
  page: {
    begins: 'page/',
    keeps: 'A page as it came, for requests with a `maxAge`',
    writes: 'scrapes',
    lives: '`keep.pages`',
  },
  file: {
    begins: 'file/',
    keeps: 'A file, where files are kept in the store',
    writes: 'scrapes, live browsers',
    lives: '`keep.files`',
  },
  host: {
    begins: 'host/',
    keeps: 'What a host needs to let the engine in, by team',
    writes: 'scrapes',
    lives: 'at most twice `keep.hosts`',
  },
  plugin: {
    begins: 'plugin/',
    keeps: 'What a plugin keeps, by plugin and team',
    writes: 'plugins',
    lives: 'as the plugin says, at most `keep.plugins`',
  },
  change: {
    begins: 'changes/',
    keeps: 'The versions of a page that is tracked, and behind `/` their texts',
    writes: 'change tracking',
    lives: '`keep.changes` after the last look',
  },
  trackedPage: {
    begins: 'list/changes/of/',
    keeps: 'A tracked page with its newest version, by its team',
    writes: 'change tracking',
    lives: '`keep.changes` after the last look',
  },
  followedSite: {
    begins: 'changes/sites/',
    keeps: 'The pages of a site that crawls have followed',
    writes: 'crawls with change tracking',
    lives: '`keep.changes` after the last crawl',
  },
  health: {
    begins: 'health/',
    keeps: 'What a check of the store writes and reads',
    writes: 'checks',
    lives: 'a moment',
  },
})
