// Settings that determine how an engine identifies itself to hosts and whether it obeys robots.txt.
import { z } from 'zod'

import { lazily } from '../lib/lazily.ts'
import { headers } from './scrape.ts'

const robotsPolicies = ['crawls', 'always', 'never'] as const

/** When to check robots.txt: for crawls and maps, for every page, or never. */
export type RobotsPolicy = (typeof robotsPolicies)[number]

export const mannersFields = lazily(() => ({
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]*\w[\x20-\x7e]*$/, {
      error: 'must be a string that HTTP can carry, such as Name/1.0 (+https://…)',
    })
    .max(500)
    .meta({
      title: 'User agent',
      description:
        'The user agent that the engine sends to every host, also in the browser. Default: that of a browser. Its name, as in `Name/1.0` or `Mozilla/5.0 (compatible; Name/1.0)`, selects the rules in robots.txt. A `user-agent` in the `headers` of a request takes precedence.',
      defaultText: 'that of a browser',
    })
    .optional(),
  headers: headers
    .meta({
      title: 'Headers',
      description:
        'Headers sent to the host of every page, robots.txt and sitemap. Headers of a request take precedence. Do not put secrets here, because every host receives them. Unlike headers of a request, they do not bypass the cache.',
    })
    .optional(),
  robots: z
    .enum(robotsPolicies)
    .meta({
      title: 'robots.txt',
      description:
        'When to check robots.txt. `crawls`: for crawls and maps, unless `ignoreRobotsTxt` is set. `always`: for every page, also of scrapes and batches, and `ignoreRobotsTxt` is refused. `never`: not at all.',
    })
    .default('crawls'),
}))

/**
 * Returns the headers sent to every host: the configured headers, and the user agent unless they contain one. Empty if neither
 * is configured.
 */
export function headersOfEngine(given: {
  readonly userAgent?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}): Readonly<Record<string, string>> {
  const { userAgent, headers: more } = given
  return { ...(userAgent !== undefined && { 'user-agent': userAgent }), ...more }
}
