import { keyFamilies } from '@harvestman/toolbox/key-families'

const forEver = 'forever'

/** Prefixes of all store keys that this package writes. The docs print them. */
export const hostingKeys = keyFamilies({
  team: { begins: 'team/', keeps: 'A team and its limits', writes: 'teams', lives: forEver },
  teamIds: { begins: 'teams/ids', keeps: 'The ids of all teams', writes: 'teams', lives: forEver },
  key: {
    begins: 'team-key/',
    keeps: 'A key: its hash, scopes, limits and last use',
    writes: 'teams',
    lives: forEver,
  },
  keysOfTeam: { begins: 'team-keys/', keeps: 'The ids of the keys of a team', writes: 'teams', lives: forEver },
  rate: {
    begins: 'rate/',
    keeps: 'The number of requests of a team or a key in a minute, by group',
    writes: 'limits',
    lives: 'two minutes',
  },
  activity: {
    begins: 'activity/',
    keeps: 'The requests of a team in a minute',
    writes: 'the activity',
    lives: 'a day and a minute',
  },
  activityEnds: {
    begins: 'activity-ends/',
    keeps: 'The outcomes, durations and prices of the requests in a minute',
    writes: 'the activity',
    lives: 'a day and a minute',
  },
  activityCosts: {
    begins: 'activity-costs/',
    keeps: 'The requests that ended in an hour, with their price, by endpoint and key',
    writes: 'the activity',
    lives: 'a day and an hour',
  },
  feedback: {
    begins: 'feedback/',
    keeps: 'The feedback on the requests of a team on a day',
    writes: 'feedback',
    lives: '30 days',
  },
  upload: {
    begins: 'uploads/',
    keeps: 'An upload URL, and behind `/bytes` its file',
    writes: 'uploads',
    lives: '15 minutes',
  },
  uploadsOfTeam: {
    begins: 'uploads/of/',
    keeps: 'The upload URLs of a team, and the size of its files',
    writes: 'uploads',
    lives: '15 minutes',
  },
  uploadSums: {
    begins: 'uploads/sums',
    keeps: 'The total size of the files of each team',
    writes: 'uploads',
    lives: '15 minutes',
  },
})
