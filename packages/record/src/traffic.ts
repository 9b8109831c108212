// Wraps browsers so that their traffic is recorded, or answered from a record.
import type { Browser, BrowserProfile, Sessions, Traffic, TrafficRequest } from '@harvestman/ports'
import { joinTraffic } from '@harvestman/toolbox/join-traffic'
import { pageCall } from '@harvestman/toolbox/page-call'

import { steady } from './page-scripts.ts'

/**
 * Wraps a browser so that its tabs use a traffic handler, which `traffic` returns for each tab, in addition to their own. `open`
 * rejects if `traffic` does.
 */
export function withTraffic(browser: Browser, traffic: () => Promise<Traffic>): Browser {
  return {
    open: async (profile, signal) =>
      browser.open({ ...profile, traffic: joinTraffic(await traffic(), profile.traffic) }, signal),
    identity: async () => browser.identity?.(),
    close: () => browser.close(),
  }
}

/**
 * Wraps live browsers so that they use a traffic handler, which `traffic` returns for each browser, in addition to their own.
 * `open` rejects if `traffic` does.
 */
export function withTrafficOfSessions(sessions: Sessions, traffic: () => Promise<Traffic>): Sessions {
  return {
    open: async (wish, signal) => {
      const joined = joinTraffic(await traffic(), wish.profile.traffic)
      const profile: BrowserProfile = { ...wish.profile, traffic: joined }
      return sessions.open({ ...wish, profile }, signal)
    },
    close: () => sessions.close(),
  }
}

/** Returns whether a request goes over HTTP. `data:`, `blob:` and similar URLs are not recorded. */
export const isWeb = ({ url }: Pick<TrafficRequest, 'url'>): boolean => /^https?:/i.test(url)

/**
 * Returns a page script that makes `Math.random` the same in recording and replay, because pages put random values into URLs.
 * With `shift`, in milliseconds, it also moves the clock to the time of the recording.
 */
export const steadyScript = (shift: number | undefined): string => pageCall(steady, shift)
