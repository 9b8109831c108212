import type { Browser, BrowserProfile, Guard, Tab } from '@harvestman/ports'

import { puppeteerBrowser, type PuppeteerOptions } from '../src/index.ts'
import { localGuard } from './guard.ts'

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
