import { isSameSite } from '@harvestman/core/plugin'

import type { Script } from '../script/schema.ts'

/** Returns whether a run may go to an address: it is on the site of one of the hosts of the script. */
export function siteOf({ hosts }: Pick<Script, 'hosts'>): (address: string) => boolean {
  return (address) => {
    const url = URL.parse(address)
    if (url?.href === 'about:blank') return true
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false
    return hosts.some((host) => host === url.host || isSameSite(url.host, host))
  }
}
