// The public names, one by one. What is not here is not public.
export { isSameHost, isSameSite } from './domains.ts'
export { siteKeys } from './keys.ts'
export { normaliseUrl, similarKey } from './page-identity.ts'
export { makeRobots, type Robots } from './robots-file.ts'
export { robotsGate } from './robots-gate.ts'
export { allowNone, readRobots, sayUnread, type RobotsRules, type Unread } from './robots.ts'
export { readSitemaps, type SitemapKit } from './sitemaps.ts'
