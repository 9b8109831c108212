import { describe, expect, test } from 'vitest'

import type { Page } from '../plugin/parts.ts'
import { detectBlock } from './block-signals.ts'

function page(status: number, headers: Record<string, string> = {}, body = '<h1>Page</h1>'): Page {
  const bytes = new TextEncoder().encode(body)
  return {
    url: 'https://a.example/',
    status,
    headers,
    body: bytes,
    captured: {},
    actions: {},
    proxyUsed: 'basic',
    warnings: [],
  }
}

describe('a refusal is known by', () => {
  test.each([
    ['Cloudflare', page(403, { 'cf-mitigated': 'challenge' })],
    ['Cloudflare', page(503, {}, '<title>Just a moment...</title>')],
    ['Cloudflare', page(403, {}, '<script src="/cdn-cgi/challenge-platform/h/b.js"></script>')],
    ['Vercel', page(429, { 'x-vercel-mitigated': 'challenge' })],
    ['AWS WAF', page(202, { 'x-amzn-waf-action': 'challenge' }, '')],
    ['DataDome', page(403, {}, '<script src="https://geo.captcha-delivery.com/x.js">')],
    ['HUMAN', page(403, {}, '<div id="px-captcha">')],
    ['Akamai', page(403, {}, '<p>https://errors.edgesuite.net/18.1</p>')],
    ['Imperva', page(200, {}, '<iframe src="/_Incapsula_Resource?x">')],
    ['Kasada', page(429, { 'x-kpsdk-ct': 'x' })],
    ['Sucuri', page(403, {}, '<title>Sucuri WebSite Firewall - Access Denied</title>')],
    ['DDoS-Guard', page(403, { server: 'ddos-guard' })],
    ['Anubis', page(200, {}, '<script id="anubis_challenge" type="application/json">')],
  ])('the wall of %s', (wall, refusal) => {
    expect(detectBlock(refusal)).toMatchObject({ wall, reason: expect.stringContaining(wall) })
  })

  test.each([[401], [403], [429]])('status %i alone, without a name for the wall', (status) => {
    expect(detectBlock(page(status))).toEqual({ reason: `The host answered ${status}.` })
  })
})

describe('no refusal is', () => {
  test.each([
    ['a good page', page(200)],
    ['a good page that writes of walls', page(200, {}, '<p>errors.edgesuite.net and Just a moment...</p>')],
    ['a large page behind a wall that let it pass', page(200, {}, `_Incapsula_Resource${'x'.repeat(20_000)}`)],
    ['a page that is not there', page(404)],
    ['a wish for a password', page(401, { 'www-authenticate': 'Basic' })],
    ['a host that is down', page(503, { 'retry-after': '10' })],
    ['a fault of the host', page(500)],
  ])('%s', (_, good) => {
    expect(detectBlock(good)).toBeUndefined()
  })
})
