// For adapters that open connections of their own: to an address that the guard gave, or through a proxy.
export { dial } from './connect/dial.ts'
export { dialProxy, refuseInternal } from './connect/proxy.ts'
export { openTunnel } from './connect/tunnel.ts'
export { parseProxy, type ProxyAddress } from './connect/proxy-address.ts'
