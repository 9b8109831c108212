/** Why an address is not visited. The words in capitals are those of the public service, as far as it has them. */
export const reasons = {
  URL_PARSE_ERROR: 'This is not an address.',
  NON_WEB_PROTOCOL: 'Only http and https are visited.',
  URL_TOO_LONG: 'The address is longer than any that a person made.',
  SECTION_LINK: 'The link leads to a place on the page it is on.',
  DISCOVERY_OFF: 'Only the start and the addresses of the sitemaps are visited, since `sitemap` is `only`.',
  DEPTH_LIMIT: 'The page lies deeper than `maxDiscoveryDepth`, or its path than the depth that is allowed.',
  SOCIAL_MEDIA: 'The link leads to a social network or a service that is never a part of a site.',
  EXTERNAL_LINK:
    'The page is on another site. `allowExternalLinks` visits those that links of this site lead to, but not their home pages.',
  SUBDOMAIN: 'The page is on another host of the same domain. `allowSubdomains` visits these.',
  EXCLUDE_PATTERN: 'A pattern of `excludePaths` fits.',
  INCLUDE_PATTERN: 'No pattern of `includePaths` fits.',
  BACKWARD_CRAWLING: 'The path does not begin with the path of the start. `crawlEntireDomain` visits such pages.',
  ROBOTS_TXT: 'The robots.txt of the host asks robots not to visit it.',
  FILE_TYPE: 'Files of this type have no text to read.',
  REDIRECT: 'The page redirects to an address that is not visited.',
  DUPLICATE: 'The page was visited under this address or one that leads to the same page.',
  TRAP: 'The address is a part of something that a program makes without end.',
  LIMIT: 'The crawl had as many pages as `limit` allows.',
  ENDED: 'The crawl was cancelled, or could not go on, before the turn of this address came.',
} as const

/** Why an address was not visited, as a code. */
export type Reason = keyof typeof reasons
