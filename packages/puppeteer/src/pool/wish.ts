import type { BrowserProfile } from '@harvestman/ports'

import { adPatterns, isAdHost, unseenPatterns } from '../ads/hosts.ts'
import type { Place } from './place.ts'
import type { Want } from './pool.ts'
import type { Disguise } from '../profile/apply.ts'
import { identityOf } from '../profile/identity.ts'

/**
 * Returns the requirements of a profile for the context of its page in a browser: pictures, the upstream proxy, and hosts to
 * leave out.
 */
export function wantOf(profile: BrowserProfile): Want {
  return {
    pictures: profile.pictures !== false,
    proxy: profile.proxy?.url,
    onBytes: profile.proxy?.onBytes,
    leavesOut: profile.blockAds ? isAdHost : undefined,
  }
}

/**
 * Returns how the pages of a profile identify themselves in a running browser, and the patterns of URLs that they do not load:
 * ads with `blockAds`, images and similar with `pictures: false`.
 */
export function disguiseOf(profile: BrowserProfile, { running }: Place): Disguise {
  return {
    profile,
    identity: identityOf(running, profile),
    leavesOut: [...(profile.blockAds ? adPatterns : []), ...(profile.pictures === false ? unseenPatterns : [])],
  }
}
