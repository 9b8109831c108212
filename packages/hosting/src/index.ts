// The public API of this package.
import type { FeaturesOf } from '@harvestman/core'

import type { hosting } from './hosting.ts'

export { hosting, type HostingOptions } from './hosting.ts'
export type { Teams } from './teams/teams.ts'
export type { Team } from './teams/team.ts'
export type { KnownKey, TeamKey } from './teams/team-keys.ts'
export { newKeySchema, newTeamSchema, teamLimitsSchema, type NewKey, type NewTeam } from './teams/words.ts'
export type {
  Activity,
  ActivityEntry,
  ActivityHour,
  ActivityPage,
  ActivityQuery,
  ListedEntry,
} from './activity/activity.ts'
export type { CostHour, CostRow } from './activity/costs.ts'
export type { RequestEnd } from './activity/request-end.ts'
export type { FileMetadata, UploadedFile, UploadPlace, Uploads } from './uploads/uploads.ts'

/** Members that the plugin adds to an engine: `teams`, `activity` and `uploads`. */
export type Hosting = FeaturesOf<readonly [ReturnType<typeof hosting>]>
