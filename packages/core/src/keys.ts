import { keyFamilies } from '@harvestman/toolbox/key-families'

const untilSettled = 'until the job has ended and its messages are sent'
const withJob = 'as long as the job: `keep.jobs`'

/** Prefixes of all keys that core writes to the store. The docs list them. */
export const storeKeys = keyFamilies({
  job: {
    begins: 'job/',
    keeps:
      'A job: its checkpoint, and behind `/` its log, lease, commands, unsent messages and the state of its strategy',
    writes: 'jobs',
    lives: withJob,
  },
  openJob: { begins: 'list/jobs/open/', keeps: 'A job that has not ended', writes: 'jobs', lives: untilSettled },
  jobOfTeam: { begins: 'list/jobs/of/', keeps: 'The id of a job, by its team', writes: 'jobs', lives: withJob },
  family: { begins: 'family/', keeps: 'The job of the pages with these ids', writes: 'jobs', lives: withJob },
  idempotency: {
    begins: 'idempotency/',
    keeps: 'The job that was started with an idempotency key, by the team',
    writes: 'jobs',
    lives: withJob,
  },
  thread: {
    begins: 'thread/',
    keeps: 'A thread: its jobs, each of which continues the one before, by the team',
    writes: 'jobs',
    lives: withJob,
  },
  scrape: { begins: 'scrape/', keeps: 'The result of a scrape', writes: 'scrapes', lives: '`keep.results`' },
  page: {
    begins: 'page/',
    keeps: 'A cached page, for requests with a `maxAge`',
    writes: 'scrapes',
    lives: '`keep.pages`',
  },
  file: {
    begins: 'file/',
    keeps: 'A file, if files are in the store',
    writes: 'scrapes, live browsers',
    lives: '`keep.files`',
  },
  host: {
    begins: 'host/',
    keeps: 'The loader that a host needs, by team',
    writes: 'scrapes',
    lives: 'at most twice `keep.hosts`',
  },
  profile: {
    begins: 'profiles/',
    keeps: 'The cookies and storage of a profile, by team',
    writes: 'live browsers, scrapes',
    lives: 'a year after the last write',
  },
  profileOfTeam: {
    begins: 'list/profiles/of/',
    keeps: 'The name, size and date of a profile, by its team',
    writes: 'live browsers, scrapes',
    lives: 'a year after the last write',
  },
  profileLock: {
    begins: 'profile-locks/',
    keeps: 'The engine that writes a profile',
    writes: 'live browsers, scrapes',
    lives: 'while it is written',
  },
  plugin: {
    begins: 'plugin/',
    keeps: 'Data of a plugin, by plugin and team',
    writes: 'plugins',
    lives: 'set by the plugin, at most `keep.plugins`',
  },
  change: {
    begins: 'changes/',
    keeps: 'The versions of a tracked page, and behind `/` their content',
    writes: 'change tracking',
    lives: '`keep.changes` after the last scrape',
  },
  trackedPage: {
    begins: 'list/changes/of/',
    keeps: 'A tracked page with its newest version, by its team',
    writes: 'change tracking',
    lives: '`keep.changes` after the last scrape',
  },
  followedSite: {
    begins: 'changes/sites/',
    keeps: 'The pages of a site that crawls have followed',
    writes: 'crawls with change tracking',
    lives: '`keep.changes` after the last crawl',
  },
  threats: {
    begins: 'threats/',
    keeps: 'The threat protection of a team',
    writes: '`PUT /v2/team/threat-protection`',
    lives: 'until it is replaced',
  },
  health: {
    begins: 'health/',
    keeps: 'Test data of the health check',
    writes: 'checks',
    lives: 'seconds',
  },
})
