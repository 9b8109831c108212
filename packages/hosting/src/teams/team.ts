import type { TeamLimits } from '@harvestman/core'

/** Those who share an engine, and never see each other's things. */
export interface Team {
  readonly id: string
  readonly name?: string | undefined
  readonly limits: TeamLimits
  readonly createdAt: string
}
