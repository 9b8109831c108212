// @module-tag long
// @module-tag redis
import { expect, test } from 'vitest'

import { startRedis } from '../../../packages/redis/test/server.ts'
import { crawlThroughTroubles, everyTrouble } from './troubles.ts'

const pages = 1_500

test(
  'a crawl over four workers has every page, credit and message once, whichever of its processes is killed or hangs',
  { timeout: 1_200_000 },
  async () => {
    const store = await startRedis('--appendonly', 'yes', '--appendfsync', 'always')
    try {
      const crawls = await crawlThroughTroubles({ store, pages, troubles: everyTrouble })
      const whole = {
        status: 'completed',
        pages,
        differentPages: pages,
        credits: pages,
        messages: pages,
        isInOrder: true,
      }
      for (const crawl of crawls) expect(crawl).toMatchObject(whole)
      const suffered = crawls.flatMap((crawl) => crawl.suffered.map(({ victim, is }) => ({ victim, is })))
      expect(suffered).toEqual(everyTrouble)
    } finally {
      await store.remove()
    }
  },
)
