import { expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { systemResolver } from '../src/guard/resolver.ts'
import { soon } from './fetching.ts'

test('gives the addresses of a name as the system knows them', async () => {
  const addresses = await systemResolver()('localhost', soon())
  expect(addresses.some(({ address }) => address === '127.0.0.1' || address === '::1')).toBe(true)
})

test('says in our words that there is no such name', async () => {
  const error: unknown = await systemResolver()('no-such-host.invalid', soon()).catch((caught: unknown) => caught)
  expect(EngineError.is(error) && error.code).toBe('dns_failed')
  expect(EngineError.is(error) && error.cause).toBeInstanceOf(Error)
  expect(String(error)).toContain('"no-such-host.invalid"')
})

test('rejects with the reason of the signal, at once', async () => {
  const reason = new Error('enough')
  await expect(systemResolver()('localhost', AbortSignal.abort(reason))).rejects.toBe(reason)
})
