import type { BrowserProfile, Guard, Landing, Tab } from '@harvestman/ports'

import { pdf, png } from '../site/files.ts'
import type { FakePage, FakePages, FakeScripts, FakeTabState } from './fake-page.ts'
import { findTags, titleOf } from './start-tags.ts'

/** The cookies of a tab: by host, then by name. */
export type Jar = Map<string, Map<string, string>>

export interface FakeTabParts {
  readonly guard: Guard
  readonly pages: FakePages
  readonly scripts: FakeScripts
  readonly profile: BrowserProfile
  readonly jar: Jar
  readonly record: (name: string, detail: string) => void
  readonly onClosed: () => void
}

const maxRedirects = 20
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 0xff, 0xd9])

/** Creates the state of a tab and the helpers that all of its actions share. */
function startSession(parts: FakeTabParts) {
  const state: FakeTabState = {
    url: 'about:blank',
    html: '',
    storage: {},
    typed: {},
    pressed: [],
    clicks: 0,
    scrolled: 0,
  }
  const closing = new AbortController()
  let later: string | undefined

  return {
    state,
    begin(name: string, detail: string, signal?: AbortSignal) {
      if (closing.signal.aborted) throw closing.signal.reason
      signal?.throwIfAborted()
      parts.record(name, detail)
    },
    /** Rejects when the signal is aborted or the tab is closed. */
    ended: (signal: AbortSignal) => untilAborted(AbortSignal.any([signal, closing.signal])),
    async visit(url: URL, signal: AbortSignal): Promise<Landing> {
      const { page, landed } = await load(url, parts, AbortSignal.any([signal, closing.signal]))
      state.url = landed.href
      state.html = page.html ?? ''
      later = page.later
      return { url: landed.href, status: page.status ?? 200, headers: Object.entries(page.headers ?? {}) }
    },
    find: (selector: string) => findTags(state.html, selector),
    mustFind(selector: string) {
      const tags = findTags(state.html, selector)
      if (tags.length === 0) throw new Error(`There is no element "${selector}".`)
      return tags
    },
    /** Switches to the later HTML of the page if that contains the element. */
    ripen(selector: string): boolean {
      if (later === undefined || findTags(later, selector).length === 0) return false
      state.html = later
      return true
    },
    end() {
      closing.abort(new Error('The tab was closed.'))
      parts.onClosed()
    },
  }
}

/**
 * Creates a tab of the fake browser. Clicks and scrolls on missing elements and scripts without a given result reject;
 * `waitFor` of a missing element waits until it is aborted. URLs without a page get status 404.
 */
export function fakeTab(parts: FakeTabParts): Tab {
  const { state, begin, ended, visit, find, mustFind, ripen, end } = startSession(parts)
  let focus: string | undefined

  return {
    async goto(url, signal) {
      begin('goto', url.href, signal)
      return visit(url, signal)
    },
    async waitFor(selector, signal) {
      begin('waitFor', selector, signal)
      if (find(selector).length === 0 && !ripen(selector)) await ended(signal)
    },
    async url() {
      begin('url', '')
      return state.url
    },
    async html() {
      begin('html', '')
      return state.html
    },
    async evaluate(script, signal) {
      begin('evaluate', script, signal)
      const answer = parts.scripts[script]
      if (!answer) throw new Error(`No answer was written down for the script: ${script}`)
      return Promise.race([answer(state), ended(signal)])
    },
    async type(text, signal) {
      begin('type', text, signal)
      if (focus !== undefined) state.typed[focus] = (state.typed[focus] ?? '') + text
    },
    async press(key, signal) {
      begin('press', key, signal)
      state.pressed.push(key)
    },
    async click(selector, { all }, signal) {
      begin('click', selector, signal)
      const tags = mustFind(selector)
      state.clicks += all ? tags.length : 1
      focus = selector
      const href = tags[0]?.name === 'a' ? tags[0].attributes['href'] : undefined
      if (href !== undefined) await visit(new URL(href, state.url), signal)
    },
    async scroll(direction, selector, signal) {
      begin('scroll', selector === undefined ? direction : `${direction} ${selector}`, signal)
      if (selector !== undefined) mustFind(selector)
      state.scrolled = Math.max(state.scrolled + (direction === 'down' ? 1 : -1), 0)
    },
    async screenshot({ fullPage, quality }, signal) {
      begin('screenshot', fullPage ? 'full page' : 'viewport', signal)
      return quality === undefined ? png() : jpeg
    },
    async pdf({ format }, signal) {
      begin('pdf', format, signal)
      return pdf(titleOf(state.html))
    },
    close: async () => end(),
  }
}

async function load(url: URL, { guard, pages, profile, jar }: FakeTabParts, signal: AbortSignal) {
  let landed = url
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    guard.checkUrl(landed)
    await profile.mayVisit?.(landed)
    await guard.resolve(landed.hostname, Number(landed.port || (landed.protocol === 'https:' ? 443 : 80)), signal)
    const cookies = jar.get(landed.hostname) ?? new Map<string, string>()
    const page = pageAt(pages, landed, Object.fromEntries(cookies), profile.headers)
    for (const [name, value] of Object.entries(page.setCookies ?? {})) cookies.set(name, value)
    jar.set(landed.hostname, cookies)
    if (page.trouble === 'silent') await untilAborted(signal)
    if (page.trouble === 'broken') throw new Error('The connection broke.')
    if (page.redirect === undefined) return { page, landed }
    landed = new URL(page.redirect, landed)
  }
  throw new Error('The page redirects too often.')
}

function pageAt(
  pages: FakePages,
  url: URL,
  cookies: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): FakePage {
  const found = pages[url.href] ?? pages[url.pathname + url.search] ?? pages[url.pathname]
  const page = typeof found === 'function' ? found({ url, cookies, headers }) : found
  if (page === undefined) return { status: 404, html: '<title>Not found</title><h1>Not found</h1>' }
  return typeof page === 'string' ? { html: page } : page
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
