import type { TeamLimits } from '@harvestman/core'

/** A tenant of an engine. Teams cannot see each other's data. */
export interface Team {
  readonly id: string
  readonly name?: string | undefined
  readonly limits: TeamLimits
  readonly createdAt: string
}
