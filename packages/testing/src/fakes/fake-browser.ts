import type { Browser, BrowserProfile, Guard, MakeBrowser, Tab } from '@harvestman/core/ports'

import { fakeTab, type Jar } from './fake-tab.ts'

/** A page of a fake browser. */
export interface FakePage {
  readonly html?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Where it redirects to. */
  readonly redirect?: string
  readonly setCookies?: Readonly<Record<string, string>>
  /** What the page has become when a caller waits for an element that is not there yet. */
  readonly later?: string
  /** Never loads, or fails to. */
  readonly trouble?: 'silent' | 'broken'
}

/** What a page can know of who visits it. */
export interface FakeVisit {
  readonly url: URL
  readonly cookies: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** Pages by their whole address, or by their path for any host. A text is the HTML of a page. */
export type FakePages = Readonly<Record<string, string | FakePage | ((visit: FakeVisit) => string | FakePage)>>

/** What a tab has come to; scripts may look at it and change it. */
export interface FakeTabState {
  url: string
  html: string
  readonly storage: Record<string, string>
  /** What was typed into the element of each selector. */
  readonly typed: Record<string, string>
  readonly pressed: string[]
  /** How many elements were clicked. */
  clicks: number
  scrolled: number
}

/** Answers to scripts, by their text. */
export type FakeScripts = Readonly<Record<string, (tab: FakeTabState) => unknown>>

export interface FakeBrowserOptions {
  readonly pages: FakePages
  readonly scripts?: FakeScripts
}

/** One thing that was done in a tab, in order: `click #more`, `goto https://…`, `type Hello`. */
export interface FakeAction {
  readonly tab: number
  readonly name: string
  readonly detail: string
}

/** Makes browsers, as `createEngine` takes it, and tells what was done in them. */
export interface FakeBrowser extends MakeBrowser {
  readonly actions: readonly FakeAction[]
  /** With which profiles tabs were opened. */
  readonly profiles: readonly BrowserProfile[]
  readonly openTabs: number
}

/** A browser without a browser: pages from a table, and no scripts but those with a written answer. */
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
          gone: () => void (open.delete(tab), mine.delete(tab)),
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
