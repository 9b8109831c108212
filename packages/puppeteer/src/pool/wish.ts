import type { BrowserProfile } from '@harvestman/ports'

import { adPatterns, isAdHost, unseenPatterns } from '../ads/hosts.ts'
import type { Place } from './place.ts'
import type { Want } from './pool.ts'
import type { Disguise } from '../profile/apply.ts'
import { identityOf } from '../profile/identity.ts'

/** What a profile needs of the place that is opened for it. */
export function wantOf(profile: BrowserProfile): Want {
  return {
    pictures: profile.pictures !== false,
    proxy: profile.proxy?.url,
    leavesOut: profile.blockAds ? isAdHost : undefined,
  }
}

/** What the pages of a profile are told about themselves. */
export function disguiseOf(profile: BrowserProfile, { running }: Place): Disguise {
  return {
    profile,
    identity: identityOf(running.userAgent, profile),
    leavesOut: [...(profile.blockAds ? adPatterns : []), ...(profile.pictures === false ? unseenPatterns : [])],
  }
}
