import { staticProxies, type StaticProxies } from '@harvestman/core'

import type { Config } from './settings.ts'
import { parseProxyBudget } from './proxy-budget.ts'

/** Returns the proxies of a configuration, or `undefined` without any. */
export function proxiesOf(config: Config): StaticProxies | undefined {
  const { proxies, enhancedProxies, proxyBudget: basic, enhancedProxyBudget: enhanced } = config
  if (proxies.length + enhancedProxies.length === 0) return undefined
  const named = (address: string): string => withCredentials(address, config)
  return staticProxies({
    basic: proxies.map(named),
    enhanced: enhancedProxies.map(named),
    budgets: { basic: parseProxyBudget(basic), enhanced: parseProxyBudget(enhanced) },
  })
}

/** Adds the credentials of older settings, which are separate from the URL. */
function withCredentials(address: string, { proxyUsername, proxyPassword }: Config): string {
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return address
  if (proxyUsername !== undefined) url.username = encodeURIComponent(proxyUsername)
  if (proxyPassword !== undefined) url.password = encodeURIComponent(proxyPassword)
  return url.href
}

/** Returns the URL of a proxy without credentials. Throws a `TypeError` if it is not a valid URL. */
export function withoutSecrets(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}
