import { keyFamilies } from '@harvestman/toolbox/key-families'

const forEver = 'for ever'

/** Prefixes of all store keys that this package writes. The docs print them. */
export const hostingKeys = keyFamilies({
  team: { begins: 'team/', keeps: 'A team and its limits', writes: 'teams', lives: forEver },
  teamIds: { begins: 'teams/ids', keeps: 'The ids of all teams', writes: 'teams', lives: forEver },
  key: {
    begins: 'team-key/',
    keeps: 'A key: its hash, its scopes and limits, and when it was used last',
    writes: 'teams',
    lives: forEver,
  },
  keysOfTeam: { begins: 'team-keys/', keeps: 'The ids of the keys of a team', writes: 'teams', lives: forEver },
  rate: {
    begins: 'rate/',
    keeps: 'How often a team or a key has asked in a minute, by group',
    writes: 'limits',
    lives: 'two minutes',
  },
  activity: {
    begins: 'activity/',
    keeps: 'What a team asked for in a minute',
    writes: 'the activity',
    lives: 'a day and a minute',
  },
  activityEnds: {
    begins: 'activity-ends/',
    keeps: 'How the requests of a minute ended: how long they took and what they cost',
    writes: 'the activity',
    lives: 'a day and a minute',
  },
  activityCosts: {
    begins: 'activity-costs/',
    keeps: 'What ended in an hour, and what it cost, by endpoint and key',
    writes: 'the activity',
    lives: 'a day and an hour',
  },
  upload: {
    begins: 'uploads/',
    keeps: 'A place for a file that is to come, and behind `/bytes` the file',
    writes: 'uploads',
    lives: '15 minutes',
  },
  uploadsOfTeam: {
    begins: 'uploads/of/',
    keeps: 'The places of a team, and how large its files are',
    writes: 'uploads',
    lives: '15 minutes',
  },
  uploadSums: {
    begins: 'uploads/sums',
    keeps: 'What the files of each team have together',
    writes: 'uploads',
    lives: '15 minutes',
  },
})
