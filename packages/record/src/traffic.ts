// What a browser is given so that its traffic is recorded, or answered from a record.
import type { Browser, BrowserProfile, Sessions, Traffic, TrafficRequest } from '@harvestman/ports'
import { pageCall } from '@harvestman/ports/adapters'

import { steady } from './page-scripts.ts'

/** The same browser, whose tabs have this traffic. */
export function withTraffic(browser: Browser, traffic: () => Promise<Traffic>): Browser {
  return {
    open: async (profile, signal) => browser.open({ ...profile, traffic: await traffic() }, signal),
    close: () => browser.close(),
  }
}

/** The same live browsers, with this traffic. */
export function withTrafficOfSessions(sessions: Sessions, traffic: () => Promise<Traffic>): Sessions {
  return {
    open: async (wish, signal) => {
      const profile: BrowserProfile = { ...wish.profile, traffic: await traffic() }
      return sessions.open({ ...wish, profile }, signal)
    },
    close: () => sessions.close(),
  }
}

/** Whether it is asked over HTTP: what a page has in itself is not recorded. */
export const isWeb = ({ url }: Pick<TrafficRequest, 'url'>): boolean => /^https?:/i.test(url)

/**
 * Makes the same chances for a page in the record and in the replay, and lets its clock run from the time of the record. What
 * a page makes of randomness is in the addresses that it asks for.
 */
export const steadyScript = (shift: number | undefined): string => pageCall(steady, shift)
