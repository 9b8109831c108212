// Limits the sites that a live browser may visit while a task runs. Requests to other sites are blocked before they are sent.
import { EngineError, type LiveBrowser } from '@harvestman/ports'

import type { Permitting } from '../page-tools/page-tools.ts'

/** A live browser that can be limited to some sites. */
export interface ConfinableBrowser extends LiveBrowser, Permitting {
  /** Blocks documents of URLs that the function rejects, in all tabs, until released. */
  confine(allows: (address: string) => boolean): Confinement
}

/** The limits of one task. */
export interface Confinement {
  /** Returns the first URL that was blocked since the last call, if any. */
  takeRefused(): string | undefined
  release(): void
}

export interface Confinements extends Pick<ConfinableBrowser, 'confine'> {
  /** Throws `policy_denied` for a URL that a running task may not visit. Must be called before anything is sent. */
  check(url: URL): void
}

/**
 * Creates the limits of one live browser. If several tasks run, all of them must allow a URL. `check` throws
 * `policy_denied` for other URLs; without tasks everything is allowed.
 */
export function makeConfinements(): Confinements {
  const active = new Set<{ allows(address: string): boolean; refused: string | undefined }>()
  return {
    check: ({ href, host }) => {
      const strict = [...active].filter(({ allows }) => !allows(href))
      for (const one of strict) one.refused ??= href
      if (strict.length === 0) return
      throw new EngineError(
        'policy_denied',
        `${host} is not on the site of the running task, so nothing was sent to it. Add it to "allow".`,
      )
    },
    confine: (allows) => {
      const one: { allows(address: string): boolean; refused: string | undefined } = { allows, refused: undefined }
      active.add(one)
      return {
        takeRefused: () => {
          const { refused } = one
          one.refused = undefined
          return refused
        },
        release: () => void active.delete(one),
      }
    },
  }
}
