import type { MakeBrowser, MakeSessions } from '@harvestman/ports'

import { opensLate } from './lib/opens-late.ts'
import type { PuppeteerOptions } from './lib/options.ts'

/** Real browsers for an engine: `createEngine({ browser: puppeteerBrowser() })`. Nothing is started before it is needed. */
export function puppeteerBrowser(options: PuppeteerOptions = {}): MakeBrowser {
  return (guard) => opensLate(async () => (await import('./make-browser.ts')).makeBrowser(guard, options))
}

/**
 * Live browsers for an engine: each session has a process of its own, which ends with it. Strangers drive it, and what
 * they do to it is done to no other session.
 */
export function puppeteerSessions(options: PuppeteerOptions = {}): MakeSessions {
  return (guard) => opensLate(async () => (await import('./live/sessions.ts')).makeSessions(guard, options))
}
