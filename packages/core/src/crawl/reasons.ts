/** Reasons why a crawl skips a URL, by code. The codes match the public service where it has the same reason. */
export const reasons = {
  URL_PARSE_ERROR: 'This is not a valid URL.',
  NON_WEB_PROTOCOL: 'The crawl visits only http and https.',
  URL_TOO_LONG: 'The URL is too long.',
  SECTION_LINK: 'The link points to a section of its own page.',
  DISCOVERY_OFF: 'The crawl visits the start URL and the URLs from sitemaps, because `sitemap` is `only`.',
  DEPTH_LIMIT: 'The page is deeper than `maxDiscoveryDepth`, or its path is deeper than `maxPathDepth`.',
  SOCIAL_MEDIA: 'The link leads to a social network, or to a service that is never part of a site.',
  EXTERNAL_LINK:
    'The page is on another site. `allowExternalLinks` visits external pages that this site links to, except home pages.',
  SUBDOMAIN: 'The page is on another host of the same domain. `allowSubdomains` visits these.',
  EXCLUDE_PATTERN: 'The URL matches a pattern of `excludePaths`.',
  INCLUDE_PATTERN: 'The URL matches no pattern of `includePaths`.',
  BACKWARD_CRAWLING: 'The path does not begin with the path of the start URL. `crawlEntireDomain` visits such pages.',
  UNSAFE_DOMAIN: 'Threat protection blocks the host.',
  ROBOTS_TXT: 'The robots.txt of the host disallows the page.',
  FILE_TYPE: 'Files of this type contain no text.',
  REDIRECT: 'The page redirects to a URL that the crawl does not visit.',
  HIDDEN_LINK: 'Visitors cannot see the link.',
  DUPLICATE: 'The crawl visited this page already, under this URL or another one.',
  TRAP: 'The URL belongs to a part of the site that has no end.',
  LIMIT: 'The `limit` of the crawl left no room for this URL.',
  ENDED: 'The crawl was cancelled, failed or reached its `maxCredits` before it visited this URL.',
} as const

/** Code of the reason why a crawl skipped a URL. */
export type Reason = keyof typeof reasons
