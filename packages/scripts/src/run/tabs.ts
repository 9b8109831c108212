// Finds the tab that a step uses, and the tabs that it opened. Ambiguous cases are rejected.
import { z } from 'zod'

import { inspect } from '../page/names.ts'
import type { LivePage } from '../page/live-page.ts'
import type { LiveTabs } from '../page/tabs.ts'
import { plainUrl } from '../record/address.ts'
import type { Expects, Opens } from '../script/schema.ts'

/** Tabs by the names that steps gave them. */
export type NamedTabs = Map<string, LivePage>

interface Tabs {
  readonly tabs: LiveTabs
  readonly named: NamedTabs
  readonly signal: AbortSignal
}

/** A tab and its URL. */
export interface SeenTab {
  readonly tab: string
  readonly url: string
}

/** The result of searching for a tab that a step opened. */
export type TabVerdict =
  | { readonly kind: 'found'; readonly tab: string }
  | { readonly kind: 'none' | 'several'; readonly tabs: readonly SeenTab[] }

/**
 * Finds the expected tab among the new ones: the only one with its URL, or the only one if no URL was recorded.
 * Otherwise the result is `none` or `several`, with the tabs.
 */
export function findTab({ address }: Pick<Opens, 'address'>, opened: readonly SeenTab[]): TabVerdict {
  const some = opened.filter(({ url }) => address === undefined || plainUrl(url) === address)
  const [only] = some
  if (!only) return { kind: 'none', tabs: opened }
  return some.length > 1 ? { kind: 'several', tabs: some } : { kind: 'found', tab: only.tab }
}

/**
 * Returns the page that a step uses; without a name, the first tab. `undefined` if the tab is closed, or if no step gave this
 * name.
 */
export function pageFor(tab: string | undefined, { tabs, named }: Tabs): LivePage | undefined {
  const page = tab === undefined ? tabs.first : named.get(tab)
  return page?.closed.aborted === true ? undefined : page
}

/** Returns the page, or if its tab is closed, the tab that opened it if that is open, else the first tab. */
export function shownAfter(page: LivePage, { tabs }: Pick<Tabs, 'tabs'>): LivePage {
  if (!page.closed.aborted) return page
  const opener = tabs.open.find(({ tab }) => tab === page.opener)
  return opener ?? tabs.first
}

/** The tabs before a step, and whether its timeout has passed. */
export interface Before {
  readonly open: ReadonlySet<LivePage>
  readonly isOver: boolean
}

/** The problem with the tabs after a step. */
export interface OddTabs {
  readonly reason: 'ambiguous' | 'other_outcome'
  readonly why: string
  readonly tabs: readonly SeenTab[]
}

/**
 * Names the tabs that a step opened, and returns the first problem with the opened and closed tabs, or `undefined` if there is
 * none. While tabs are still opening, the result is not final. Rejects if a tab cannot be read.
 */
export async function oddTabs(
  { opens = [], closes = [] }: Expects,
  page: LivePage,
  { open: before, isOver }: Before,
  run: Tabs,
): Promise<OddTabs | undefined> {
  const open = closes.find((name) => pageFor(name, run) !== undefined)
  if (open !== undefined) return { reason: 'other_outcome', why: `The tab "${open}" is still open.`, tabs: [] }
  if (opens.length === 0) return undefined
  const pages = run.tabs.open.filter((one) => one.opener === page.tab && !before.has(one))
  const opened = await seenTabs(pages, run.signal)
  const isOpening = run.tabs.coming.size > 0 || opened.some(({ url }) => url === 'about:blank')
  if (isOpening && !isOver && opens.some(({ address }) => address !== undefined))
    return { reason: 'other_outcome', why: 'Tabs are still opening.', tabs: opened }
  for (const one of opens) {
    const verdict = findTab(one, opened)
    if (verdict.kind !== 'found') return oddTab(one, verdict.kind, verdict.tabs)
    const found = pages.find(({ tab }) => tab === verdict.tab)
    if (found) run.named.set(one.tab, found)
  }
  return undefined
}

function oddTab({ tab, address }: Opens, kind: 'none' | 'several', tabs: readonly SeenTab[]): OddTabs {
  if (kind === 'several') {
    const why = `${tabs.length} new tabs could be "${tab}", and cannot be told apart.`
    return { reason: 'ambiguous', why, tabs }
  }
  const where = address === undefined ? '' : ` at ${address}`
  return { reason: 'other_outcome', why: `It did not open a tab${where}.`, tabs }
}

const addressSchema = z.object({ url: z.string() })

/**
 * Returns the tabs with their current URLs. Tabs that close meanwhile are omitted. Rejects if an open tab cannot be read.
 */
export async function seenTabs(pages: readonly LivePage[], signal: AbortSignal): Promise<readonly SeenTab[]> {
  const all = pages.map(async (page) => {
    try {
      return [{ tab: page.tab, url: (await page.see(inspect('page'), addressSchema, signal)).url }]
    } catch (error) {
      if (page.closed.aborted) return []
      throw error
    }
  })
  return (await Promise.all(all)).flat()
}
