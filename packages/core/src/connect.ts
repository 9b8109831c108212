// For adapters that open connections of their own: to an address that the guard gave, or through a proxy.
export { dial } from './fetchers/dial.ts'
export { dialProxy, refuseInternal } from './fetchers/proxy.ts'
export { openTunnel } from './fetchers/tunnel.ts'
export { parseProxy, type ProxyAddress } from './net/proxy-address.ts'
