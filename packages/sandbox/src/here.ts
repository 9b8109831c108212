import { EngineError } from '@harvestman/ports'
import { openControlGroups, readText, type ControlGroups } from '@harvestman/ports/adapters'

import { noGroup } from './refusals.ts'

/** Rejects with what to do where this system does not let this process make control groups. */
export function groupsHere(): ControlGroups {
  try {
    refuseUncounted()
    return openControlGroups(['memory', 'pids'])
  } catch (error) {
    throw noGroup(error)
  }
}

/** Kernels can be told to leave memory out of the figures that is their own. */
function refuseUncounted(): void {
  const left = /\bcgroup\.memory=\S*(nokmem|nosocket)/.exec(readText('/proc/cmdline'))
  if (left) throw new Error(`The kernel was started with cgroup.memory=${left[1]}, so it does not count all memory.`)
}

/** What bounds the jails of this machine. */
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
