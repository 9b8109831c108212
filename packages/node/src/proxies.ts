import { staticProxies } from '@harvestman/core'
import type { Proxies } from '@harvestman/ports'

import type { Config } from './config.ts'

/** The proxies of a configuration; nothing when there are none. */
export function proxiesOf(config: Config): Proxies | undefined {
  const { proxies, enhancedProxies } = config
  if (proxies.length + enhancedProxies.length === 0) return undefined
  const named = (address: string): string => withCredentials(address, config)
  return staticProxies({ basic: proxies.map(named), enhanced: enhancedProxies.map(named) })
}

/** Older settings keep the name and the password beside the address. */
function withCredentials(address: string, { proxyUsername, proxyPassword }: Config): string {
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return address
  if (proxyUsername !== undefined) url.username = encodeURIComponent(proxyUsername)
  if (proxyPassword !== undefined) url.password = encodeURIComponent(proxyPassword)
  return url.href
}

/** A proxy as it may be shown. */
export function withoutSecrets(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}
