import { keyFamilies } from '@harvestman/toolbox/key-families'

const asLongAsTheScrape = '`keep.results`'

/** The store keys of live browsers. They predate this feature, so their prefixes differ from its name. */
export const liveKeys = keyFamilies({
  sessions: {
    begins: 'sessions/',
    keeps: 'The live browsers of a team, including ended ones',
    writes: 'live browsers',
    lives: asLongAsTheScrape,
  },
  teams: {
    begins: 'sessions-open',
    keeps: 'The teams with open live browsers',
    writes: 'live browsers',
    lives: 'while one is open',
  },
  owner: {
    begins: 'session-owner/',
    keeps: 'The engine that runs a live browser, by its id and the id of its scrape',
    writes: 'live browsers',
    lives: asLongAsTheScrape,
  },
  people: {
    begins: 'people/',
    keeps: 'The requests to people of a team',
    writes: 'pages that need a person',
    lives: 'two days',
  },
  personTeam: {
    begins: 'person-team/',
    keeps: 'The team of a request to a person, by the id in its link',
    writes: 'pages that need a person',
    lives: 'two days',
  },
  peer: {
    begins: 'peer/',
    keeps: 'The URL at which other engines reach an engine for its live browsers',
    writes: 'servers with `peerUrl`',
    lives: '30 seconds after the last heartbeat',
  },
})
