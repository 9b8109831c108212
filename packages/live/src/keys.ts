import { keyFamilies } from '@harvestman/toolbox/key-families'

const asLongAsTheScrape = '`keep.results`'

/** The store keys of live browsers. They predate this feature, so their prefixes differ from its name. */
export const liveKeys = keyFamilies({
  sessions: {
    begins: 'sessions/',
    keeps: 'The live browsers of a team, also those that have ended',
    writes: 'live browsers',
    lives: asLongAsTheScrape,
  },
  teams: {
    begins: 'sessions-open',
    keeps: 'Which teams have live browsers open',
    writes: 'live browsers',
    lives: 'while one is open',
  },
  owner: {
    begins: 'session-owner/',
    keeps: 'The engine that has a live browser, by its id and by that of its scrape',
    writes: 'live browsers',
    lives: asLongAsTheScrape,
  },
  peer: {
    begins: 'peer/',
    keeps: 'Where an engine is asked by others about live browsers',
    writes: 'servers with `peerUrl`',
    lives: '30 seconds after the last beat',
  },
  profile: {
    begins: 'profiles/',
    keeps: 'What a profile keeps, by team',
    writes: 'live browsers',
    lives: 'a year after it was last written',
  },
  profileLock: {
    begins: 'profile-locks/',
    keeps: 'Who writes a profile',
    writes: 'live browsers',
    lives: 'while it is written',
  },
})
