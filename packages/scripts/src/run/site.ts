import { isSameSite } from '@harvestman/core/plugin'

import type { Script } from '../script/schema.ts'

/**
 * Returns a function that tells whether a run may open a URL: it must be on the same site as one of the script's hosts, or
 * `about:blank`. False for invalid URLs and other schemes than http(s).
 */
export function siteOf({ hosts }: Pick<Script, 'hosts'>): (address: string) => boolean {
  return (address) => {
    const url = URL.parse(address)
    if (url?.href === 'about:blank') return true
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false
    return hosts.some((host) => host === url.host || isSameSite(url.host, host))
  }
}
