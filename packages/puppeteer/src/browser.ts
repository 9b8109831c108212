import type { MakeBrowser, MakeSessions } from '@harvestman/ports'

import type { KnownIdentity } from './chromium/installed.ts'
import { opensLate } from './lib/opens-late.ts'
import type { PuppeteerOptions } from './lib/options.ts'

/**
 * Creates real browsers for an engine: `createEngine({ browser: puppeteerBrowser() })`. Nothing starts until the first tab is
 * opened, which rejects with `not_configured` if no browser is installed, and with `browser_failed` if it does not start.
 */
export function puppeteerBrowser(options: PuppeteerOptions = {}): MakeBrowser {
  return (guard) => {
    let known: Promise<KnownIdentity> | undefined
    const identity = (): Promise<KnownIdentity> =>
      (known ??= import('./chromium/installed.ts').then(({ knownIdentity }) => knownIdentity(options)))
    const browser = opensLate(async () => {
      const [{ makeBrowser }, { learn }] = await Promise.all([import('./make-browser.ts'), identity()])
      return makeBrowser(guard, options, learn)
    })
    return { ...browser, identity: async () => (await identity()).read() }
  }
}

/**
 * Creates live browsers for an engine. Each session has its own browser process, which ends with it, so that its user cannot
 * affect other sessions. Opening one rejects with `not_configured` if no browser is installed, and with `browser_failed` if it
 * does not start.
 */
export function puppeteerSessions(options: PuppeteerOptions = {}): MakeSessions {
  return (guard) => opensLate(async () => (await import('./live/sessions.ts')).makeSessions(guard, options))
}
