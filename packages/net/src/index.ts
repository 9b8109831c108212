// Access to the web for the engine. Parts that need no fetcher have entry points of their own, which load less: `connect`,
// `request`, `text`.
export { createGuard, type GuardOptions, type Resolver } from './guard/guard.ts'
export { canonicalHost } from './guard/addresses.ts'
export { systemResolver } from './guard/resolver.ts'
export type { UndiciOptions } from './fetcher/exchange.ts'
export { undiciFetcher } from './fetcher/undici.ts'
export { fetchFollowing, type Followed, type FollowOptions, type FollowRequest } from './redirects.ts'
export { keyOf, makeCookies, type CookieChange } from './cookies.ts'
export { cookieChanges, cookiesIn, withChanges } from './state-cookies.ts'
export { gatherBody, type Body, type BodyOptions } from './fetcher/body.ts'
export { sniffType, type SniffedType, type TextTypes } from './sniff/sniff.ts'
export { pageHeaders, type HeaderOptions } from './headers.ts'
export {
  staticProxies,
  type ProxyBudget,
  type ProxyPrice,
  type ProxyStatus,
  type StaticProxies,
  type StaticProxiesOptions,
  type StaticProxy,
  type StaticProxyOptions,
} from './connect/static-proxies.ts'
