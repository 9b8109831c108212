import { EngineError } from '@harvestman/core'
import type { Browser, BrowserProfile, Guard, Tab } from '@harvestman/core/ports'
import { beforeEach } from 'vitest'

import { findBrowser, puppeteerBrowser, type PuppeteerOptions } from '../src/index.ts'

/** Leaves the tests of a file out on a machine without a browser, and says so. */
export function needsChromium(): void {
  beforeEach(({ skip }) => {
    if (!findBrowser()) skip('it drives a real Chromium, and there is none: apt-get install chromium-headless-shell')
  })
}

export const profile: BrowserProfile = {
  headers: {},
  mobile: false,
  blockAds: false,
  skipTlsVerification: false,
  location: { country: 'US', languages: ['en-US'] },
}

/** Ends what takes longer than a test may. */
export function soon(ms = 100_000): AbortSignal {
  return AbortSignal.timeout(ms)
}

/** A guard that sends every name to this machine, and refuses hosts that begin with "private". */
export function localGuard(): Guard {
  return {
    checkUrl: (url) => refuse(url.hostname),
    resolve: async (host) => {
      refuse(host)
      return { address: '127.0.0.1', family: 4 }
    },
  }
}

function refuse(host: string): void {
  if (host.startsWith('private')) throw blocked()
}

function blocked(): EngineError {
  return new EngineError('url_blocked', 'This address is not one of the public web.')
}

/** A browser for the tests of one file. */
export function startBrowser(options: PuppeteerOptions = {}, guard: Guard = localGuard()): Browser {
  return puppeteerBrowser(options)(guard)
}

/** Opens a tab, hands it on, and closes it whatever happens. */
export async function inTab<T>(
  browser: Browser,
  more: Partial<BrowserProfile>,
  work: (tab: Tab) => Promise<T>,
): Promise<T> {
  const tab = await browser.open({ ...profile, ...more }, soon())
  try {
    return await work(tab)
  } finally {
    await tab.close()
  }
}
