import { EngineError } from '@harvestman/ports'

import { openGroups, type Groups } from './group.ts'
import { noGroup } from './refusals.ts'

/** Rejects with what to do where this system does not let this process make control groups. */
export function groupsHere(): Groups {
  try {
    return openGroups()
  } catch (error) {
    throw noGroup(error)
  }
}

export interface BoundsHere {
  /** What the kernel bounds of a jail: `memory`, `pids`, `cpu`. */
  readonly controllers: readonly string[]
  /** 1 or 2: which kind of control groups bounds the memory. */
  readonly version?: 1 | 2 | undefined
  /** Why there is none, and what to do about it. */
  readonly obstacle?: string | undefined
}

/** Tries it: a control group is made and removed. */
export function boundsHere(): BoundsHere {
  try {
    const { controllers, version } = groupsHere()
    return { controllers, version }
  } catch (error) {
    if (!EngineError.is(error)) throw error
    return { controllers: [], obstacle: error.message }
  }
}
