// @module-tag long
// Each way in which a store goes back in time, once: `back.ts` repeats them.
import { expect, test } from 'vitest'

import { problemsAfter } from './back.ts'

test.each(['redis-snapshot', 'redis-aof', 'redis-sentinel'])(
  'a store that goes back by two seconds loses no page of a job, check or dataset without a word: %s',
  { tags: ['redis'] },
  async (way) => expect(await problemsAfter(way, 2)).toEqual([]),
)

test(
  'a Postgres that is restored from a dump two seconds older loses no page without a word',
  { tags: ['postgres', 'pg-dump'] },
  async () => expect(await problemsAfter('postgres', 2)).toEqual([]),
)

test('a SQLite file that is restored from a backup two seconds older loses no page without a word', async () =>
  expect(await problemsAfter('sqlite', 2)).toEqual([]))
