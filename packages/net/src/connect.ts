// For adapters that open connections themselves, to an IP that the guard returned or through a proxy.
export { dial } from './connect/dial.ts'
export { dialProxy, proxyFailed, refuseInternal } from './connect/proxy.ts'
export { openTunnel } from './connect/tunnel.ts'
export { parseProxy, type ParsedProxy } from './connect/proxy-address.ts'
