// @module-tag long
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { installEarlier, isInHistory } from './earlier-version.ts'
import { upgradeWhileCrawling } from './upgrade.ts'

// With the first release this becomes its tag.
const earlier = 'ce1a46a67e3426337725be194e7e065a09e701ba'
const pages = 300

interface Server {
  readonly url: string
  remove(): Promise<void>
}

async function upgrades({ skip }: TestContext, start: () => Promise<Server>): Promise<void> {
  if (!isInHistory(earlier)) skip(`The history of git that is here has no commit ${earlier}.`)
  const { command, remove } = installEarlier(earlier)
  onTestFinished(remove)
  const store = await start()
  onTestFinished(store.remove)
  const batch = { status: 'completed', pages: 24 }
  expect(await upgradeWhileCrawling({ store: store.url, earlier: command, pages })).toEqual({
    ...{ status: 'completed', pages, differentPages: pages, credits: pages, messages: pages, isInOrder: true },
    ...{ batches: [batch, batch], codes: [0, 0, 0] },
  })
}

describe('jobs go on while each process of an earlier version is replaced by one of this, every page, credit and message once, on', () => {
  test('Redis', { tags: ['redis'] }, (context) => upgrades(context, () => startRedis('--appendonly', 'yes')))
  test('Postgres', { tags: ['postgres'] }, (context) => upgrades(context, startPostgres))
})
