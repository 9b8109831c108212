// What a browser is given so that its traffic is recorded, or answered from a record.
import type { Browser, BrowserProfile, Sessions, Traffic, TrafficRequest } from '@harvestman/ports'

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
export function steadyScript(shift: number | undefined): string {
  const chances = `let seed = 1779033703
  for (const letter of location.href) seed = Math.imul(seed ^ letter.charCodeAt(0), 3432918353)
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }`
  const time = `const Own = Date
  const now = () => Own.now() + ${shift}
  globalThis.Date = new Proxy(Own, {
    construct: (to, given, made) => Reflect.construct(to, given.length > 0 ? given : [now()], made),
    apply: () => new Own(now()).toString(),
    get: (of, name) => (name === 'now' ? now : Reflect.get(of, name)),
  })`
  return `{\n  ${chances}\n${shift === undefined ? '' : `  ${time}\n`}}`
}
