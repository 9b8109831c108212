import type { Browser, BrowserProfile, Guard, MakeBrowser, Tab } from '@harvestman/ports'

import type { FakePages, FakeScripts } from './fake-page.ts'
import { fakeTab, type Jar } from './fake-tab.ts'

/** The pages of an in-memory browser, and the results of their scripts. */
export interface FakeBrowserOptions {
  readonly pages: FakePages
  readonly scripts?: FakeScripts
}

/** An action in a tab, such as `click #more`, `goto https://…`, `type Hello`. */
export interface FakeAction {
  readonly tab: number
  readonly name: string
  readonly detail: string
}

/** A `MakeBrowser` as `createEngine` accepts it, which records the actions in its browsers. */
export interface FakeBrowser extends MakeBrowser {
  readonly actions: readonly FakeAction[]
  /** The profiles of the opened tabs. */
  readonly profiles: readonly BrowserProfile[]
  readonly openTabs: number
}

/**
 * Creates an in-memory browser: pages come from a table, and scripts run only if their result is given. Other scripts
 * reject.
 */
export function fakeBrowser({ pages, scripts = {} }: FakeBrowserOptions): FakeBrowser {
  const actions: FakeAction[] = []
  const profiles: BrowserProfile[] = []
  const open = new Set<Tab>()

  const make = (guard: Guard): Browser => {
    const mine = new Set<Tab>()
    let isOpen = true
    return {
      async open(profile, signal) {
        signal.throwIfAborted()
        if (!isOpen) throw new Error('The browser was closed.')
        profiles.push(profile)
        const number = profiles.length
        const record = (name: string, detail: string) => void actions.push({ tab: number, name, detail })
        const jar: Jar = new Map()
        const tab = fakeTab({
          guard,
          pages,
          scripts,
          profile,
          jar,
          record,
          onClosed: () => void (open.delete(tab), mine.delete(tab)),
        })
        open.add(tab)
        mine.add(tab)
        return tab
      },
      async close() {
        isOpen = false
        for (const tab of mine) await tab.close()
      },
    }
  }
  return Object.defineProperties(make, {
    actions: { value: actions },
    profiles: { value: profiles },
    openTabs: { get: () => open.size },
  }) as FakeBrowser
}
