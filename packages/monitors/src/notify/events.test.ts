import { expect, test } from 'vitest'

import type { CheckedPage, CheckRecord } from '../records/check.ts'
import { bodyOf } from './events.ts'

const stored = [{ url: 'https://shop.test/lamp', status: 'new' }] as unknown as readonly CheckedPage[]
const check = {
  ...{ id: 'c', monitorId: 'm', status: 'completed', segments: [{ key: 's' }], counts: {} },
} as unknown as CheckRecord
const kitOf = (pages: readonly CheckedPage[]) => ({ checks: { pages: async () => pages } }) as never

test('a page that is stored is a message about it', async () => {
  const body = await bodyOf('0-0', check, {}, kitOf(stored))
  expect(JSON.parse(Buffer.from(body ?? []).toString())).toMatchObject({
    type: 'monitor.page',
    data: [{ url: 'https://shop.test/lamp' }],
  })
})

test('a page that is no longer stored is no message, and not the end of the check', async () => {
  expect(await bodyOf('0-0', check, {}, kitOf([]))).toBeUndefined()
  expect(await bodyOf('1-0', check, {}, kitOf(stored))).toBeUndefined()
})
