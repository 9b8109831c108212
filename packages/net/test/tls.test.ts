import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { createGuard } from '../src/guard/guard.ts'
import {
  authority,
  expiredCertificate,
  goodCertificate,
  otherNameCertificate,
  selfSignedCertificate,
} from './certificates.ts'
import { ask, codeOf, loopback, openFetcher, soon, textOf } from './fetching.ts'
import { serve, serveTls } from './servers.ts'

const trusting = { ca: [authority] }
const guard = createGuard({
  allowPrivate: loopback,
  resolver: async () => [{ address: '127.0.0.1', family: 4 }],
})

describe('a certificate', () => {
  test('that is valid is accepted, for an address and for a name', async () => {
    const site = await serveTls(goodCertificate, (_request, response) => response.end('secret'))
    const fetcher = openFetcher(guard, trusting)
    expect(textOf(await fetcher.exchange(ask(site.origin), soon()))).toBe('secret')
    for (const name of ['site.example', 'site.example.']) {
      const named = site.origin.replace('127.0.0.1', name)
      expect(textOf(await fetcher.exchange(ask(named), soon()))).toBe('secret')
    }
  })

  test.each([
    ['expired', expiredCertificate, 'has expired'],
    ['of another name', otherNameCertificate, 'is for another name'],
    ['self-signed', selfSignedCertificate, 'is not signed by a trusted authority'],
    ['of an unknown authority', goodCertificate, 'is not signed by a trusted authority'],
  ])('that is %s is refused, and the sentence says what to do', async (kind, certificate, what) => {
    const site = await serveTls(certificate, (_request, response) => response.end())
    const options = kind === 'of an unknown authority' ? {} : trusting
    const error: unknown = await openFetcher(guard, options)
      .exchange(ask(site.origin), soon())
      .catch((caught) => caught)
    expect(EngineError.is(error) && error.code).toBe('tls_failed')
    expect(String(error)).toContain(what)
    expect(String(error)).toContain('skipTlsVerification')
    expect(String(error)).not.toContain('127.0.0.1')
  })

  test.each([
    ['expired', expiredCertificate],
    ['of another name', otherNameCertificate],
    ['self-signed', selfSignedCertificate],
  ])('that is %s is accepted for the one request that skips the check', async (_kind, certificate) => {
    const site = await serveTls(certificate, (_request, response) => response.end('ok'))
    const fetcher = openFetcher(guard, trusting)
    const skipping = ask(site.origin, { skipTlsVerification: true })
    expect(textOf(await fetcher.exchange(skipping, soon()))).toBe('ok')
    expect(await codeOf(fetcher.exchange(ask(site.origin), soon()))).toBe('tls_failed')
    expect(textOf(await fetcher.exchange(skipping, soon()))).toBe('ok')
  })
})

test('a host that does not speak TLS is not one with a bad certificate', async () => {
  const site = await serve((_request, response) => response.end())
  const url = site.origin.replace('http:', 'https:')
  expect(await codeOf(openFetcher().exchange(ask(url), soon()))).toBe('connection_failed')
})
