// Where the pages of a live browser may go while a task runs: other sites are refused before anything is sent to them.
import { EngineError, type LiveBrowser } from '@harvestman/ports'

/** A live browser whose pages can be kept to some sites. */
export interface ConfinableBrowser extends LiveBrowser {
  /** Refuses documents of other addresses in all tabs, until it is released. */
  confine(allows: (address: string) => boolean): Confinement
}

/** The refusals of one task. */
export interface Confinement {
  /** Returns the address that was refused since the last call. */
  takeRefused(): string | undefined
  release(): void
}

export interface Confinements extends Pick<ConfinableBrowser, 'confine'> {
  /** Rejects an address that a running task may not visit. Nothing has been sent there yet. */
  check(url: URL): void
}

/** Makes the confinement of one live browser. With several tasks at once, all must allow an address. */
export function makeConfinements(): Confinements {
  const active = new Set<{ allows(address: string): boolean; refused: string | undefined }>()
  return {
    check: ({ href, host }) => {
      const strict = [...active].filter(({ allows }) => !allows(href))
      for (const one of strict) one.refused ??= href
      if (strict.length === 0) return
      throw new EngineError(
        'policy_denied',
        `${host} is another site than the one of the running task, so nothing was sent to it. Add it to "allow".`,
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
