import { EngineError } from '@harvestman/ports'
import { openControlGroups, type ControlGroups } from '@harvestman/toolbox/control-groups/groups'
import { readText } from '@harvestman/toolbox/control-groups/places'

import { noGroup } from './refusals.ts'

/**
 * Opens the control groups for jails. Throws `not_configured`, with a remedy, if this process may not create any, or the kernel
 * does not count all memory.
 */
export function groupsHere(): ControlGroups {
  try {
    refuseUncounted()
    return openControlGroups(['memory', 'pids'])
  } catch (error) {
    throw noGroup(error)
  }
}

/** Throws if the kernel was booted with an option that excludes kernel or socket memory from the limits. */
function refuseUncounted(): void {
  const left = /\bcgroup\.memory=\S*(nokmem|nosocket)/.exec(readText('/proc/cmdline'))
  if (left) throw new Error(`The kernel was started with cgroup.memory=${left[1]}, so it does not count all memory.`)
}

/** The limits that this host can enforce on jails. */
export interface BoundsHere {
  /** The control-group controllers: `memory`, `pids`, `cpu`. */
  readonly controllers: readonly string[]
  /** Version of the control groups that limit memory, 1 or 2. */
  readonly version?: 1 | 2 | undefined
  /** Why there are no control groups, and how to fix it. */
  readonly obstacle?: string | undefined
}

/**
 * Checks the limits by creating and removing a control group. Never throws: if that fails, `controllers` is empty and
 * `obstacle` has the reason.
 */
export function boundsHere(): BoundsHere {
  try {
    const { controllers, version } = groupsHere()
    return { controllers, version }
  } catch (error) {
    if (!EngineError.is(error)) throw error
    return { controllers: [], obstacle: error.message }
  }
}
